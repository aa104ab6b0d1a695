/* session.complete, session.variables: what an idle session can be asked without running a cell.
 *
 * Runs in: broker.
 * Hostile: nothing that is not checked: parameters fit the method's description.
 * Owns: nothing.
 * Tests: tests/system/test_languages.py
 */
#pragma once

#include "serve/rpc/handlers.h"

method_handler handle_session_complete, handle_session_variables;

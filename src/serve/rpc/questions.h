/* session.complete, session.variables: questions that an idle session answers without running a
 * cell.
 *
 * Runs in: broker.
 * Hostile: nothing; the parameters were checked against the method's description.
 * Owns: nothing.
 * Tests: tests/system/test_languages.py
 */
#pragma once

#include "serve/rpc/handlers.h"

method_handler handle_session_complete, handle_session_variables;

/* The JSON-RPC methods of environments: everybody may list them, administrators may make and remove
 * them.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: as in handlers.h.
 * Tests: tests/system/test_environments.py
 */
#pragma once

#include "serve/rpc/methods.h"

method_handler handle_environments_list, handle_environments_create, handle_environments_update,
    handle_environments_show, handle_environments_remove;

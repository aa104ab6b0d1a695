/* What the JSON-RPC methods of environments do: lists them for everybody, makes them for
 * administrators.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: as in handlers.h.
 * Tests: tests/system/test_environments.py
 */
#pragma once

#include "serve/rpc/methods.h"

method_handler handle_environments_list, handle_environments_create, handle_environments_update,
    handle_environments_show, handle_environments_remove;

/* The JSON-RPC methods of skills: everybody finds skills and uses them in sessions, administrators
 * add and remove them.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: as in handlers.h; files of skills are tried in sessions (skills/trial.h).
 * Tests: tests/system/test_skill_calls.py
 */
#pragma once

#include "serve/rpc/methods.h"

method_handler handle_skills_list, handle_skills_search, handle_skills_show, handle_skills_add,
    handle_skills_test, handle_skills_remove, handle_skills_export, handle_skills_use,
    handle_skills_learn;

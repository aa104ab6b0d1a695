/* A plot's numbers in the shape that E2B's clients expect. Pure.
 *
 * Runs in: broker.
 * Hostile: the chart comes from a guest; members of another type than usual are left out.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include <jansson.h>

/* `chart` as in the result's plots. */
json_t *chart_json(const json_t *chart);

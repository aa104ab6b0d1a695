/* The door between the nodes of a cluster, and the routing of calls between them.
 *
 * A call for a session that is not here goes to the node that has it, over NATS: parts of a message
 * that each begin with a line of JSON. The node answers in the same way, and says every second that
 * it is still at it. Only nodes can send such a message, so a node believes what another says of a
 * client.
 *
 * Runs in: broker. Messages come in threads of the module for NATS; each call has a thread of its
 *   own.
 * Life cycle: cluster_door_open after serve_init and before any listener; cluster_door_drain when
 *   nothing new is taken; cluster_door_close after the last call has ended.
 * Owns: the listeners; calls on their way.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "cluster/cluster.h"
#include "serve/hosted/clustered.h"

struct cluster_door;

int cluster_door_open(struct serve *serve, struct cluster *cluster, struct cluster_door **ret,
                      struct retort_error *err);
/* Puts every session to sleep, so that other nodes may take them at once, and gives the lease
 * back. */
void cluster_door_drain(struct cluster_door *door);
void cluster_door_close(struct cluster_door *door); /* takes NULL */

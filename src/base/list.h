/* Lists: singly linked ones that end in NULL, and arrays that grow.
 *
 * Tests: tests/unit/test_list.c
 */
#pragma once

#include <stdlib.h>

#include "base/tiny.h"

/* Takes `item` out of the list that begins with `head`; it must be in it. `next` is the member that
 * links. */
#define LIST_DROP(head, item, next)      \
    do {                                 \
        __typeof__(head) *at_ = &(head); \
        while (*at_ != (item))           \
            at_ = &(*at_)->next;         \
        *at_ = (*at_)->next;             \
    } while (0)

/* Returns an array with room for one more than `count` items of `size` bytes: the same one, or one
 * of twice the size. NULL, with nothing changed, when there is no memory. */
static inline void *list_grow(void *list, size_t count, size_t *room, size_t size) {
    size_t more = *room ? *room * 2 : TINY(32, 1);
    void *grown;

    if (count < *room)
        return list;
    grown = reallocarray(list, more, size);
    if (grown)
        *room = more;
    return grown;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   Boxes that overlap, found by a bounding volume hierarchy. Twin of overlaps.py. */
#include "kernels.h"

/* Of a tree with as many leaves as 32 bits count no more wait than two a level. */
#define DEEPEST 128

static int meets(const double *node_low, const double *node_high, const double *low, const double *high)
{
    return node_low[0] <= high[0] && low[0] <= node_high[0] && node_low[1] <= high[1] && low[1] <= node_high[1] &&
           node_low[2] <= high[2] && low[2] <= node_high[2];
}

/* How many leaves a box overlaps; they are written to found, up to room, unless that is null. */
static int64_t descend(const double *node_low, const double *node_high, const double *low, const double *high,
                       int64_t leaves, int32_t *found, int64_t room)
{
    int64_t waiting[DEEPEST], count = 0;
    int depth = 0;
    waiting[depth++] = 1;
    while (depth) {
        int64_t node = waiting[--depth];
        if (!meets(node_low + 3 * node, node_high + 3 * node, low, high))
            continue;
        if (node >= leaves) {
            if (found && count < room)
                found[count] = (int32_t)(node - leaves);
            count++;
        } else {
            waiting[depth++] = 2 * node + 1;
            waiting[depth++] = 2 * node;
        }
    }
    return count;
}

KERNEL count_overlaps(const double *node_low, const double *node_high, const double *low, const double *high,
                      int64_t *counts, int64_t k, int64_t m, int64_t first, int64_t last)
{
    (void)m;
    for (int64_t box = first; box < last; box++)
        counts[box] = descend(node_low, node_high, low + 3 * box, high + 3 * box, k / 2, 0, 0);
}

KERNEL list_overlaps(const double *node_low, const double *node_high, const double *low, const double *high,
                     const int32_t *starts, int32_t *found, int64_t k, int64_t m, int64_t e, int64_t first,
                     int64_t last)
{
    (void)m, (void)e;
    for (int64_t box = first; box < last; box++)
        descend(node_low, node_high, low + 3 * box, high + 3 * box, k / 2, found + starts[box],
                starts[box + 1] - starts[box]);
}

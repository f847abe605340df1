/* SPDX-License-Identifier: GPL-3.0-or-later
   Moving boxes that overlap, found by a bounding volume hierarchy. Twin of overlaps.py. */
#include "kernels.h"

/* Of a tree with as many leaves as 32 bits count no more wait than two a level. */
#define DEEPEST 128

/* Corners of boxes where they begin, and the least and most of their ways. */
typedef struct {
    const double *low, *high, *least, *most;
} Boxes;

static int meets(Boxes nodes, int64_t node, Boxes boxes, int64_t box)
{
    for (int64_t i = 3 * node, j = 3 * box; i < 3 * node + 3; i++, j++) {
        double least = nodes.least[i] - boxes.most[j], most = nodes.most[i] - boxes.least[j];
        if (!(nodes.low[i] + (least < 0.0 ? least : 0.0) <= boxes.high[j] &&
              boxes.low[j] <= nodes.high[i] + (most > 0.0 ? most : 0.0) && nodes.low[i] <= nodes.high[i]))
            return 0;
    }
    return 1;
}

/* How many leaves a box overlaps; they are written to found, up to room, unless that is null. */
static int64_t descend(Boxes nodes, Boxes boxes, int64_t box, int64_t leaves, int32_t *found, int64_t room)
{
    int64_t waiting[DEEPEST], count = 0;
    int depth = 0;
    waiting[depth++] = 1;
    while (depth) {
        int64_t node = waiting[--depth];
        if (!meets(nodes, node, boxes, box))
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

KERNEL count_overlaps(const double *node_low, const double *node_high, const double *node_least,
                      const double *node_most, const double *low, const double *high, const double *least,
                      const double *most, int64_t *counts, int64_t k, int64_t m, int64_t first, int64_t last)
{
    Boxes nodes = {node_low, node_high, node_least, node_most}, boxes = {low, high, least, most};
    (void)m;
    for (int64_t box = first; box < last; box++)
        counts[box] = descend(nodes, boxes, box, k / 2, 0, 0);
}

KERNEL list_overlaps(const double *node_low, const double *node_high, const double *node_least,
                     const double *node_most, const double *low, const double *high, const double *least,
                     const double *most, const int32_t *starts, int32_t *found, int64_t k, int64_t m, int64_t e,
                     int64_t first, int64_t last)
{
    Boxes nodes = {node_low, node_high, node_least, node_most}, boxes = {low, high, least, most};
    (void)m, (void)e;
    for (int64_t box = first; box < last; box++)
        descend(nodes, boxes, box, k / 2, found + starts[box], starts[box + 1] - starts[box]);
}

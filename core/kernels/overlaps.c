/* SPDX-License-Identifier: GPL-3.0-or-later
   Moving boxes that overlap, found by a bounding volume hierarchy. Twin of overlaps.py. */
#include "kernels.h"

/* Of a tree with as many leaves as 32 bits count no more wait than two a level. */
#define DEEPEST 128

static int meets(const double *node, const double *box)
{
    for (int axis = 0; axis < 3; axis++) {
        double back = node[6 + axis] + box[9 + axis], forth = node[9 + axis] + box[6 + axis];
        if (!(-node[axis] - (back > 0.0 ? back : 0.0) <= box[3 + axis] &&
              -box[axis] <= node[3 + axis] + (forth > 0.0 ? forth : 0.0) && -node[axis] <= node[3 + axis]))
            return 0;
    }
    return 1;
}

KERNEL find_overlaps(const double *nodes, const double *boxes, const int64_t *after, int64_t *counts, int32_t *found,
                     int64_t k, int64_t m, int64_t r, int64_t first, int64_t last)
{
    int64_t waiting[DEEPEST], spans[DEEPEST], leaves = k / 2;
    for (int64_t box = first; box < last; box++) {
        int64_t count = 0;
        int depth = 1;
        waiting[0] = 1, spans[0] = leaves;
        while (depth) {
            int64_t node = waiting[--depth], span = spans[depth];
            /* The last of its leaves. */
            if ((node + 1) * span - 1 - leaves <= after[box] || !meets(nodes + 12 * node, boxes + 12 * box))
                continue;
            if (node >= leaves) {
                if (count < r)
                    found[box * r + count] = (int32_t)(node - leaves);
                count++;
            } else {
                waiting[depth] = 2 * node + 1, spans[depth++] = span / 2;
                waiting[depth] = 2 * node, spans[depth++] = span / 2;
            }
        }
        counts[box] = count;
    }
}

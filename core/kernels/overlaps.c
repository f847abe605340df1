/* SPDX-License-Identifier: GPL-3.0-or-later
   Stencils between moving boxes that overlap, found by a bounding volume hierarchy. Twin of overlaps.py. */
#include "kernels.h"

/* Of a tree with as many leaves as 32 bits count no more wait than three a level, and one. */
#define DEEPEST 64
/* Boxes that go down the tree together, and those whose findings lie next to each other. */
#define GROUP 8
#define SLICE 64

typedef int32_t Flags __attribute__((vector_size(16)));

static inline Lanes positive(Lanes a)
{
    return (Lanes)((Flags)a & (a > of(0.0f)));
}

/* Which of four boxes overlap one, a bit each. */
static inline int meets(const Lanes *four, const float *box)
{
    Flags hit = {1, 2, 4, 8};
    for (int axis = 0; axis < 3; axis++) {
        Lanes back = positive(four[6 + axis] + of(box[9 + axis]));
        Lanes forth = positive(four[9 + axis] + of(box[6 + axis]));
        hit &= four[axis] + of(box[3 + axis]) + back >= of(0.0f);
        hit &= four[3 + axis] + of(box[axis]) + forth >= of(0.0f);
    }
    return hit[0] | hit[1] | hit[2] | hit[3];
}

KERNEL find_overlaps(const float *nodes, const float *boxes, const int32_t *of_boxes, const int32_t *of_leaves,
                     const double *x, const double *ways, const double *margins, double reach, const int32_t *after,
                     int64_t *counts, int32_t *found, int64_t k, int64_t m, int64_t p, int64_t c, int64_t q, int64_t n,
                     int64_t s, int64_t r, int64_t first, int64_t last)
{
    int64_t records[DEEPEST], starts[DEEPEST], spans[DEEPEST], deepest = (k - 1) / 4;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t count = 0, high = (slice + 1) * SLICE < m ? (slice + 1) * SLICE : m;
        for (int64_t low = slice * SLICE; low < high; low += GROUP) {
            int64_t end = low + GROUP < high ? low + GROUP : high, least = after[low];
            float all[12];
            memcpy(all, boxes + 12 * low, sizeof all);
            for (int64_t box = low + 1; box < end; box++) {
                least = after[box] < least ? after[box] : least;
                for (int bound = 0; bound < 12; bound++)
                    all[bound] = boxes[12 * box + bound] > all[bound] ? boxes[12 * box + bound] : all[bound];
            }
            int waiting = 1;
            records[0] = 0, starts[0] = 0, spans[0] = 3 * deepest + 1;
            while (waiting) {
                int64_t record = records[--waiting], start = starts[waiting], span = spans[waiting];
                const Lanes *four = lanes_at(nodes + 48 * record);
                int hit = start + 4 * span - 1 > least ? meets(four, all) : 0;
                for (int lane = 3; lane >= 0 && record < deepest; lane--)
                    if (hit >> lane & 1) {
                        records[waiting] = 4 * record + 1 + lane, starts[waiting] = start + lane * span;
                        spans[waiting++] = span / 4;
                    }
                for (int64_t box = low; box < end && hit && record >= deepest; box++) {
                    int own = meets(four, boxes + 12 * box);
                    for (int64_t leaf = start; own; own >>= 1, leaf++) {
                        int32_t corners[4];
                        double approaches[2], volume;
                        if (!(own & 1) || leaf <= after[box] || leaf >= c)
                            continue;
                        memcpy(corners, of_boxes + p * box, (size_t)p * sizeof *corners);
                        memcpy(corners + p, of_leaves + q * leaf, (size_t)q * sizeof *corners);
                        int shared = 0;
                        for (int64_t of_box = 0; of_box < p; of_box++)
                            for (int64_t of_leaf = p; of_leaf < 4; of_leaf++)
                                shared |= corners[of_box] == corners[of_leaf];
                        if (shared || !(near_on_ways(x, ways, margins, corners, (int)p - 1, n, approaches, &volume) <=
                                        reach + approaches[1]))
                            continue;
                        if (count < r) {
                            found[2 * (slice * r + count)] = (int32_t)box;
                            found[2 * (slice * r + count) + 1] = (int32_t)leaf;
                        }
                        count++;
                    }
                }
            }
        }
        counts[slice] = count;
    }
}

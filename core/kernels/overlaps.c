/* SPDX-License-Identifier: GPL-3.0-or-later
   Stencils between moving boxes that overlap, found by a bounding volume hierarchy. Twin of overlaps.py. */
#include "kernels.h"

/* Of a tree with as many leaves as 32 bits count no more wait than three a level, and one. */
#define DEEPEST 64
#define GROUP 8
#define SLICE 64

/* Which of four boxes overlap one, a bit each. */
static inline int meets(const Lanes *four, const float *box)
{
    int32_t hit __attribute__((vector_size(16))) = {1, 2, 4, 8};
    Lanes none = of(0.0f);
    for (int axis = 0; axis < 3; axis++) {
        Lanes begins = four[axis] + of(box[3 + axis]), ends = four[3 + axis] + of(box[axis]);
        hit &= (begins >= none) | (begins + (four[6 + axis] + of(box[9 + axis])) >= none);
        hit &= (ends >= none) | (ends + (four[9 + axis] + of(box[6 + axis])) >= none);
    }
    return hit[0] | hit[1] | hit[2] | hit[3];
}

KERNEL find_overlaps(const float *nodes, const float *boxes, const int32_t *of_boxes, const int32_t *of_leaves,
                     const double *x, const double *ways, const double *margins, double reach, const int32_t *after,
                     int64_t *counts, int32_t *found, int64_t k, int64_t m, int64_t p, int64_t c, int64_t q, int64_t n,
                     int64_t s, int64_t r, int64_t first, int64_t last)
{
    int64_t waiting[DEEPEST], spans[DEEPEST], deepest = (k - 1) / 4;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t count = 0, high = (slice + 1) * SLICE < m ? (slice + 1) * SLICE : m;
        for (int64_t low = slice * SLICE; low < high; low += GROUP) {
            int64_t end = low + GROUP < high ? low + GROUP : high, depth = 1;
            int32_t behind = after[low];
            float all[12];
            memcpy(all, boxes + 12 * low, sizeof all);
            for (int64_t bound = 12 * (low + 1); bound < 12 * end; bound++) {
                all[bound % 12] = boxes[bound] > all[bound % 12] ? boxes[bound] : all[bound % 12];
                behind = after[bound / 12] < behind ? after[bound / 12] : behind;
            }
            waiting[0] = 0, spans[0] = (3 * k + 1) / 4;
            while (depth) {
                int64_t record = waiting[--depth], below = 4 * record + 1, span = spans[depth];
                const Lanes *four = lanes_at(nodes + 48 * record);
                int hit = meets(four, all);
                for (int lane = 3; lane >= 0 && record < deepest; lane--)
                    /* Unless the last of its leaves, of which there are so many, does not count. */
                    if (hit >> lane & 1 && (below + lane) * span + (span - 1) / 3 * 4 - k > behind)
                        waiting[depth] = below + lane, spans[depth++] = span / 4;
                for (int64_t box = low; box < end && hit && record >= deepest; box++) {
                    int own = below + 3 - k > after[box] ? meets(four, boxes + 12 * box) : 0;
                    for (int64_t leaf = below - k; own; own >>= 1, leaf++) {
                        int32_t both[4];
                        double approaches[2], volume;
                        if (!(own & 1) || leaf <= after[box] || leaf >= c)
                            continue;
                        memcpy(both, of_boxes + p * box, (size_t)p * sizeof *both);
                        memcpy(both + p, of_leaves + q * leaf, (size_t)q * sizeof *both);
                        int shared = both[0] == both[2] || both[0] == both[3];
                        shared |= p == 1 ? both[0] == both[1] : both[1] == both[2] || both[1] == both[3];
                        if (!shared &&
                            near_on_ways(x, ways, margins, both, (int)p - 1, n, approaches, &volume) <=
                                reach + approaches[1] &&
                            count++ < r)
                            memcpy(found + 2 * (slice * r + count - 1), (int32_t[2]){(int32_t)box, (int32_t)leaf}, 8);
                    }
                }
            }
        }
        counts[slice] = count;
    }
}

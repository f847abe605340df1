/* SPDX-License-Identifier: GPL-3.0-or-later
   Stencils between moving boxes that overlap, found by a bounding volume hierarchy. Twin of overlaps.py. */
#include "kernels.h"

/* Of a tree with as many leaves as 32 bits count no more wait than three a level, and one: where a leaf counts. */
#define DEEPEST 64
#define GROUP 8
#define SLICE 64
#define BOUNDS 12
#define NOTHING -1e30f

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

/* Whether stencils of some vertices are looked for: of all where no mask says of whom. */
static int looked_for(const uint8_t *marked, int64_t g, const int32_t *of, int64_t count)
{
    while (g && count > 0 && !marked[of[count - 1]])
        count--;
    return !g || count > 0;
}

static void take_larger(float *box, const float *other)
{
    for (int bound = 0; bound < BOUNDS; bound++)
        box[bound] = other[bound] > box[bound] ? other[bound] : box[bound];
}

/* The box of a primitive: about its corners, and as far about these as about any of them. */
static void box_about(const float *points, const float *wide, const int32_t *of, int64_t corners, float *box)
{
    float most = wide[of[0]];
    memcpy(box, points + BOUNDS * of[0], BOUNDS * sizeof *box);
    for (int64_t corner = 1; corner < corners; corner++) {
        take_larger(box, points + BOUNDS * of[corner]);
        most = wide[of[corner]] > most ? wide[of[corner]] : most;
    }
    for (int bound = 0; bound < BOUNDS / 2; bound++)
        box[bound] += most;
}

KERNEL refit(const float *points, const float *wide, const int32_t *of_leaves, const uint8_t *marked, float *nodes,
             int64_t n, int64_t c, int64_t q, int64_t g, int64_t k, int64_t first, int64_t last)
{
    int64_t begin = (k - 1) / 4, count = first < last && c <= 4 * (k - begin) ? c : 0;
    for (int64_t leaf = 0; leaf < count; leaf++) {
        float box[BOUNDS];
        box_about(points, wide, of_leaves + q * leaf, q, box);
        for (int bound = 0, about = looked_for(marked, g, of_leaves + q * leaf, q); bound < BOUNDS; bound++)
            nodes[4 * (BOUNDS * (begin + leaf / 4) + bound) + leaf % 4] = about ? box[bound] : NOTHING;
    }
    for (int64_t above; begin > 0; begin = above) {
        above = (begin - 1) / 4, count = (count + 3) / 4;
        for (int64_t below = 0; below < count; below++)
            for (int bound = 0; bound < BOUNDS; bound++) {
                const float *four = nodes + 4 * (BOUNDS * (begin + below) + bound);
                float low = four[0] > four[1] ? four[0] : four[1], high = four[2] > four[3] ? four[2] : four[3];
                nodes[4 * (BOUNDS * (above + below / 4) + bound) + below % 4] = low > high ? low : high;
            }
    }
}

KERNEL find_overlaps(const float *points, const float *wide, const float *nodes, const float *others,
                     const int32_t *of_boxes, const int32_t *of_leaves, const double *x, const double *ways,
                     const double *margins, double reach, const uint8_t *marked, int64_t once, int64_t *counts,
                     int32_t *found, int64_t n, int64_t k, int64_t j, int64_t m, int64_t p, int64_t c, int64_t q,
                     int64_t g, int64_t s, int64_t r, int64_t first, int64_t last)
{
    int64_t waiting[DEEPEST], spans[DEEPEST], deepest = (k - 1) / 4;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t count = 0, high = (slice + 1) * SLICE < m ? (slice + 1) * SLICE : m;
        for (int64_t low = slice * SLICE; low < high; low += GROUP) {
            int64_t end = low + GROUP < high ? low + GROUP : high, depth = 1;
            float boxes[GROUP][BOUNDS], all[BOUNDS];
            for (int64_t box = low; box < end; box++)
                box_about(points, wide, of_boxes + p * box, p, boxes[box - low]);
            memcpy(all, boxes[0], sizeof all);
            for (int64_t box = low + 1; box < end; box++)
                take_larger(all, boxes[box - low]);
            const float *tree = looked_for(marked, g, of_boxes + p * low, p * (end - low)) ? nodes : others;
            waiting[0] = 0, spans[0] = (3 * k + 1) / 4;
            while (depth) {
                int64_t record = waiting[--depth], below = 4 * record + 1, span = spans[depth];
                const Lanes *four = lanes_at(tree + 4 * BOUNDS * record);
                int hit = meets(four, all);
                for (int lane = 3; lane >= 0 && record < deepest; lane--)
                    if (hit >> lane & 1 && (below + lane) * span + (span - 1) / 3 * 4 - k > (once ? low : -1))
                        waiting[depth] = below + lane, spans[depth++] = span / 4;
                for (int64_t box = low; box < end && hit && record >= deepest; box++) {
                    int64_t after = once ? box : -1, leaf = below - k;
                    for (int own = leaf + 3 > after ? meets(four, boxes[box - low]) : 0; own; own >>= 1, leaf++) {
                        int32_t both[4];
                        double approaches[2], volume;
                        if (!(own & 1) || leaf <= after || leaf >= c)
                            continue;
                        memcpy(both, of_boxes + p * box, (size_t)p * sizeof *both);
                        memcpy(both + p, of_leaves + q * leaf, (size_t)q * sizeof *both);
                        int none = both[0] == both[2] || both[0] == both[3] || !looked_for(marked, g, both, 4);
                        none |= p == 1 ? both[0] == both[1] : both[1] == both[2] || both[1] == both[3];
                        if (!none &&
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

/* SPDX-License-Identifier: GPL-3.0-or-later
   The triangle that is nearest to a point, found by a bounding volume hierarchy. Twin of nearest.py. */
#include "kernels.h"

#define DEEPEST 64
#define FOURS 48
/* What is as near but for rounding is looked at: of several equally near the first is found. */
#define AS_NEAR (1.0 + 8.0 * DBL_EPSILON)

/* Squared distances of a point from the four boxes of a record. */
static void from_boxes(const float *four, Row p, double *squared)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int lane = 0; lane < 4; lane++)
        squared[lane] = 0.0;
    for (int axis = 0; axis < 3; axis++)
        for (int lane = 0; lane < 4; lane++) {
            double below = -(double)four[4 * axis + lane] - at[axis], above = at[axis] - four[4 * (3 + axis) + lane];
            double off = larger(larger(below, above), 0.0);
            squared[lane] += off * off;
        }
}

/* Four lanes, the farthest first. */
static void farthest_first(const double *squared, int *lanes)
{
    for (int i = 0; i < 4; i++) {
        int place = i;
        for (; place > 0 && squared[lanes[place - 1]] < squared[i]; place--)
            lanes[place] = lanes[place - 1];
        lanes[place] = i;
    }
}

typedef struct {
    double distance, limit;
    int32_t leaf;
} Nearest;

/* Takes the triangle of a leaf where it is nearer, or as near and before the other. */
static void look_at(const double *x, const int32_t *of_leaves, int64_t n, Row p, int64_t leaf, Nearest *nearest)
{
    double distance = from_triangle(x, of_leaves + 3 * leaf, n, p);
    if (distance < nearest->distance || (distance == nearest->distance && leaf < nearest->leaf))
        *nearest = (Nearest){distance, distance * distance * AS_NEAR, (int32_t)leaf};
}

KERNEL nearest_triangles(const double *x, const int32_t *of_leaves, const float *nodes, const double *points,
                         int32_t *leaves, int64_t n, int64_t c, int64_t k, int64_t m, int64_t first, int64_t last)
{
    int64_t waiting[DEEPEST], deepest = (k - 1) / 4;
    double bounds[DEEPEST], squared[4];
    for (int64_t point = first; point < last; point++) {
        Row p = row_at(points, m, point);
        Nearest nearest = {INFINITY, INFINITY, 0};
        int depth = 1;
        waiting[0] = 0, bounds[0] = 0.0;
        while (depth) {
            int64_t record = waiting[--depth], below = 4 * record + 1;
            int lanes[4];
            if (bounds[depth] > nearest.limit)
                continue;
            from_boxes(nodes + FOURS * record, p, squared);
            farthest_first(squared, lanes);
            for (int i = 0; i < 4 && record < deepest; i++)
                if (squared[lanes[i]] <= nearest.limit)
                    waiting[depth] = below + lanes[i], bounds[depth++] = squared[lanes[i]];
            for (int i = 3; i >= 0 && record >= deepest; i--)
                if (squared[lanes[i]] <= nearest.limit && below + lanes[i] - k < c)
                    look_at(x, of_leaves, n, p, below + lanes[i] - k, &nearest);
        }
        leaves[point] = nearest.leaf;
    }
}

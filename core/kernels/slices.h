/* SPDX-License-Identifier: GPL-3.0-or-later
   Springs between weighted points, chunk by chunk of what a slice of vertices has. See slices.py. */
#ifndef HOOKE_SLICES_H
#define HOOKE_SLICES_H

#include "kernels.h"

/* Which vertices, of n, springs have, `width` each, and their weights: of all the same where `stride` is 0. */
typedef struct {
    const int32_t *vertices;
    const double *weights;
    int64_t n, width, stride;
} Springs;

/* Which springs a chunk has: those from `first` on, or where it is not null those that `which` lists. */
typedef struct {
    const int32_t *which;
    int64_t first, count;
} Part;

static inline Springs springs_of(const int32_t *vertices, const double *weights, int64_t n, int64_t w, int64_t q)
{
    return (Springs){vertices, weights, n, w, q > 1 ? w : 0};
}

static inline int64_t spring_of(Part part, int64_t i)
{
    return part.which ? part.which[i] : part.first + i;
}

/* Whether a chunk is of edges next to each other, as most are: what is written for all is made for these alone, too. */
static inline int are_edges(Springs springs, Part part)
{
    return springs.width == 2 && springs.stride == 0 && !part.which;
}

static inline void vectors_of(const double *x, Springs springs, Part part, double u[3][CHUNK])
{
    for (int64_t i = 0; i < part.count; i++) {
        int64_t k = spring_of(part, i);
        const int32_t *v = springs.vertices + k * springs.width;
        const double *w = springs.weights + k * springs.stride;
        Row sum = times(w[0], row_at(x, springs.n, v[0]));
        for (int64_t corner = 1; corner < springs.width; corner++)
            sum = plus(sum, w[corner], row_at(x, springs.n, v[corner]));
        u[0][i] = sum.x, u[1][i] = sum.y, u[2][i] = sum.z;
    }
}

static inline void add_vectors(double *out, Springs springs, Part part, int64_t low, int64_t high, double u[3][CHUNK])
{
    for (int64_t i = 0; i < part.count; i++) {
        int64_t k = spring_of(part, i);
        for (int64_t corner = 0; corner < springs.width; corner++) {
            int64_t v = springs.vertices[k * springs.width + corner];
            if (!part.which || (v >= low && v < high))
                add_at(out, springs.n, v, springs.weights[k * springs.stride + corner],
                       (Row){u[0][i], u[1][i], u[2][i]});
        }
    }
}

/* u = sum of w_i x_i of a chunk. */
static inline void point_vectors(const double *x, Springs springs, Part part, double u[3][CHUNK])
{
    if (are_edges(springs, part))
        vectors_of(x, (Springs){springs.vertices, springs.weights, springs.n, 2, 0}, (Part){0, part.first, part.count},
                   u);
    else
        vectors_of(x, springs, part, u);
}

/* Adds the vectors u of a chunk, times the weights, at those of their vertices that lie from low to high. */
static inline void add_to_vertices(double *out, Springs springs, Part part, int64_t low, int64_t high,
                                   double u[3][CHUNK])
{
    if (are_edges(springs, part))
        add_vectors(out, (Springs){springs.vertices, springs.weights, springs.n, 2, 0},
                    (Part){0, part.first, part.count}, low, high, u);
    else
        add_vectors(out, springs, part, low, high, u);
}

/* The next chunk of what a slice of vertices has: first of springs within it, then of those that leave it. */
static inline Part next_part(const int32_t *inner, const int32_t *touching, const int32_t *touched, int64_t slice,
                             int64_t *done)
{
    int64_t within = inner[slice + 1] - inner[slice], beyond = touching[slice + 1] - touching[slice];
    int64_t left = *done < within ? within - *done : within + beyond - *done;
    Part part = {0, inner[slice] + *done, left < CHUNK ? left : CHUNK};
    if (within < 0 || beyond < 0)
        part.count = 0;
    else if (*done >= within)
        part.which = touched + touching[slice] + (*done - within);
    *done += part.count;
    return part;
}

#endif

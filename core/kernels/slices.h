/* SPDX-License-Identifier: GPL-3.0-or-later
   Springs between weighted points, chunk by chunk of what a slice of vertices has. See slices.py. */
#ifndef HOOKE_SLICES_H
#define HOOKE_SLICES_H

#include "kernels.h"

/* Springs whose numbers stay in registers and next to them. */
#define CHUNK 64

/* Which springs a chunk has: those from `first` on, or where it is not null those that `which` lists. */
typedef struct {
    const int32_t *which;
    int64_t first, count;
} Part;

/* u = sum of w_i x_i of count springs from the first on. */
static inline void point_vectors(const double *x, const int32_t *vertices, const double *weights, int64_t n,
                                 int64_t width, int64_t stride, int64_t first, int64_t count, double u[3][CHUNK])
{
    vertices += first * width;
    if (width == 2 && stride == 0) {
        double head = weights[0], tail = weights[1];
        for (int64_t k = 0; k < count; k++) {
            int64_t i = vertices[2 * k], j = vertices[2 * k + 1];
            u[0][k] = head * x[i] + tail * x[j];
            u[1][k] = head * x[n + i] + tail * x[n + j];
            u[2][k] = head * x[2 * n + i] + tail * x[2 * n + j];
        }
        return;
    }
    for (int64_t k = 0; k < count; k++) {
        double a = 0.0, b = 0.0, c = 0.0;
        const double *w = weights + (first + k) * stride;
        for (int64_t corner = 0; corner < width; corner++) {
            int64_t i = vertices[k * width + corner];
            a += w[corner] * x[i];
            b += w[corner] * x[n + i];
            c += w[corner] * x[2 * n + i];
        }
        u[0][k] = a;
        u[1][k] = b;
        u[2][k] = c;
    }
}

static inline int64_t spring_of(Part part, int64_t i)
{
    return part.which ? part.which[i] : part.first + i;
}

/* The same of springs that are listed. */
static inline void listed_vectors(const double *x, const int32_t *vertices, const double *weights, int64_t n,
                                  int64_t width, int64_t stride, Part part, double u[3][CHUNK])
{
    if (!part.which) {
        point_vectors(x, vertices, weights, n, width, stride, part.first, part.count, u);
        return;
    }
    for (int64_t k = 0; k < part.count; k++) {
        double one[3][CHUNK];
        point_vectors(x, vertices, weights, n, width, stride, part.which[k], 1, one);
        u[0][k] = one[0][0];
        u[1][k] = one[1][0];
        u[2][k] = one[2][0];
    }
}

/* Adds the vectors u of a chunk, times the weights, at those of their vertices that lie from low to high. */
static inline void add_to_vertices(double *out, const int32_t *vertices, const double *weights, int64_t n,
                                   int64_t width, int64_t stride, Part part, int64_t low, int64_t high,
                                   double u[3][CHUNK])
{
    if (width == 2 && !part.which) {
        vertices += 2 * part.first, weights += stride * part.first;
        for (int64_t i = 0; i < part.count; i++) {
            int64_t v = vertices[2 * i], w = vertices[2 * i + 1];
            double head = weights[stride * i], tail = weights[stride * i + 1];
            out[v] += head * u[0][i];
            out[n + v] += head * u[1][i];
            out[2 * n + v] += head * u[2][i];
            out[w] += tail * u[0][i];
            out[n + w] += tail * u[1][i];
            out[2 * n + w] += tail * u[2][i];
        }
        return;
    }
    for (int64_t i = 0; i < part.count; i++) {
        int64_t spring = spring_of(part, i);
        for (int64_t corner = 0; corner < width; corner++) {
            int64_t v = vertices[spring * width + corner];
            double w = weights[spring * stride + corner];
            if (v < low || v >= high)
                continue;
            out[v] += w * u[0][i];
            out[n + v] += w * u[1][i];
            out[2 * n + v] += w * u[2][i];
        }
    }
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

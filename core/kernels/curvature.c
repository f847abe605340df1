/* SPDX-License-Identifier: GPL-3.0-or-later
   Products of springs' second derivative. Twin of curvature.py. */
#include "slices.h"

/* The same as of all others, of edges within a slice, which are most. */
static void add_curvature_of_edges(const double *p, const int32_t *vertices, const double *weights,
                                   const double *normals, const double *across, const double *along,
                                   double *restrict out, int64_t n, int64_t m, Part part)
{
    double head = weights[0], tail = weights[1];
    const double *nx = normals, *ny = normals + m, *nz = normals + 2 * m;
    for (int64_t s = part.first; s < part.first + part.count; s++) {
        int64_t i = vertices[2 * s], j = vertices[2 * s + 1];
        double a = head * p[i] + tail * p[j], b = head * p[n + i] + tail * p[n + j];
        double c = head * p[2 * n + i] + tail * p[2 * n + j];
        double pushed = along[s] * (a * nx[s] + b * ny[s] + c * nz[s]), turned = across[s];
        a = turned * a + pushed * nx[s];
        b = turned * b + pushed * ny[s];
        c = turned * c + pushed * nz[s];
        out[i] += head * a;
        out[n + i] += head * b;
        out[2 * n + i] += head * c;
        out[j] += tail * a;
        out[n + j] += tail * b;
        out[2 * n + j] += tail * c;
    }
}

KERNEL add_curvature(const double *p, const int32_t *vertices, const double *weights, const int32_t *inner,
                     const int32_t *touching, const int32_t *touched, const double *normals, const double *across,
                     const double *along, double *out, int64_t n, int64_t m, int64_t w, int64_t q, int64_t s, int64_t e,
                     int64_t first, int64_t last)
{
    double u[3][CHUNK];
    int64_t stride = q > 1 ? w : 0;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t low = slice * VERTICES, high = low + VERTICES < n ? low + VERTICES : n, done = 0;
        for (;;) {
            Part part = next_part(inner, touching, touched, slice, &done);
            if (part.count <= 0)
                break;
            if (!part.which && w == 2 && stride == 0) {
                add_curvature_of_edges(p, vertices, weights, normals, across, along, out, n, m, part);
                continue;
            }
            listed_vectors(p, vertices, weights, n, w, stride, part, u);
            for (int64_t i = 0; i < part.count; i++) {
                int64_t spring = spring_of(part, i);
                double a = normals[spring], b = normals[m + spring], c = normals[2 * m + spring];
                double pushed = along[spring] * (u[0][i] * a + u[1][i] * b + u[2][i] * c), turned = across[spring];
                u[0][i] = turned * u[0][i] + pushed * a;
                u[1][i] = turned * u[1][i] + pushed * b;
                u[2][i] = turned * u[2][i] + pushed * c;
            }
            add_to_vertices(out, vertices, weights, n, w, stride, part, low, high, u);
        }
    }
}

/* What an increment changes the pull of a spring by, times the weights of its vertices, in lanes. */
static inline Lanes bent_lanes(Lanes u, Lanes n, const float *stiff)
{
    Lanes d = u * n;
    return of(stiff[0]) * u + of(stiff[1] * ((d[0] + d[1]) + d[2])) * n;
}

KERNEL add_curvature_lanes(const float *p, const int32_t *vertices, const double *weights, const int32_t *inner,
                           const int32_t *touching, const int32_t *touched, const float *directions, const float *stiff,
                           const float *free, const float *r, float *out, double *sums, int64_t n, int64_t m, int64_t w,
                           int64_t q, int64_t s, int64_t e, int64_t first, int64_t last)
{
    const Lanes *from = (const Lanes *)(const void *)p, *normal = (const Lanes *)(const void *)directions;
    const Lanes *left = (const Lanes *)(const void *)r;
    Lanes *to = (Lanes *)(void *)out;
    int64_t stride = q > 1 ? w : 0;
    int edges = w == 2 && stride == 0 && m > 0 && weights[0] == 1.0 && weights[1] == -1.0;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t low = slice * VERTICES, high = low + VERTICES < n ? low + VERTICES : n, done = 0;
        for (;;) {
            Part part = next_part(inner, touching, touched, slice, &done);
            if (part.count <= 0)
                break;
            for (int64_t i = 0; i < part.count && edges && !part.which; i++) {
                int64_t k = part.first + i, head = vertices[2 * k], tail = vertices[2 * k + 1];
                Lanes f = bent_lanes(from[head] - from[tail], normal[k], stiff + 2 * k);
                to[head] += f;
                to[tail] -= f;
            }
            for (int64_t i = 0; i < part.count && !(edges && !part.which); i++) {
                int64_t k = spring_of(part, i);
                Lanes u = of(0.0f);
                for (int64_t corner = 0; corner < w; corner++)
                    u += of((float)weights[k * stride + corner]) * from[vertices[k * w + corner]];
                Lanes f = bent_lanes(u, normal[k], stiff + 2 * k);
                for (int64_t corner = 0; corner < w; corner++) {
                    int64_t v = vertices[k * w + corner];
                    if (v >= low && v < high)
                        to[v] += of((float)weights[k * stride + corner]) * f;
                }
            }
        }
        double curved[4] = {0.0, 0.0, 0.0, 0.0}, sloped[4] = {0.0, 0.0, 0.0, 0.0};
        for (int64_t v = low; v < high; v++)
            for (int64_t lane = 0; lane < 4; lane++) {
                curved[lane] += (double)(from[v][lane]) * (double)(free[v] * to[v][lane]);
                sloped[lane] += (double)(from[v][lane]) * (double)(left[v][lane]);
            }
        sums[2 * slice] = (curved[0] + curved[1]) + (curved[2] + curved[3]);
        sums[2 * slice + 1] = (sloped[0] + sloped[1]) + (sloped[2] + sloped[3]);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   Products of springs' second derivative. Twin of curvature.py. */
#include "slices.h"

KERNEL add_curvature(const double *p, const int32_t *vertices, const double *weights, const int32_t *inner,
                     const int32_t *touching, const int32_t *touched, const float *directions, const float *stiff,
                     double *out, int64_t n, int64_t m, int64_t w, int64_t q, int64_t s, int64_t e, int64_t first,
                     int64_t last)
{
    double u[3][CHUNK];
    Springs springs = springs_of(vertices, weights, n, w, q);
    for (int64_t slice = first; slice < last; slice++) {
        int64_t low = slice * VERTICES, high = end_of(slice, n), done = 0;
        for (;;) {
            Part part = next_part(inner, touching, touched, slice, &done);
            if (part.count <= 0)
                break;
            point_vectors(p, springs, part, u);
            for (int64_t i = 0; i < part.count; i++) {
                int64_t spring = spring_of(part, i);
                const float *d = directions + 4 * spring;
                Row normal = {d[0], d[1], d[2]}, own = {u[0][i], u[1][i], u[2][i]};
                double pushed = stiff[2 * spring + 1] * dot(own, normal);
                Row pull = plus(times(stiff[2 * spring], own), pushed, normal);
                u[0][i] = pull.x, u[1][i] = pull.y, u[2][i] = pull.z;
            }
            add_to_vertices(out, springs, part, low, high, u);
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
    const Lanes *from = lanes_at(p), *normal = lanes_at(directions), *left = lanes_at(r);
    Lanes *to = lanes_to(out);
    int64_t stride = q > 1 ? w : 0;
    int edges = w == 2 && stride == 0 && m > 0 && weights[0] == 1.0 && weights[1] == -1.0;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t low = slice * VERTICES, high = end_of(slice, n), done = 0;
        for (;;) {
            Part part = next_part(inner, touching, touched, slice, &done);
            if (part.count <= 0)
                break;
            for (int64_t i = 0; i < part.count && edges && !part.which; i++) {
                int64_t k = part.first + i, head = vertices[2 * k], tail = vertices[2 * k + 1];
                Lanes f = bent_lanes(from[head] - from[tail], normal[k], stiff + 2 * k);
                to[head] += f, to[tail] -= f;
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

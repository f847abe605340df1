/* SPDX-License-Identifier: GPL-3.0-or-later
   Springs between weighted points: what they pull with, their energy and their second derivative. Twin of springs.py. */
#include "kernels.h"

/* Springs whose energies are added one after the other, and springs whose numbers stay in registers and next to them. */
#define SLICE 4096
#define CHUNK 64
#define SHORTEST 1e-150

/* u = sum of w_i x_i of count springs from the first on. */
static void point_vectors(const double *x, const int32_t *vertices, const double *weights, int64_t n, int64_t width,
                          int64_t stride, int64_t first, int64_t count, double u[3][CHUNK])
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

KERNEL point_differences(const double *x, const int32_t *vertices, const double *weights, double *u, int64_t n,
                         int64_t m, int64_t w, int64_t q, int64_t first, int64_t last)
{
    double buffer[3][CHUNK];
    for (int64_t start = first; start < last; start += CHUNK) {
        int64_t count = last - start < CHUNK ? last - start : CHUNK;
        point_vectors(x, vertices, weights, n, w, q > 1 ? w : 0, start, count, buffer);
        for (int64_t axis = 0; axis < 3; axis++)
            memcpy(u + axis * m + start, buffer[axis], (size_t)count * sizeof(double));
    }
}

KERNEL spring_pulls(const double *x, const int32_t *vertices, const double *weights, const double *stiffness,
                    const double *rest_lengths, const double *damping, const double *begun, const double *held,
                    const double *beyond, const double *limits, double *pulls, double *resting, double *normals,
                    double *across, double *along, double *energies, int64_t n, int64_t m, int64_t w, int64_t q, int64_t d,
 int64_t h, int64_t b, int64_t f, int64_t c, int64_t s, int64_t first, int64_t last)
{
    double u[3][CHUNK], length[CHUNK], stretch[CHUNK], tension[CHUNK], rate[CHUNK], energy[CHUNK], other[CHUNK];
    (void)s;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t end = (slice + 1) * SLICE < m ? (slice + 1) * SLICE : m;
        double total = 0.0, total_held = 0.0;
        for (int64_t start = slice * SLICE; start < end; start += CHUNK) {
            int64_t count = end - start < CHUNK ? end - start : CHUNK;
            const double *k = stiffness + start, *rest = rest_lengths + start;
            point_vectors(x, vertices, weights, n, w, q > 1 ? w : 0, start, count, u);
            for (int64_t i = 0; i < count; i++) {
                double size = sqrt(u[0][i] * u[0][i] + u[1][i] * u[1][i] + u[2][i] * u[2][i]);
                stretch[i] = size - rest[i];
                tension[i] = k[i] * stretch[i];
                energy[i] = 0.5 * tension[i] * stretch[i];
                length[i] = size + SHORTEST;
            }
            if (b)
                for (int64_t i = 0; i < count; i++) {
                    double more = stretch[i] - limits[start + i];
                    more = more > 0.0 ? beyond[start + i] * more : 0.0;
                    energy[i] += 0.5 * more * (stretch[i] - limits[start + i]);
                    tension[i] += more;
                }
            for (int64_t i = 0; i < count; i++)
                other[i] = energy[i];
            if (d) {
                const double *was = begun + start, *mu = damping + start;
                for (int64_t i = 0; i < count; i++) {
                    rate[i] = (u[0][i] * (u[0][i] - was[i]) + u[1][i] * (u[1][i] - was[m + i]) +
                               u[2][i] * (u[2][i] - was[2 * m + i])) /
                              length[i];
                    tension[i] += mu[i] * rate[i];
                    energy[i] += 0.5 * mu[i] * rate[i] * rate[i];
                }
                if (h)
                    for (int64_t axis = 0; axis < 3; axis++)
                        for (int64_t i = 0; i < count; i++) {
                            double away = u[axis][i] - held[axis * m + start + i];
                            other[i] += 0.5 * mu[i] * away * away;
                            resting[axis * m + start + i] = u[axis][i] - u[axis][i] * (rate[i] / length[i]);
                        }
                else
                    for (int64_t i = 0; i < count; i++)
                        other[i] = energy[i];
            }
            for (int64_t i = 0; i < count; i++) {
                total += energy[i];
                total_held += other[i];
            }
            for (int64_t i = 0; i < count; i++)
                rate[i] = 1.0 / length[i];
            if (c)
                for (int64_t i = 0; i < count; i++) {
                    double turn = tension[i] * rate[i];
                    turn = length[i] == SHORTEST ? k[i] : turn;
                    turn = turn <= 0.0 ? 0.0 : turn;
                    across[start + i] = turn;
                    along[start + i] = k[i] - turn + (d ? damping[start + i] : 0.0);
                    normals[start + i] = u[0][i] * rate[i];
                    normals[m + start + i] = u[1][i] * rate[i];
                    normals[2 * m + start + i] = u[2][i] * rate[i];
                }
            if (f)
                for (int64_t i = 0; i < count; i++) {
                    double scale = tension[i] * rate[i];
                    pulls[start + i] = scale * u[0][i];
                    pulls[m + start + i] = scale * u[1][i];
                    pulls[2 * m + start + i] = scale * u[2][i];
                }
        }
        energies[2 * slice] = total;
        energies[2 * slice + 1] = total_held;
    }
}

KERNEL curvature_pulls(const double *p, const int32_t *vertices, const double *weights, const double *normals,
 const double *across, const double *along, double *pulls, int64_t n, int64_t m,
 int64_t w, int64_t q, int64_t first, int64_t last)
{
    double u[3][CHUNK];
    for (int64_t start = first; start < last; start += CHUNK) {
        int64_t count = last - start < CHUNK ? last - start : CHUNK;
        point_vectors(p, vertices, weights, n, w, q > 1 ? w : 0, start, count, u);
        const double *a = normals + start, *b = a + m, *c = b + m;
        for (int64_t s = 0; s < count; s++) {
            double pushed = along[start + s] * (u[0][s] * a[s] + u[1][s] * b[s] + u[2][s] * c[s]);
            double turned = across[start + s];
            pulls[start + s] = turned * u[0][s] + pushed * a[s];
            pulls[m + start + s] = turned * u[1][s] + pushed * b[s];
            pulls[2 * m + start + s] = turned * u[2][s] + pushed * c[s];
        }
    }
}

KERNEL add_at_points(const int32_t *starts, const int32_t *springs, const double *weights, const double *pulls,
                     double *out, int64_t n, int64_t e, int64_t a, int64_t m, int64_t first, int64_t last)
{
    (void)e;
    if (a == 3) {
        for (int64_t v = first; v < last; v++) {
            double sum[3] = {0.0, 0.0, 0.0};
            for (int64_t entry = starts[v]; entry < starts[v + 1]; entry++) {
                int64_t s = springs[entry];
                double w = weights[entry];
                sum[0] += w * pulls[s];
                sum[1] += w * pulls[m + s];
                sum[2] += w * pulls[2 * m + s];
            }
            out[v] += sum[0];
            out[n + v] += sum[1];
            out[2 * n + v] += sum[2];
        }
        return;
    }
    for (int64_t axis = 0; axis < a; axis++)
        for (int64_t v = first; v < last; v++) {
            double total = 0.0;
            for (int64_t entry = starts[v]; entry < starts[v + 1]; entry++)
                total += weights[entry] * pulls[axis * m + springs[entry]];
            out[axis * n + v] += total;
        }
}

/* Vertices whose energies are added one after the other. */
#define VERTICES 1024

KERNEL add_linear(const int32_t *starts, const int32_t *columns, const double *entries, const double *x,
                  const double *origin, double *out, double *energies, int64_t n, int64_t e, int64_t s,
                  int64_t first, int64_t last)
{
    double p = origin[0], q = origin[1], r = origin[2];
    (void)e, (void)s;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t end = (slice + 1) * VERTICES < n ? (slice + 1) * VERTICES : n;
        double total = 0.0;
        for (int64_t v = slice * VERTICES; v < end; v++) {
            double a = 0.0, b = 0.0, c = 0.0;
            for (int64_t entry = starts[v]; entry < starts[v + 1]; entry++) {
                int64_t j = columns[entry];
                double w = entries[entry];
                a += w * (x[j] - p);
                b += w * (x[n + j] - q);
                c += w * (x[2 * n + j] - r);
            }
            total += a * (x[v] - p) + b * (x[n + v] - q) + c * (x[2 * n + v] - r);
            out[v] += a;
            out[n + v] += b;
            out[2 * n + v] += c;
        }
        energies[slice] = 0.5 * total;
    }
}

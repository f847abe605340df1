/* SPDX-License-Identifier: GPL-3.0-or-later
   The inertia of air: waves on a surface, and its normals. Twin of air.py. */
#include "kernels.h"

#define WAVES 16

KERNEL sum_waves(const double *directions, const double *waves, const double *p, double *sums, int64_t n, int64_t s,
                 int64_t first, int64_t last)
{
    for (int64_t slice = first; slice < last; slice++) {
        double total[WAVES] = {0.0};
        for (int64_t i = slice * VERTICES; i < end_of(slice, n); i++) {
            double by = directions[i] * p[i] + directions[n + i] * p[n + i] + directions[2 * n + i] * p[2 * n + i];
            for (int64_t wave = 0; wave < WAVES; wave++)
                total[wave] += by * waves[WAVES * i + wave];
        }
        memcpy(sums + WAVES * slice, total, sizeof total);
    }
}

KERNEL spread_waves(const double *directions, const double *waves, const double *numbers, const double *scale,
                    double *out, int64_t n, int64_t q, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        double lanes[4] = {0.0, 0.0, 0.0, 0.0};
        for (int64_t wave = 0; wave < WAVES; wave += 4)
            for (int64_t lane = 0; lane < 4; lane++)
                lanes[lane] += numbers[wave + lane] * waves[WAVES * i + wave + lane];
        double by = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) * scale[q > 1 ? i : 0];
        add_at(out, n, i, by, row_at(directions, n, i));
    }
}

KERNEL sum_waves_lanes(const float *directions, const float *waves, const float *p, double *sums, int64_t n, int64_t s,
                       int64_t first, int64_t last)
{
    for (int64_t slice = first; slice < last; slice++) {
        double total[WAVES] = {0.0};
        for (int64_t start = slice * VERTICES; start < end_of(slice, n); start += CHUNK) {
            int64_t end = start + CHUNK < end_of(slice, n) ? start + CHUNK : end_of(slice, n);
            Lanes part[WAVES / 4] = {{0.0f}};
            for (int64_t i = start; i < end; i++) {
                const Lanes *wave = lanes_at(waves + WAVES * i);
                const float *d = directions + 4 * i, *x = p + 4 * i;
                Lanes by = of(d[0] * x[0] + d[1] * x[1] + d[2] * x[2]);
                for (int64_t four = 0; four < WAVES / 4; four++)
                    part[four] += by * wave[four];
            }
            for (int64_t wave = 0; wave < WAVES; wave++)
                total[wave] += (double)part[wave / 4][wave % 4];
        }
        memcpy(sums + WAVES * slice, total, sizeof total);
    }
}

KERNEL spread_waves_lanes(const float *directions, const float *waves, const float *numbers, float *out, int64_t n,
                          int64_t first, int64_t last)
{
    const Lanes *own = lanes_at(numbers);
    for (int64_t i = first; i < last; i++) {
        const Lanes *wave = lanes_at(waves + WAVES * i);
        Lanes sum = (own[0] * wave[0] + own[1] * wave[1]) + (own[2] * wave[2] + own[3] * wave[3]);
        lanes_to(out)[i] += of((sum[0] + sum[1]) + (sum[2] + sum[3])) * lanes_at(directions)[i];
    }
}

KERNEL sum_columns(const float *columns, const float *field, double *sums, int64_t n, int64_t s, int64_t first,
                   int64_t last)
{
    for (int64_t slice = first; slice < last; slice++) {
        double *total = sums + 4 * WAVES * slice;
        memset(total, 0, 4 * WAVES * sizeof(double));
        for (int64_t start = slice * VERTICES; start < end_of(slice, n); start += CHUNK) {
            int64_t end = start + CHUNK < end_of(slice, n) ? start + CHUNK : end_of(slice, n);
            Lanes part[WAVES] = {{0.0f}};
            for (int64_t i = start; i < end; i++) {
                Lanes here = lanes_at(field)[i];
                for (int64_t column = 0; column < WAVES; column++)
                    part[column] += of(columns[WAVES * i + column]) * here;
            }
            for (int64_t column = 0; column < WAVES; column++)
                for (int64_t lane = 0; lane < 4; lane++)
                    total[4 * column + lane] += (double)part[column][lane];
        }
    }
}

KERNEL spread_columns(const float *columns, const float *numbers, float *out, int64_t n, int64_t first, int64_t last)
{
    const Lanes *number = lanes_at(numbers);
    for (int64_t i = first; i < last; i++) {
        Lanes even = of(0.0f), odd = of(0.0f);
        for (int64_t column = 0; column < WAVES; column += 2) {
            even += of(columns[WAVES * i + column]) * number[column];
            odd += of(columns[WAVES * i + column + 1]) * number[column + 1];
        }
        lanes_to(out)[i] += even + odd;
    }
}

KERNEL triangle_normals(const double *x, const double *v, double dt, const int32_t *triangles, double *across,
                        int64_t n, int64_t m, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++) {
        Row at[3];
        for (int64_t corner = 0; corner < 3; corner++) {
            int64_t vertex = triangles[3 * k + corner];
            at[corner] = plus(row_at(x, n, vertex), dt, row_at(v, n, vertex));
        }
        Row normal = cross(plus(at[1], -1.0, at[0]), plus(at[2], -1.0, at[0]));
        memcpy(across + 3 * k, &normal, sizeof normal);
    }
}

KERNEL vertex_normals(const int32_t *starts, const int32_t *around, const double *across, const double *sizes,
                      double *normals, int64_t n, int64_t e, int64_t m, int64_t q, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        Row sum = {0.0, 0.0, 0.0}, one;
        for (int64_t entry = starts[i]; entry < starts[i + 1]; entry++) {
            memcpy(&one, across + 3 * (int64_t)around[entry], sizeof one);
            sum = plus(sum, 1.0, one);
        }
        double length = sqrt(dot(sum, sum)), size = sizes[q > 1 ? i : 0];
        row_to(normals, n, i, length < LEAST ? (Row){0.0, 0.0, size} : times(size / length, sum));
    }
}

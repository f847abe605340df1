/* SPDX-License-Identifier: GPL-3.0-or-later
   Fields in single precision, x, y and z of a vertex next to each other. Twin of lanes.py. */
#include "kernels.h"

KERNEL to_lanes(const double *rows, double factor, float *out, int64_t n, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        Row row = times(factor, row_at(rows, n, i));
        lanes_to(out)[i] = (Lanes){(float)row.x, (float)row.y, (float)row.z, 0.0f};
    }
}

KERNEL from_lanes(const float *field, double factor, double *out, int64_t n, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        row_to(out, n, i, times(factor, (Row){field[4 * i], field[4 * i + 1], field[4 * i + 2]}));
}

KERNEL dot_lanes(const float *a, const float *b, double *sums, int64_t n, int64_t s, int64_t first, int64_t last)
{
    for (int64_t slice = first; slice < last; slice++) {
        double lanes[4] = {0.0, 0.0, 0.0, 0.0};
        for (int64_t i = 4 * slice * VERTICES; i < 4 * end_of(slice, n); i += 4)
            for (int64_t lane = 0; lane < 4; lane++)
                lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
        sums[slice] = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    }
}

KERNEL follow_lanes(const float *z, const float *factors, float *p, int64_t n, int64_t l, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        lanes_to(p)[i] = lanes_at(p)[i] * of(factors[l > 1 ? i : 0]) + lanes_at(z)[i];
}

KERNEL advance_lanes(const float *p, const float *change, const float *free, const float *lengths, float *step,
                     float *r, int64_t n, int64_t l, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        float length = lengths[l > 1 ? i : 0], by = length * free[i];
        for (int64_t lane = 4 * i; lane < 4 * i + 4; lane++)
            step[lane] += length * p[lane], r[lane] -= by * change[lane];
    }
}

KERNEL multiply_linear(const int32_t *starts, const int32_t *columns, const float *entries, const float *diagonal,
                       const float *p, float *out, int64_t n, int64_t e, int64_t first, int64_t last)
{
    const Lanes *from = lanes_at(p);
    Lanes *to = lanes_to(out);
    for (int64_t v = first; v < last; v++) {
        Lanes a = of(diagonal[v]) * from[v], b = of(0.0f);
        int64_t entry = starts[v], end = starts[v + 1];
        for (; entry + 2 <= end; entry += 2) {
            a += of(entries[entry]) * from[columns[entry]];
            b += of(entries[entry + 1]) * from[columns[entry + 1]];
        }
        if (entry < end)
            a += of(entries[entry]) * from[columns[entry]];
        to[v] = a + b;
    }
}

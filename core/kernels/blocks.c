/* SPDX-License-Identifier: GPL-3.0-or-later
   Blocks of 3 by 3 on a symmetric matrix's diagonal. Twin of blocks.py. */
#include "kernels.h"

KERNEL add_spring_blocks(const int32_t *starts, const int32_t *springs, const double *weights, const float *directions,
                         const float *stiff, const double *stiffness, double least, double *out, int64_t n, int64_t e,
                         int64_t m, int64_t first, int64_t last)
{
    for (int64_t v = first; v < last; v++) {
        double sum[6] = {0.0};
        for (int64_t entry = starts[v]; entry < starts[v + 1]; entry++) {
            int64_t k = springs[entry];
            double x = directions[4 * k], y = directions[4 * k + 1], z = directions[4 * k + 2], w = weights[entry];
            double along = w * stiff[2 * k + 1], across = stiff[2 * k], most = least * stiffness[k];
            across = w * (across > most ? across : most);
            double block[6] = {along * x * x + across, along * y * y + across, along * z * z + across,
                               along * x * y,          along * y * z,          along * z * x};
            for (int64_t row = 0; row < 6; row++)
                sum[row] += block[row];
        }
        for (int64_t row = 0; row < 6; row++)
            out[row * n + v] += sum[row];
    }
}

KERNEL factor_blocks(const double *blocks, const double *least, float *factors, int64_t n, int64_t first, int64_t last)
{
    for (int64_t v = first; v < last; v++) {
        double xy = blocks[3 * n + v], yz = blocks[4 * n + v], zx = blocks[5 * n + v], low = least[v];
        double one = blocks[v] > low ? blocks[v] : low, yx = xy / one, rest = yz - yx * zx;
        double two = blocks[n + v] - yx * xy > low ? blocks[n + v] - yx * xy : low, zy = rest / two;
        double three = blocks[2 * n + v] - zx / one * zx - zy * rest;
        three = three > low ? three : low;
        double all[8] = {yx, zx / one, zy, 0.0, 1.0 / one, 1.0 / two, 1.0 / three, 0.0};
        for (int64_t entry = 0; entry < 8; entry++)
            factors[8 * v + entry] = (float)all[entry];
    }
}

KERNEL add_block_solve(const float *factors, const float *r, float *z, int64_t n, int64_t first, int64_t last)
{
    for (int64_t v = first; v < last; v++) {
        const float *f = factors + 8 * v, *b = r + 4 * v;
        float y = b[1] - f[0] * b[0], w = f[6] * (b[2] - f[1] * b[0] - f[2] * y);
        y = f[5] * y - f[2] * w;
        z[4 * v] += f[4] * b[0] - f[0] * y - f[1] * w, z[4 * v + 1] += y, z[4 * v + 2] += w;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   Value noise. Twin of noise.py: the same sums and products in the same order, so the same bits. */
#include "kernels.h"

#define SIDE 32

static inline int64_t along(double cell, int64_t stride)
{
    double whole = fabs(cell) < 4503599627370496.0 ? cell : 0.0;
    return ((int64_t)whole & (SIDE - 1)) * stride;
}

static inline double blend(double one, double other, double share)
{
    return one + share * (other - one);
}

KERNEL add_noise(const double *x, const double *values, double scale, double amplitude, double *out, int64_t n,
                 int64_t first, int64_t last)
{
    static const int64_t strides[3] = {SIDE * SIDE, SIDE, 1};
    for (int64_t i = first; i < last; i++) {
        int64_t low[3], high[3];
        double share[3];
        for (int64_t axis = 0; axis < 3; axis++) {
            double place = scale * x[axis * n + i], cell = floor(place), s = place - cell;
            low[axis] = along(cell, strides[axis]);
            high[axis] = along(cell + 1.0, strides[axis]);
            share[axis] = s * s * s * (s * (6.0 * s - 15.0) + 10.0);
        }
        for (int64_t axis = 0; axis < 3; axis++) {
            const double *of_axis = values + axis * SIDE * SIDE * SIDE;
            double sides[2];
            for (int64_t side = 0; side < 2; side++) {
                int64_t at = side ? high[0] : low[0];
                double near = blend(of_axis[at + low[1] + low[2]], of_axis[at + low[1] + high[2]], share[2]);
                double far = blend(of_axis[at + high[1] + low[2]], of_axis[at + high[1] + high[2]], share[2]);
                sides[side] = blend(near, far, share[1]);
            }
            out[axis * n + i] += amplitude * blend(sides[0], sides[1], share[0]);
        }
    }
}

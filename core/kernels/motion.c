/* SPDX-License-Identifier: GPL-3.0-or-later
   Where inertia leads, what it pulls with, and the motion that an end makes. Twin of motion.py. */
#include "kernels.h"

KERNEL inertial_place(const double *x, const double *v, const double *past_x, const double *past_v, const double *force,
                      const double *masses, double a, double *start, double *y, int64_t n, int64_t b, int64_t first,
                      int64_t last)
{
    /* Backward Euler has no past: what is now serves for it. */
    const double *old_x = b ? past_x : x, *old_v = b ? past_v : v;
    for (int64_t i = first; i < last; i++) {
        double way = a * a / masses[i];
        for (int64_t axis = 0, k = 3 * i; axis < 3; axis++, k++) {
            start[axis * n + i] = x[k] + (x[k] - old_x[k]) / 3.0;
            y[axis * n + i] = force[k] * way + start[axis * n + i] + a * (v[k] + (v[k] - old_v[k]) / 3.0);
        }
    }
}

KERNEL balanced_shares(const double *v, const double *past_v, const double *force, const double *masses,
                       const uint8_t *solid, double dt, double *shares, int64_t n, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        double followed = 0.0, square = DBL_MIN, mass = 1.0 / masses[i];
        for (int64_t k = 3 * i; k < 3 * i + 3; k++) {
            followed += (v[k] - past_v[k]) * force[k] * mass;
            square += force[k] * mass * force[k] * mass;
        }
        double share = followed / (dt * square);
        shares[i] = solid[i] ? 0.0 : 1.0 - (share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share);
    }
}

KERNEL balanced_acceleration(const double *force, const double *masses, const int32_t *starts, const int32_t *joined,
                             const double *shares, double *held, int64_t n, int64_t e, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        double sum = 0.0, count = (double)(starts[i + 1] - starts[i]);
        for (int64_t entry = starts[i]; entry < starts[i + 1]; entry++)
            sum += shares[joined[entry]];
        Row row = {force[3 * i], force[3 * i + 1], force[3 * i + 2]};
        row_to(held, n, i, times(count > 0.0 ? sum / (count * masses[i]) : shares[i] / masses[i], row));
    }
}

KERNEL add_inertia(const double *x, const double *y, const double *inertia, double *pull, double *gradient,
                   double *energies, int64_t n, int64_t p, int64_t s, int64_t first, int64_t last)
{
    double energy[CHUNK];
    for (int64_t slice = first; slice < last; slice++) {
        double total = 0.0;
        for (int64_t low = slice * VERTICES; low < end_of(slice, n); low += CHUNK) {
            int64_t count = end_of(slice, n) - low < CHUNK ? end_of(slice, n) - low : CHUNK;
            for (int64_t axis = 0; axis < 3; axis++) {
                const double *from = x + axis * n + low, *to = y + axis * n + low;
                for (int64_t i = 0; i < count; i++)
                    energy[i] = inertia[low + i] * (from[i] - to[i]) * (from[i] - to[i]);
                total += sum_of(energy, count);
                for (int64_t i = 0; i < count && p; i++) {
                    pull[axis * n + low + i] = inertia[low + i] * (from[i] - to[i]);
                    gradient[axis * n + low + i] += inertia[low + i] * (from[i] - to[i]);
                }
            }
        }
        energies[slice] = 0.5 * total;
    }
}

KERNEL ended_motion(const double *end, const double *start, double a, double *x, double *v, int64_t n, int64_t first,
                    int64_t last)
{
    for (int64_t i = first; i < last; i++)
        for (int64_t axis = 0; axis < 3; axis++)
            x[3 * i + axis] = end[axis * n + i], v[3 * i + axis] = (end[axis * n + i] - start[axis * n + i]) / a;
}

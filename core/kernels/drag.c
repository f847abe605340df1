/* SPDX-License-Identifier: GPL-3.0-or-later
   What air takes of the motion of triangles and strands. Twin of drag.py. */
#include "kernels.h"

#define LEAST 1e-300

static inline Row mean_of(const double *field, int64_t n, const int32_t *corners)
{
    Row sum = row_at(field, n, corners[0]);
    sum = plus(sum, 1.0, row_at(field, n, corners[1]));
    return plus(sum, 1.0, row_at(field, n, corners[2]));
}

KERNEL triangle_motion(const double *x, const double *v, const double *gained, const int32_t *triangles, double *axes,
                       double *u, double *gains, int64_t n, int64_t m, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++) {
        const int32_t *at = triangles + 3 * k;
        Row a = row_at(x, n, at[0]), more = mean_of(gained, n, at);
        Row axis = times(0.5, cross(plus(row_at(x, n, at[1]), -1.0, a), plus(row_at(x, n, at[2]), -1.0, a)));
        row_to(axes, m, k, axis);
        row_to(u, m, k, times(1.0 / 3.0, mean_of(v, n, at)));
        gains[k] = dot(more, axis) / (3.0 * larger(sqrt(dot(axis, axis)), LEAST));
    }
}

/* See `_swinging` in drag.py. */
static inline double swinging(double s, double gain, double other, double steady, double least, double pace)
{
    double after = fabs(s) / (1.0 + steady), before = fabs(s) - copysign(gain, gain * s);
    double w = larger(before - after, 0.0), aslant = s * s / larger(s * s + other * other, LEAST);
    return aslant * w / larger(w + least * after + pace * (after * after + other * other), LEAST);
}

KERNEL drag(const double *axes, const double *u, const double *gains, const double *mobilities, const double *lift,
            const double *widths, const double *presence, const double *law, double *found, int64_t m, int64_t p,
            int64_t q, int64_t r, int64_t first, int64_t last)
{
    double along = law[0], beside = law[1], always = law[2], swing = law[3], dt = law[4], pace = law[5];
    double slowing = law[6];
    for (int64_t k = first; k < last; k++) {
        Row axis = row_at(axes, m, k), own = row_at(u, m, k);
        double size = sqrt(dot(axis, axis)), limit = dt * mobilities[k];
        Row unit = times(1.0 / larger(size, LEAST), axis);
        double s = dot(own, unit);
        Row across = plus(own, -s, unit);
        double other = sqrt(dot(across, across));
        size *= presence[r > 1 ? k : 0];
        double flat = along * (fabs(s) + always), lifted = lift[p > 1 ? k : 0] * other;
        double rate = size * sqrt(flat * flat + lifted * lifted);
        if (swing > 0.0) {
            double all = size * along * swing, wide = widths[q > 1 ? k : 0];
            rate += all * swinging(s, gains[k], other, limit * rate, limit * all / slowing, pace / wide);
        }
        double slow = size * beside * (other + always);
        Row force = times(-rate * s / (1.0 + limit * rate), unit);
        row_to(found, m, k, plus(force, -slow / (1.0 + limit * slow), across));
    }
}

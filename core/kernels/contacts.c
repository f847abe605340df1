/* SPDX-License-Identifier: GPL-3.0-or-later
   Contacts that are linearised: forces, energy, second derivative, impulses. Twin of contacts.py. */
#include "kernels.h"

#define STIFFENS 3.0
#define OUTSIDE 0.5

/* u = sum of w_i x_i of one contact. */
static inline Row difference(const double *x, const int32_t *corners, const double *weights, int64_t n)
{
    Row u = {0.0, 0.0, 0.0};
    for (int corner = 0; corner < 4; corner++)
        if (weights[corner] != 0.0)
            u = plus(u, weights[corner], row_at(x, n, corners[corner]));
    return u;
}

static inline void add_to_corners(double *out, const int32_t *corners, const double *weights, int64_t n, Row pull)
{
    for (int corner = 0; corner < 4; corner++)
        if (weights[corner] != 0.0)
            add_at(out, n, corners[corner], weights[corner], pull);
}

/* Normal force, energy and second derivative at a gap. */
static inline double push(double gap, double stiffness, double depth, double *energy, double *active)
{
    *active = 0.0, *energy = gap == gap ? 0.0 : gap;
    if (!(gap < 0.0))
        return *energy;
    double share = -gap / depth < STIFFENS ? -gap / depth : STIFFENS, within = share * depth;
    double beyond = -gap - within, force = stiffness * within * (1.0 + share * share);
    *active = stiffness * (1.0 + 3.0 * share * share);
    *energy = stiffness * within * within * (0.5 + 0.25 * share * share) + (force + 0.5 * *active * beyond) * beyond;
    return force + *active * beyond;
}

/* Friction of what slid so far, its energy, and its second derivative. */
static inline double friction(Row slid, Row before, double stiffness, double limit, Row *rubs, double *stick,
                              Row *slope)
{
    Row tried = plus(before, -stiffness, slid);
    double size = sqrt(dot(tried, tried)), share = 1.0, energy = 0.5 * size * size;
    *slope = times(size >= limit && limit > 0.0 ? 1.0 / larger(size, LEAST) : 0.0, tried);
    if (size >= limit)
        share = limit / larger(size, LEAST), energy = limit * (size - 0.5 * limit);
    *rubs = times(share, tried), *stick = share * stiffness;
    return stiffness > 0.0 ? energy / stiffness : 0.0;
}

KERNEL begin_contacts(const double *x, const double *start, const int32_t *corners, const double *weights,
                      const double *normals, const double *offsets, const double *carried, const double *depths,
                      const double *firmness, const double *inverse_masses, const double *springs,
                      const double *pressed, const double *rubbed, double inertial, double elastic, double share,
                      double *stiffness, double *offset, double *loads, double *sticking, double *total, int64_t n,
                      int64_t m, int64_t first, int64_t last)
{
    double energy, active;
    memset(total, 0, (size_t)n * sizeof *total);
    for (int64_t k = 0; k < m; k++) {
        const int32_t *at = corners + 4 * k;
        const double *w = weights + 4 * k;
        double moved = 0.0, held = 0.0;
        for (int corner = 0; corner < 4; corner++)
            moved += w[corner] * w[corner] * inverse_masses[at[corner]],
                held += w[corner] * w[corner] * springs[at[corner]];
        stiffness[k] = moved > 0.0 ? firmness[k] * (inertial / moved + elastic * held) : 0.0;
        row_to(offset, m, k, plus(times(share, row_at(carried, m, k)), -1.0, difference(start, at, w, n)));
        double gap = dot(row_at(normals, m, k), difference(x, at, w, n)) + offsets[k];
        double barely = gap < depths[k] ? 1e-9 * stiffness[k] * depths[k] : 0.0;
        loads[k] = larger(push(gap, stiffness[k], depths[k], &energy, &active), barely);
        for (int corner = 0; corner < 4; corner++)
            total[at[corner]] += fabs(w[corner]) * loads[k];
    }
    for (int64_t k = 0; k < m; k++) {
        const int32_t *at = corners + 4 * k;
        const double *w = weights + 4 * k;
        double shares[4], sides[2] = {0.0, 0.0};
        for (int corner = 0; corner < 4; corner++)
            if (w[corner] != 0.0)
                sides[w[corner] > 0.0] = 1.0;
        for (int corner = 0; corner < 4; corner++)
            shares[corner] = w[corner] * loads[k] / larger(total[at[corner]], LEAST) / larger(sides[0] + sides[1], 1.0);
        Row normal = row_at(normals, m, k);
        loads[k] = larger(dot(normal, difference(pressed, at, shares, n)), 0.0);
        Row rubbing = difference(rubbed, at, shares, n);
        row_to(sticking, m, k, plus(rubbing, -dot(normal, rubbing), normal));
    }
}

KERNEL add_contact_pulls(const double *x, const int32_t *corners, const double *weights, const double *normals,
                         const double *offsets, const double *stiffness, const double *depths, const double *offset,
                         const double *sticking, const double *limits, double firm, double *out, double *blocks,
                         double *forces, double *along, double *firmness, double *slopes, float *lanes, double *energy,
                         int64_t n, int64_t m, int64_t g, int64_t h, int64_t f, int64_t c, int64_t l, int64_t first,
                         int64_t last)
{
    double total = 0.0;
    for (int64_t k = 0; k < m; k++) {
        const int32_t *at = corners + 4 * k;
        const double *w = weights + 4 * k;
        double pressing, active, stick;
        Row u = difference(x, at, w, n), normal = row_at(normals, m, k), rubs, slope;
        double presses = push(dot(normal, u) + offsets[k], stiffness[k], depths[k], &pressing, &active);
        Row slid = plus(row_at(offset, m, k), 1.0, u), before = row_at(sticking, m, k);
        slid = plus(slid, -dot(normal, slid), normal);
        total += pressing + friction(slid, before, firm * stiffness[k], larger(limits[k], 0.0), &rubs, &stick, &slope);
        if (g)
            add_to_corners(out, at, w, n, times(-1.0, plus(rubs, presses, normal)));
        if (f)
            forces[k] = presses, row_to(along, m, k, rubs);
        if (c)
            firmness[k] = active, firmness[m + k] = stick, row_to(slopes, m, k, slope);
        if (l) {
            float row[8] = {(float)normal.x, (float)normal.y, (float)normal.z, (float)active,
                            (float)slope.x,  (float)slope.y,  (float)slope.z,  (float)stick};
            memcpy(lanes + 8 * k, row, sizeof row);
        }
        if (!h || (active == 0.0 && stick == 0.0))
            continue;
        double outside = fabs(w[0] + w[1] + w[2] + w[3]) > OUTSIDE ? active : 0.0;
        double a[3] = {normal.x, normal.y, normal.z}, b[3] = {slope.x, slope.y, slope.z};
        for (int entry = 0; entry < 6; entry++) {
            int i = entry % 3, j = (i + entry / 3) % 3;
            double both = a[i] * a[j], value = (active - stick) * both - stick * b[i] * b[j] + (i == j ? stick : 0.0);
            for (int corner = 0; corner < 4; corner++)
                blocks[entry * n + at[corner]] += w[corner] * w[corner] * value,
                    blocks[(entry + 6) * n + at[corner]] += w[corner] * w[corner] * outside * both;
        }
    }
    energy[0] = total;
}

KERNEL add_contact_lanes(const float *p, const int32_t *corners, const double *weights, const float *lanes, float *out,
                         int64_t n, int64_t m, int64_t first, int64_t last)
{
    const Lanes *from = lanes_at(p);
    Lanes *to = lanes_to(out);
    for (int64_t k = 0; k < m; k++) {
        const float *row = lanes + 8 * k;
        if (row[3] == 0.0f && row[7] == 0.0f)
            continue;
        const int32_t *at = corners + 4 * k;
        const double *w = weights + 4 * k;
        Lanes u = {0, 0, 0, 0}, normal = {row[0], row[1], row[2], 0}, slope = {row[4], row[5], row[6], 0};
        for (int corner = 0; corner < 4; corner++)
            if (w[corner] != 0.0)
                u += of((float)w[corner]) * from[at[corner]];
        float pressed = u[0] * row[0] + u[1] * row[1] + u[2] * row[2];
        float slid = u[0] * row[4] + u[1] * row[5] + u[2] * row[6];
        Lanes pull = of((row[3] - row[7]) * pressed) * normal + of(row[7]) * (u - of(slid) * slope);
        for (int corner = 0; corner < 4; corner++)
            if (w[corner] != 0.0)
                to[at[corner]] += of((float)w[corner]) * pull;
    }
}

KERNEL scatter_contacts(const int32_t *corners, const double *weights, const double *pulls, double *out, int64_t m,
                        int64_t n, int64_t first, int64_t last)
{
    for (int64_t k = 0; k < m; k++)
        add_to_corners(out, corners + 4 * k, weights + 4 * k, n, row_at(pulls, m, k));
}

/* Changes of velocity by impulses. */
static void pushed_by(const int32_t *corners, const double *weights, const double *normals,
                      const double *inverse_masses, const double *impulses, double *pushed, int64_t m, int64_t n)
{
    memset(pushed, 0, 3 * (size_t)n * sizeof(double));
    for (int64_t k = 0; k < m; k++)
        if (impulses[k] != 0.0)
            add_to_corners(pushed, corners + 4 * k, weights + 4 * k, n, times(impulses[k], row_at(normals, m, k)));
    for (int64_t v = 0; v < n; v++)
        pushed[v] *= inverse_masses[v], pushed[n + v] *= inverse_masses[v], pushed[2 * n + v] *= inverse_masses[v];
}

KERNEL push_apart(const int32_t *corners, const double *weights, const double *normals, const double *inverse_masses,
                  const double *least, int64_t sweeps, double enough, double *pushed, double *totals, double *split,
                  double *among, int64_t m, int64_t n, int64_t first, int64_t last)
{
    double *total = totals, *led = totals + m, count = 0.0;
    memset(among, 0, (size_t)n * sizeof(double));
    memset(pushed, 0, 3 * (size_t)n * sizeof(double));
    memset(totals, 0, 2 * (size_t)m * sizeof(double));
    memset(split, 0, (size_t)m * sizeof(double));
    for (int64_t entry = 0; entry < 4 * m; entry++)
        among[corners[entry]] += least[entry / 4] > -HUGE_VAL && weights[entry] != 0.0;
    for (int64_t entry = 0; entry < 4 * m; entry++)
        if (least[entry / 4] > -HUGE_VAL)
            split[entry / 4] +=
                weights[entry] * weights[entry] * (inverse_masses[corners[entry]] * larger(among[corners[entry]], 1.0));
    for (int goes_on = 1; goes_on && sweeps > 0; sweeps--) {
        double uphill = 0.0;
        goes_on = 0;
        for (int64_t k = 0; k < m; k++) {
            if (!(split[k] > 0.0))
                continue;
            Row u = difference(pushed, corners + 4 * k, weights + 4 * k, n);
            double found = larger(led[k] + (least[k] - dot(row_at(normals, m, k), u)) / split[k], 0.0);
            goes_on |= fabs(found - led[k]) * split[k] > enough;
            uphill += (found - led[k]) * (found - total[k]);
            led[k] = found;
        }
        count = uphill < 0.0 ? 0.0 : count + 1.0;
        for (int64_t k = 0; k < m; k++) {
            double step = led[k] - total[k];
            total[k] = led[k];
            led[k] += goes_on ? count / (count + 3.0) * step : 0.0;
        }
        pushed_by(corners, weights, normals, inverse_masses, led, pushed, m, n);
    }
    pushed_by(corners, weights, normals, inverse_masses, total, pushed, m, n);
}

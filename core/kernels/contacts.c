/* SPDX-License-Identifier: GPL-3.0-or-later
   Contacts that are linearised: forces, energy, second derivative, impulses. Twin of contacts.py. */
#include "kernels.h"

#define STIFFENS 3.0
#define LEAST 1e-300
#define OUTSIDE 0.5
#define ALONE (void)first, (void)last

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* u = sum of w_i x_i of one contact. */
static inline void difference(const double *x, const int32_t *corners, const double *weights, int64_t n, double *u)
{
    u[0] = u[1] = u[2] = 0.0;
    for (int corner = 0; corner < 4; corner++) {
        double w = weights[corner];
        int64_t v = corners[corner];
        if (w == 0.0)
            continue;
        u[0] += w * x[v];
        u[1] += w * x[n + v];
        u[2] += w * x[2 * n + v];
    }
}

static inline void add_at(double *out, const int32_t *corners, const double *weights, int64_t n, const double *pull)
{
    for (int corner = 0; corner < 4; corner++) {
        double w = weights[corner];
        int64_t v = corners[corner];
        if (w == 0.0)
            continue;
        out[v] += w * pull[0];
        out[n + v] += w * pull[1];
        out[2 * n + v] += w * pull[2];
    }
}

static inline void row_of(const double *field, int64_t m, int64_t k, double *out)
{
    out[0] = field[k], out[1] = field[m + k], out[2] = field[2 * m + k];
}

static inline void to_row(double *field, int64_t m, int64_t k, const double *row)
{
    field[k] = row[0], field[m + k] = row[1], field[2 * m + k] = row[2];
}

/* Take out of u its part along n. */
static inline void across(double *u, const double *n)
{
    double part = dot(n, u);
    for (int axis = 0; axis < 3; axis++)
        u[axis] -= part * n[axis];
}

/* Normal force, energy and second derivative at a gap. */
static inline double push(double gap, double stiffness, double depth, double *energy, double *active)
{
    if (!(gap < 0.0)) {
        *energy = gap == gap ? 0.0 : gap;
        *active = 0.0;
        return *energy;
    }
    double share = -gap / depth < STIFFENS ? -gap / depth : STIFFENS, within = share * depth;
    double beyond = -gap - within, force = stiffness * within * (1.0 + share * share);
    *active = stiffness * (1.0 + 3.0 * share * share);
    *energy = stiffness * within * within * (0.5 + 0.25 * share * share) + (force + 0.5 * *active * beyond) * beyond;
    return force + *active * beyond;
}

/* Friction of what slid so far, its energy, and its second derivative. */
static inline double friction(const double *slid, const double *before, double stiffness, double limit, double *rubs,
                              double *stick, double *slope)
{
    double tried[3], size, share = 1.0, energy;
    for (int axis = 0; axis < 3; axis++)
        tried[axis] = before[axis] - stiffness * slid[axis];
    size = sqrt(dot(tried, tried));
    energy = 0.5 * size * size;
    slope[0] = slope[1] = slope[2] = 0.0;
    if (size >= limit) {
        share = limit / larger(size, LEAST);
        energy = limit * (size - 0.5 * limit);
        for (int axis = 0; axis < 3 && limit > 0.0; axis++)
            slope[axis] = tried[axis] / larger(size, LEAST);
    }
    for (int axis = 0; axis < 3; axis++)
        rubs[axis] = share * tried[axis];
    *stick = share * stiffness;
    return stiffness > 0.0 ? energy / stiffness : 0.0;
}

KERNEL begin_contacts(const double *x, const double *start, const int32_t *corners, const double *weights,
                      const double *normals, const double *offsets, const double *carried, const double *depths,
                      const double *firmness, const double *inverse_masses, const double *springs,
                      const double *pressed, const double *rubbed, double inertial, double elastic, double share,
                      double *stiffness, double *offset, double *loads, double *sticking, double *total, int64_t n,
                      int64_t m, int64_t first, int64_t last)
{
    double u[3], way[3], normal[3], energy, active, rubs[3];
    ALONE;
    for (int64_t v = 0; v < n; v++)
        total[v] = 0.0;
    for (int64_t k = 0; k < m; k++) {
        const int32_t *at = corners + 4 * k;
        const double *w = weights + 4 * k;
        double moved = 0.0, held = 0.0;
        for (int corner = 0; corner < 4; corner++) {
            moved += w[corner] * w[corner] * inverse_masses[at[corner]];
            held += w[corner] * w[corner] * springs[at[corner]];
        }
        stiffness[k] = moved > 0.0 ? firmness[k] * (inertial / moved + elastic * held) : 0.0;
        row_of(carried, m, k, way);
        difference(start, at, w, n, u);
        for (int axis = 0; axis < 3; axis++)
            way[axis] = share * way[axis] - u[axis];
        to_row(offset, m, k, way);
        row_of(normals, m, k, normal);
        difference(x, at, w, n, u);
        /* What it presses with waits where its load will be. */
        loads[k] = push(dot(normal, u) + offsets[k], stiffness[k], depths[k], &energy, &active);
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
            shares[corner] =
                w[corner] * loads[k] / larger(total[at[corner]], LEAST) / larger(sides[0] + sides[1], 1.0);
        row_of(normals, m, k, normal);
        difference(pressed, at, shares, n, u);
        difference(rubbed, at, shares, n, rubs);
        loads[k] = larger(dot(normal, u), 0.0);
        across(rubs, normal);
        to_row(sticking, m, k, rubs);
    }
}

KERNEL add_contact_pulls(const double *x, const int32_t *corners, const double *weights, const double *normals,
                         const double *offsets, const double *stiffness, const double *depths, const double *offset,
                         const double *sticking, const double *limits, double firm, double *out, double *blocks,
                         double *forces, double *along, double *firmness, double *slopes, float *lanes, double *energy,
                         int64_t n, int64_t m, int64_t g, int64_t h, int64_t f, int64_t c, int64_t l, int64_t first,
                         int64_t last)
{
    static const int one[6] = {0, 1, 2, 0, 1, 2}, other[6] = {0, 1, 2, 1, 2, 0};
    double total = 0.0;
    ALONE;
    for (int64_t k = 0; k < m; k++) {
        const int32_t *at = corners + 4 * k;
        const double *w = weights + 4 * k;
        double u[3], normal[3], slid[3], before[3], rubs[3], slope[3], pull[3], pressing, active, stick;
        row_of(normals, m, k, normal);
        row_of(offset, m, k, slid);
        row_of(sticking, m, k, before);
        difference(x, at, w, n, u);
        double presses = push(dot(normal, u) + offsets[k], stiffness[k], depths[k], &pressing, &active);
        for (int axis = 0; axis < 3; axis++)
            slid[axis] += u[axis];
        across(slid, normal);
        total += pressing + friction(slid, before, firm * stiffness[k], larger(limits[k], 0.0), rubs, &stick, slope);
        for (int axis = 0; axis < 3; axis++)
            pull[axis] = -(presses * normal[axis] + rubs[axis]);
        if (g)
            add_at(out, at, w, n, pull);
        if (f) {
            forces[k] = presses;
            to_row(along, m, k, rubs);
        }
        if (c) {
            firmness[k] = active, firmness[m + k] = stick;
            to_row(slopes, m, k, slope);
        }
        for (int axis = 0; axis < 3 && l; axis++) {
            lanes[8 * k + axis] = (float)normal[axis], lanes[8 * k + 3] = (float)active;
            lanes[8 * k + 4 + axis] = (float)slope[axis], lanes[8 * k + 7] = (float)stick;
        }
        if (!h || (active == 0.0 && stick == 0.0))
            continue;
        double outside = fabs(w[0] + w[1] + w[2] + w[3]) > OUTSIDE;
        for (int entry = 0; entry < 6; entry++) {
            int i = one[entry], j = other[entry];
            double value = (active - stick) * normal[i] * normal[j] - stick * slope[i] * slope[j];
            value += i == j ? stick : 0.0;
            for (int corner = 0; corner < 4; corner++) {
                blocks[entry * n + at[corner]] += w[corner] * w[corner] * value;
                blocks[(6 + entry) * n + at[corner]] += outside * w[corner] * w[corner] * active * normal[i] * normal[j];
            }
        }
    }
    energy[0] = total;
}

KERNEL add_contact_lanes(const float *p, const int32_t *corners, const double *weights, const float *lanes, float *out,
                         int64_t n, int64_t m, int64_t first, int64_t last)
{
    const Lanes *from = (const Lanes *)(const void *)p;
    Lanes *to = (Lanes *)(void *)out;
    ALONE, (void)n;
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
    double pull[3];
    ALONE;
    for (int64_t k = 0; k < m; k++) {
        row_of(pulls, m, k, pull);
        add_at(out, corners + 4 * k, weights + 4 * k, n, pull);
    }
}

KERNEL push_apart(const int32_t *corners, const double *weights, const double *normals, const double *inverse_masses,
                  const double *least, int64_t sweeps, double enough, double *pushed, double *totals, double *among,
                  int64_t m, int64_t n, int64_t first, int64_t last)
{
    double *total = totals, *split = totals + m, u[3], normal[3];
    ALONE;
    memset(among, 0, (size_t)n * sizeof(double));
    memset(pushed, 0, 3 * (size_t)n * sizeof(double));
    memset(totals, 0, 2 * (size_t)m * sizeof(double));
    for (int64_t k = 0; k < m; k++)
        for (int corner = 0; corner < 4 && least[k] > 0.0; corner++)
            among[corners[4 * k + corner]] += weights[4 * k + corner] != 0.0;
    for (int64_t k = 0; k < m; k++)
        for (int corner = 0; corner < 4 && least[k] > 0.0; corner++) {
            double w = weights[4 * k + corner];
            int64_t v = corners[4 * k + corner];
            split[k] += w * w * (inverse_masses[v] * larger(among[v], 1.0));
        }
    for (int64_t sweep = 0; sweep < sweeps; sweep++) {
        int goes_on = 0;
        for (int64_t k = 0; k < m; k++) {
            if (!(split[k] > 0.0))
                continue;
            row_of(normals, m, k, normal);
            difference(pushed, corners + 4 * k, weights + 4 * k, n, u);
            double before = total[k];
            total[k] = larger(before + (least[k] - dot(normal, u)) / split[k], 0.0);
            goes_on |= fabs(total[k] - before) * split[k] > enough;
        }
        if (!goes_on)
            return;
        memset(pushed, 0, 3 * (size_t)n * sizeof(double));
        for (int64_t k = 0; k < m; k++) {
            if (total[k] == 0.0)
                continue;
            row_of(normals, m, k, normal);
            for (int axis = 0; axis < 3; axis++)
                normal[axis] *= total[k];
            add_at(pushed, corners + 4 * k, weights + 4 * k, n, normal);
        }
        for (int64_t v = 0; v < n; v++)
            for (int axis = 0; axis < 3; axis++)
                pushed[axis * n + v] *= inverse_masses[v];
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   Springs between weighted points: what they pull with, their energy, their second derivative. Twin of springs.py. */
#include "slices.h"

#define SHORTEST 1e-150
/* Springs that largest_excess goes through together. */
#define TOGETHER 4096

KERNEL point_differences(const double *x, const int32_t *vertices, const double *weights, double *u, int64_t n,
                         int64_t m, int64_t w, int64_t q, int64_t first, int64_t last)
{
    double buffer[3][CHUNK];
    for (int64_t start = first; start < last; start += CHUNK) {
        Part part = {0, start, last - start < CHUNK ? last - start : CHUNK};
        point_vectors(x, springs_of(vertices, weights, n, w, q), part, buffer);
        for (int64_t axis = 0; axis < 3; axis++)
            memcpy(u + axis * m + start, buffer[axis], (size_t)part.count * sizeof(double));
    }
}

KERNEL largest_excess(const double *x, const int32_t *vertices, const double *weights, const double *squares,
                      double *excess, int64_t n, int64_t m, int64_t w, int64_t q, int64_t s, int64_t first,
                      int64_t last)
{
    double u[3][CHUNK];
    for (int64_t slice = first; slice < last; slice++) {
        int64_t end = (slice + 1) * TOGETHER < m ? (slice + 1) * TOGETHER : m;
        double largest = -INFINITY;
        for (int64_t start = slice * TOGETHER; start < end; start += CHUNK) {
            Part part = {0, start, end - start < CHUNK ? end - start : CHUNK};
            point_vectors(x, springs_of(vertices, weights, n, w, q), part, u);
            for (int64_t i = 0; i < part.count; i++) {
                double square = u[0][i] * u[0][i] + u[1][i] * u[1][i] + u[2][i] * u[2][i];
                largest = larger(square - squares[start + i], largest);
            }
        }
        excess[slice] = largest;
    }
}

/* A chunk of springs: their vectors, their numbers next to each other, and what is found of them. */
typedef struct {
    double u[3][CHUNK], k[CHUNK], rest[CHUNK], mu[CHUNK], was[3][CHUNK], held[3][CHUNK], beyond[CHUNK], limit[CHUNK];
    double inverse[CHUNK], tension[CHUNK], energy[CHUNK], other[CHUNK], settled[3][CHUNK];
    double across[CHUNK], along[CHUNK], scale[CHUNK];
} Chunk;

static void take(double *to, const double *from, Part part)
{
    for (int64_t i = 0; i < part.count; i++)
        to[i] = from[spring_of(part, i)];
}

/* What springs whose vectors, and numbers, are in the chunk pull with; see the definition. */
static void evaluate(Chunk *c, int64_t count, int directed, int damped, int held, int limited, int bent)
{
    double size[CHUNK], stretch[CHUNK], rate[CHUNK];
    for (int64_t i = 0; i < count; i++) {
        size[i] = sqrt(c->u[0][i] * c->u[0][i] + c->u[1][i] * c->u[1][i] + c->u[2][i] * c->u[2][i]);
        stretch[i] = size[i] - c->rest[i];
        c->tension[i] = c->k[i] * stretch[i];
        c->energy[i] = 0.5 * c->tension[i] * stretch[i];
    }
    for (int64_t i = 0; i < count && directed; i++)
        c->inverse[i] = 1.0 / (size[i] + SHORTEST);
    if (limited)
        for (int64_t i = 0; i < count; i++) {
            double more = stretch[i] - c->limit[i];
            more = more > 0.0 ? c->beyond[i] * more : 0.0;
            c->energy[i] += 0.5 * more * (stretch[i] - c->limit[i]);
            c->tension[i] += more;
        }
    if (damped) {
        for (int64_t i = 0; i < count && held; i++)
            c->other[i] = c->energy[i];
        for (int64_t i = 0; i < count; i++) {
            rate[i] = (c->u[0][i] * (c->u[0][i] - c->was[0][i]) + c->u[1][i] * (c->u[1][i] - c->was[1][i]) +
                       c->u[2][i] * (c->u[2][i] - c->was[2][i])) *
                      c->inverse[i];
            c->tension[i] += c->mu[i] * rate[i];
            c->energy[i] += 0.5 * c->mu[i] * rate[i] * rate[i];
        }
        if (held)
            for (int64_t axis = 0; axis < 3; axis++)
                for (int64_t i = 0; i < count; i++) {
                    double away = c->u[axis][i] - c->held[axis][i];
                    c->other[i] += 0.5 * c->mu[i] * away * away;
                    c->settled[axis][i] = c->u[axis][i] - c->u[axis][i] * (rate[i] * c->inverse[i]);
                }
    }
    for (int64_t i = 0; i < count && directed; i++)
        c->scale[i] = c->tension[i] * c->inverse[i];
    for (int64_t i = 0; i < count && bent; i++) {
        double turn = c->inverse[i] == 1.0 / SHORTEST ? c->k[i] : c->scale[i];
        c->across[i] = turn <= 0.0 ? 0.0 : turn;
        c->along[i] = c->k[i] - c->across[i] + (damped ? c->mu[i] : 0.0);
    }
}

/* Keeps what is asked for of a chunk's springs, of those that leave the slice where their first vertex is. */
static void keep(const Chunk *chunk, Springs springs, Part part, int64_t low, int64_t high, int64_t m, double *resting,
                 float *directions, float *stiff, double *each)
{
    for (int64_t i = 0; i < part.count && (resting || directions || each); i++) {
        int64_t spring = spring_of(part, i), v = springs.vertices[spring * springs.width];
        if (part.which && (v < low || v >= high))
            continue;
        if (each)
            each[spring] = chunk->energy[i];
        for (int64_t axis = 0; axis < 3 && resting; axis++)
            resting[axis * m + spring] = chunk->settled[axis][i];
        if (!directions)
            continue;
        for (int64_t axis = 0; axis < 3; axis++)
            directions[4 * spring + axis] = (float)(chunk->u[axis][i] * chunk->inverse[i]);
        directions[4 * spring + 3] = 0.0f;
        stiff[2 * spring] = (float)chunk->across[i], stiff[2 * spring + 1] = (float)chunk->along[i];
    }
}

KERNEL add_spring_pulls(const double *x, const int32_t *vertices, const double *weights, const int32_t *inner,
                        const int32_t *touching, const int32_t *touched, const double *stiffness,
                        const double *rest_lengths, const double *damping, const double *begun, const double *held,
                        const double *beyond, const double *limits, double *out, double *resting, float *directions,
                        float *stiff, double *energies, double *each, int64_t n, int64_t m, int64_t w, int64_t q,
                        int64_t s, int64_t e, int64_t d, int64_t h, int64_t b, int64_t g, int64_t c, int64_t a,
                        int64_t first, int64_t last)
{
    Chunk chunk;
    Springs springs = springs_of(vertices, weights, n, w, q);
    for (int64_t slice = first; slice < last; slice++) {
        int64_t low = slice * VERTICES, high = end_of(slice, n), done = 0;
        double total = 0.0, total_held = 0.0;
        for (;;) {
            Part part = next_part(inner, touching, touched, slice, &done);
            if (part.count <= 0)
                break;
            point_vectors(x, springs, part, chunk.u);
            take(chunk.k, stiffness, part), take(chunk.rest, rest_lengths, part);
            if (d)
                take(chunk.mu, damping, part);
            if (b)
                take(chunk.beyond, beyond, part), take(chunk.limit, limits, part);
            for (int64_t axis = 0; axis < 3 && d; axis++)
                take(chunk.was[axis], begun + axis * m, part);
            for (int64_t axis = 0; axis < 3 && h; axis++)
                take(chunk.held[axis], held + axis * m, part);
            evaluate(&chunk, part.count, g || c || d, d > 0, h > 0, b > 0, c > 0);
            for (int64_t i = 0; i < part.count && part.which; i++) {
                /* What leaves the slice is counted where its first vertex is. */
                int64_t v = vertices[part.which[i] * w];
                if (v < low || v >= high)
                    chunk.energy[i] = chunk.other[i] = 0.0;
            }
            total += sum_of(chunk.energy, part.count);
            total_held += h ? sum_of(chunk.other, part.count) : 0.0;
            keep(&chunk, springs, part, low, high, m, h ? resting : 0, c ? directions : 0, stiff, a ? each : 0);
            if (g) {
                for (int64_t axis = 0; axis < 3; axis++)
                    for (int64_t i = 0; i < part.count; i++)
                        chunk.u[axis][i] *= chunk.scale[i];
                add_to_vertices(out, springs, part, low, high, chunk.u);
            }
        }
        energies[2 * slice] = total, energies[2 * slice + 1] = h ? total_held : total;
    }
}

KERNEL add_linear(const int32_t *starts, const int32_t *columns, const double *entries, const double *x,
                  const double *origin, double *out, double *energies, int64_t n, int64_t e, int64_t g, int64_t s,
                  int64_t first, int64_t last)
{
    Row from = {origin[0], origin[1], origin[2]};
    for (int64_t slice = first; slice < last; slice++) {
        double total = 0.0;
        for (int64_t v = slice * VERTICES; v < end_of(slice, n); v++) {
            Row sum = {0.0, 0.0, 0.0};
            for (int64_t entry = starts[v]; entry < starts[v + 1]; entry++)
                sum = plus(sum, entries[entry], plus(row_at(x, n, columns[entry]), -1.0, from));
            total += dot(sum, plus(row_at(x, n, v), -1.0, from));
            if (g)
                add_at(out, n, v, 1.0, sum);
        }
        energies[slice] = 0.5 * total;
    }
}

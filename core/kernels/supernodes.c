/* SPDX-License-Identifier: GPL-3.0-or-later
   Solves with a sparse triangular factor in supernodes, tree by tree. Twin of supernodes.py. */
#include "kernels.h"

typedef struct {
    const int32_t *columns, *starts, *rows, *at;
    const float *panels;
    int64_t entries, count;
    /* The unknowns, and from the trunk's first on another place. */
    Lanes *x, *trunk;
    int64_t first_of_trunk;
} Factor;

typedef struct {
    int64_t first, width, below;
    int inside;
    const int32_t *rows;
    const float *square, *panel;
} Node;

static inline Lanes *place(const Factor *factor, int64_t row, int inside)
{
    return inside || row < factor->first_of_trunk ? factor->x + row : factor->trunk + (row - factor->first_of_trunk);
}

/* The supernode, or one of no width where its arrays do not fit each other. */
static inline Node node_of(const Factor *factor, int64_t k)
{
    Node node;
    node.first = factor->columns[k];
    node.width = factor->columns[k + 1] - node.first;
    node.below = factor->starts[k + 1] - factor->starts[k];
    node.rows = factor->rows + factor->starts[k];
    node.square = factor->panels + factor->at[k];
    if (node.width < 0 || node.below < 0 || factor->at[k] + node.width * (node.width + node.below) > factor->entries)
        node.width = node.below = 0;
    node.panel = node.square + node.width * node.width;
    /* The last of its rows is the largest, and most have none in the trunk. */
    node.inside = node.below == 0 || node.rows[node.below - 1] < factor->first_of_trunk;
    return node;
}

static void __attribute__((noinline)) eliminate_node(const Factor *factor, Node node, int inside)
{
    int64_t w = node.width, i = 0;
    const int32_t *row = node.rows;
    const float *l = node.panel;
    Lanes *y = place(factor, node.first, inside);
    if (w == 1) {
        for (Lanes a = y[0]; i < node.below; i++)
            *place(factor, row[i], inside) -= of(l[i]) * a;
        return;
    }
    for (int64_t r = 1; r < w; r++) {
        Lanes a = y[r];
        for (int64_t j = 0; j < r; j++)
            a -= of(node.square[r * w + j]) * y[j];
        y[r] = a;
    }
    /* Four rows at once: what each waits for, the others use. */
    for (; i + 4 <= node.below; i += 4, l += 4 * w) {
        Lanes *to[4] = {place(factor, row[i], inside), place(factor, row[i + 1], inside),
                        place(factor, row[i + 2], inside), place(factor, row[i + 3], inside)};
        Lanes a = *to[0], b = *to[1], c = *to[2], d = *to[3];
        for (int64_t j = 0; j < w; j++) {
            Lanes v = y[j];
            a -= of(l[j]) * v;
            b -= of(l[w + j]) * v;
            c -= of(l[2 * w + j]) * v;
            d -= of(l[3 * w + j]) * v;
        }
        *to[0] = a, *to[1] = b, *to[2] = c, *to[3] = d;
    }
    for (; i < node.below; i++, l += w) {
        Lanes *to = place(factor, row[i], inside), a = *to;
        for (int64_t j = 0; j < w; j++)
            a -= of(l[j]) * y[j];
        *to = a;
    }
}

/* Whether a supernode is a single column, as most are, whose rows are all where x is. */
static inline int is_simple(Node node)
{
    return node.width == 1 && node.inside;
}

static void eliminate(const Factor *factor, int64_t first, int64_t last)
{
    const Factor own = *factor;
    for (int64_t k = first; k < last; k++) {
        const Node node = node_of(&own, k);
        if (is_simple(node)) {
            const Lanes a = own.x[node.first];
            for (int64_t i = 0; i < node.below; i++)
                own.x[node.rows[i]] -= of(node.panel[i]) * a;
        } else if (node.width > 0 && node.inside)
            eliminate_node(&own, node, 1);
        else if (node.width > 0)
            eliminate_node(&own, node, 0);
    }
}

static void __attribute__((noinline)) substitute_node(const Factor *factor, const float *inverses, Node node,
                                                      int inside)
{
    int64_t w = node.width, j = 0;
    const int32_t *row = node.rows;
    Lanes *y = place(factor, node.first, inside);
    for (int64_t r = 0; r < w; r++)
        y[r] *= of(inverses[node.first + r]);
    for (; j + 4 <= w; j += 4) {
        Lanes a = y[j], b = y[j + 1], c = y[j + 2], d = y[j + 3];
        const float *l = node.panel + j;
        for (int64_t i = 0; i < node.below; i++, l += w) {
            Lanes v = *place(factor, row[i], inside);
            a -= of(l[0]) * v;
            b -= of(l[1]) * v;
            c -= of(l[2]) * v;
            d -= of(l[3]) * v;
        }
        y[j] = a, y[j + 1] = b, y[j + 2] = c, y[j + 3] = d;
    }
    for (; j < w; j++) {
        Lanes a = y[j], b = of(0.0f);
        const float *l = node.panel + j;
        int64_t i = 0;
        for (; i + 2 <= node.below; i += 2, l += 2 * w) {
            a -= of(l[0]) * *place(factor, row[i], inside);
            b -= of(l[w]) * *place(factor, row[i + 1], inside);
        }
        if (i < node.below)
            a -= of(l[0]) * *place(factor, row[i], inside);
        y[j] = a + b;
    }
    for (int64_t r = w - 1; r > 0; r--) {
        Lanes a = y[r];
        for (int64_t q = 0; q < r; q++)
            y[q] -= of(node.square[r * w + q]) * a;
    }
}

static void substitute(const Factor *factor, const float *inverses, int64_t first, int64_t last)
{
    const Factor own = *factor;
    for (int64_t k = last - 1; k >= first; k--) {
        const Node node = node_of(&own, k);
        if (is_simple(node)) {
            Lanes a = own.x[node.first] * of(inverses[node.first]), b = of(0.0f);
            int64_t i = 0;
            for (; i + 2 <= node.below; i += 2) {
                a -= of(node.panel[i]) * own.x[node.rows[i]];
                b -= of(node.panel[i + 1]) * own.x[node.rows[i + 1]];
            }
            if (i < node.below)
                a -= of(node.panel[i]) * own.x[node.rows[i]];
            own.x[node.first] = a + b;
        } else if (node.width > 0 && node.inside)
            substitute_node(&own, inverses, node, 1);
        else if (node.width > 0)
            substitute_node(&own, inverses, node, 0);
    }
}

static void begin(Lanes *x, const Lanes *b, const int32_t *order, const float *scale, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        *x++ = b[order[i]] * of(scale[i]);
}

static void end(const Lanes *x, Lanes *out, const int32_t *order, const float *scale, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        out[order[i]] = *x++ * of(scale[i]);
}

static Factor factor_of(const int32_t *columns, const int32_t *starts, const int32_t *rows, const int32_t *at,
                        const float *panels, int64_t f, float *x, int64_t first_of_trunk)
{
    Lanes *unknowns = (Lanes *)(void *)x;
    return (Factor){columns, starts, rows, at, panels, f, 0, unknowns, unknowns + first_of_trunk, first_of_trunk};
}

KERNEL eliminate_trees(const float *b, const int32_t *order, const float *scale, const int32_t *columns,
                       const int32_t *starts, const int32_t *rows, const int32_t *at, const float *panels,
                       const int32_t *trees, float *x, float *sums, int64_t n, int64_t k, int64_t e, int64_t f,
                       int64_t t, int64_t u, int64_t first, int64_t last)
{
    int64_t trunk = columns[trees[t]];
    Factor factor = factor_of(columns, starts, rows, at, panels, f, x, trunk);
    (void)k, (void)e;
    if (u < n - trunk)
        return;
    for (int64_t tree = first; tree < last; tree++) {
        factor.trunk = (Lanes *)(void *)(sums + tree * 4 * u);
        memset(factor.trunk, 0, (size_t)u * sizeof(Lanes));
        int64_t from = columns[trees[tree]], to = columns[trees[tree + 1]];
        begin(factor.x + from, (const Lanes *)(const void *)b, order, scale, from, to);
        eliminate(&factor, trees[tree], trees[tree + 1]);
    }
}

KERNEL solve_trunk(const float *b, const int32_t *order, const float *scale, const int32_t *columns,
                   const int32_t *starts, const int32_t *rows, const int32_t *at, const float *panels,
                   const float *inverses, const int32_t *trees, const float *sums, const double *once, float *x,
                   float *out, int64_t n, int64_t k, int64_t e, int64_t f, int64_t t, int64_t u, int64_t one,
                   int64_t first, int64_t last)
{
    int64_t trunk = columns[trees[t]];
    /* Of the trunk all is where it is. */
    Factor factor = factor_of(columns, starts, rows, at, panels, f, x, n);
    Lanes *own = factor.x + trunk;
    (void)e, (void)one, (void)once;
    if (first == last || u < n - trunk)
        return;
    begin(own, (const Lanes *)(const void *)b, order, scale, trunk, n);
    for (int64_t tree = 0; tree < t; tree++)
        for (int64_t i = 0; i < 4 * (n - trunk); i++)
            x[4 * trunk + i] += sums[tree * 4 * u + i];
    eliminate(&factor, trees[t], k);
    substitute(&factor, inverses, trees[t], k);
    end(own, (Lanes *)(void *)out, order, scale, trunk, n);
}

KERNEL substitute_trees(const int32_t *order, const float *scale, const int32_t *columns, const int32_t *starts,
                        const int32_t *rows, const int32_t *at, const float *panels, const float *inverses,
                        const int32_t *trees, float *x, float *out, int64_t n, int64_t k, int64_t e, int64_t f,
                        int64_t t, int64_t first, int64_t last)
{
    Factor factor = factor_of(columns, starts, rows, at, panels, f, x, columns[trees[t]]);
    (void)k, (void)e, (void)n;
    for (int64_t tree = first; tree < last; tree++) {
        int64_t from = columns[trees[tree]], to = columns[trees[tree + 1]];
        substitute(&factor, inverses, trees[tree], trees[tree + 1]);
        end(factor.x + from, (Lanes *)(void *)out, order, scale, from, to);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   Solves with a sparse triangular factor in supernodes, tree by tree. Twin of supernodes.py. */
#include "kernels.h"

/* A factor, the unknowns it is solved for, and how many of its panels' numbers there are. */
typedef struct {
    const int32_t *columns, *starts, *rows, *at;
    const float *panels, *inverses;
    int64_t entries;
    Lanes *x;
} Factor;

typedef struct {
    int64_t first, width, below;
    const int32_t *rows;
    const float *square, *panel;
} Node;

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
    return node;
}

static void __attribute__((noinline)) eliminate_node(Lanes *x, Node node)
{
    int64_t w = node.width, i = 0;
    const int32_t *row = node.rows;
    const float *l = node.panel;
    Lanes *y = x + node.first;
    for (int64_t r = 1; r < w; r++) {
        Lanes a = y[r];
        for (int64_t j = 0; j < r; j++)
            a -= of(node.square[r * w + j]) * y[j];
        y[r] = a;
    }
    /* Four rows at once: what each waits for, the others use. */
    for (; i + 4 <= node.below; i += 4, l += 4 * w) {
        Lanes four[4] = {x[row[i]], x[row[i + 1]], x[row[i + 2]], x[row[i + 3]]};
        for (int64_t j = 0; j < w; j++)
            for (int64_t one = 0; one < 4; one++)
                four[one] -= of(l[one * w + j]) * y[j];
        for (int64_t one = 0; one < 4; one++)
            x[row[i + one]] = four[one];
    }
    for (; i < node.below; i++, l += w) {
        Lanes a = x[row[i]];
        for (int64_t j = 0; j < w; j++)
            a -= of(l[j]) * y[j];
        x[row[i]] = a;
    }
}

static void eliminate(const Factor *factor, int64_t first, int64_t last)
{
    const Factor own = *factor;
    for (int64_t k = first; k < last; k++) {
        const Node node = node_of(&own, k);
        /* Most are a single column. */
        if (node.width == 1) {
            const Lanes a = own.x[node.first];
            for (int64_t i = 0; i < node.below; i++)
                own.x[node.rows[i]] -= of(node.panel[i]) * a;
        } else if (node.width > 0)
            eliminate_node(own.x, node);
    }
}

/* y less column j of a panel times the rows below, in two sums that do not wait for each other. */
static inline Lanes less_below(const Lanes *x, Node node, int64_t j, Lanes a)
{
    const float *l = node.panel + j;
    int64_t w = node.width, i = 0;
    Lanes b = of(0.0f);
    for (; i + 2 <= node.below; i += 2, l += 2 * w) {
        a -= of(l[0]) * x[node.rows[i]];
        b -= of(l[w]) * x[node.rows[i + 1]];
    }
    return i < node.below ? a - of(l[0]) * x[node.rows[i]] + b : a + b;
}

static void __attribute__((noinline)) substitute_node(Lanes *x, const float *inverses, Node node)
{
    int64_t w = node.width, j = 0;
    Lanes *y = x + node.first;
    for (int64_t r = 0; r < w; r++)
        y[r] *= of(inverses[node.first + r]);
    for (; j + 4 <= w; j += 4) {
        Lanes four[4] = {y[j], y[j + 1], y[j + 2], y[j + 3]};
        const float *l = node.panel + j;
        for (int64_t i = 0; i < node.below; i++, l += w)
            for (int64_t one = 0; one < 4; one++)
                four[one] -= of(l[one]) * x[node.rows[i]];
        memcpy(y + j, four, sizeof four);
    }
    for (; j < w; j++)
        y[j] = less_below(x, node, j, y[j]);
    for (int64_t r = w - 1; r > 0; r--) {
        Lanes a = y[r];
        for (int64_t q = 0; q < r; q++)
            y[q] -= of(node.square[r * w + q]) * a;
    }
}

static void substitute(const Factor *factor, int64_t first, int64_t last)
{
    const Factor own = *factor;
    for (int64_t k = last - 1; k >= first; k--) {
        const Node node = node_of(&own, k);
        if (node.width == 1)
            own.x[node.first] = less_below(own.x, node, 0, own.x[node.first] * of(own.inverses[node.first]));
        else if (node.width > 0)
            substitute_node(own.x, own.inverses, node);
    }
}

static void begin(Lanes *x, const float *b, const int32_t *order, const float *scale, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        x[i] = lanes_at(b)[order[i]] * of(scale[i]);
}

static void end(const Lanes *x, float *out, const int32_t *order, const float *scale, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        lanes_to(out)[order[i]] = x[i] * of(scale[i]);
}

KERNEL eliminate_trees(const float *b, const int32_t *order, const float *scale, const int32_t *columns,
                       const int32_t *starts, const int32_t *rows, const int32_t *at, const float *panels,
                       const int32_t *trees, float *x, int64_t n, int64_t k, int64_t e, int64_t f, int64_t t,
                       int64_t first, int64_t last)
{
    int64_t trunk = columns[trees[t]];
    for (int64_t tree = first; tree < last; tree++) {
        Lanes *own = lanes_to(x) + tree * n;
        Factor factor = {columns, starts, rows, at, panels, 0, f, own};
        memset(own + trunk, 0, (size_t)(n - trunk) * sizeof(Lanes));
        begin(own, b, order, scale, columns[trees[tree]], columns[trees[tree + 1]]);
        eliminate(&factor, trees[tree], trees[tree + 1]);
    }
}

KERNEL solve_trunk(const float *b, const int32_t *order, const float *scale, const int32_t *columns,
                   const int32_t *starts, const int32_t *rows, const int32_t *at, const float *panels,
                   const float *inverses, const int32_t *trees, float *x, float *out, int64_t n, int64_t k, int64_t e,
                   int64_t f, int64_t t, int64_t first, int64_t last)
{
    int64_t trunk = columns[trees[t]];
    Lanes *all = lanes_to(x), *own = all + t * n;
    Factor factor = {columns, starts, rows, at, panels, inverses, f, own};
    begin(own, b, order, scale, trunk, n);
    for (int64_t tree = 0; tree < t; tree++)
        for (int64_t i = trunk; i < n; i++)
            own[i] += all[tree * n + i];
    eliminate(&factor, trees[t], k);
    substitute(&factor, trees[t], k);
    end(own, out, order, scale, trunk, n);
    for (int64_t tree = 0; tree < t; tree++)
        memcpy(all + tree * n + trunk, own + trunk, (size_t)(n - trunk) * sizeof(Lanes));
}

KERNEL substitute_trees(const int32_t *order, const float *scale, const int32_t *columns, const int32_t *starts,
                        const int32_t *rows, const int32_t *at, const float *panels, const float *inverses,
                        const int32_t *trees, float *x, float *out, int64_t n, int64_t k, int64_t e, int64_t f,
                        int64_t t, int64_t first, int64_t last)
{
    for (int64_t tree = first; tree < last; tree++) {
        Lanes *own = lanes_to(x) + tree * n;
        Factor factor = {columns, starts, rows, at, panels, inverses, f, own};
        substitute(&factor, trees[tree], trees[tree + 1]);
        end(own, out, order, scale, columns[trees[tree]], columns[trees[tree + 1]]);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   Sums over long vectors in an order that no number of threads changes. Twin of vectors.py. */
#include "kernels.h"

#define SLICE 4096

KERNEL slice_dots(const double *a, const double *b, double *sums, int64_t n, int64_t s, int64_t first, int64_t last)
{
    (void)s;
    for (int64_t slice = first; slice < last; slice++) {
        int64_t end = (slice + 1) * SLICE < n ? (slice + 1) * SLICE : n;
        double total = 0.0;
        for (int64_t i = slice * SLICE; i < end; i++)
            total += a[i] * b[i];
        sums[slice] = total;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
   What every kernel's file begins with: names that are seen from outside, and how numbers lie. */
#ifndef HOOKE_KERNELS_H
#define HOOKE_KERNELS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32)
#define KERNEL __declspec(dllexport) void
#else
#define KERNEL __attribute__((visibility("default"))) void
#endif

/* x, y and z of a vertex, and nothing: what one instruction takes. Not aligned, as arrays of NumPy are not. */
typedef float Lanes __attribute__((vector_size(16), aligned(4)));

static inline Lanes of(float a)
{
    return (Lanes){a, a, a, a};
}

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline const Lanes *lanes_at(const float *field)
{
    return (const Lanes *)(const void *)field;
}

static inline Lanes *lanes_to(float *field)
{
    return (Lanes *)(void *)field;
}

/* Adds w times a, b and c at a vertex of a field of one row an axis. */
static inline void add_at(double *out, int64_t n, int64_t v, double w, double a, double b, double c)
{
    out[v] += w * a;
    out[n + v] += w * b;
    out[2 * n + v] += w * c;
}

/* A sum in four, which do not wait for each other. */
static inline double sum_of(const double *values, int64_t count)
{
    double lanes[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int64_t lane = 0; lane < 4; lane++)
            lanes[lane] += values[i + lane];
    for (; i < count; i++)
        lanes[i % 4] += values[i];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/* Vertices that one thread writes to, and whose sums are added one after the other. */
#define VERTICES 2048

static inline int64_t end_of(int64_t slice, int64_t n)
{
    return (slice + 1) * VERTICES < n ? (slice + 1) * VERTICES : n;
}

/* How many stay in registers and next to them. */
#define CHUNK 64

#endif

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

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* x, y and z of a vertex, and nothing: what one instruction takes. Not aligned, as arrays of NumPy are not. */
typedef float Lanes __attribute__((vector_size(16), aligned(4)));

static inline Lanes of(float a)
{
    return (Lanes){a, a, a, a};
}

/* The same in double precision. */
typedef struct {
    double x, y, z;
} Row;

static inline double dot(Row a, Row b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Row cross(Row a, Row b)
{
    return (Row){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a + by b. */
static inline Row plus(Row a, double by, Row b)
{
    return (Row){a.x + by * b.x, a.y + by * b.y, a.z + by * b.z};
}

static inline Row times(double by, Row a)
{
    return (Row){by * a.x, by * a.y, by * a.z};
}

/* Of a field of one row an axis, of n entries each, one entry. */
static inline Row row_at(const double *field, int64_t n, int64_t i)
{
    return (Row){field[i], field[n + i], field[2 * n + i]};
}

static inline void row_to(double *field, int64_t n, int64_t i, Row row)
{
    field[i] = row.x, field[n + i] = row.y, field[2 * n + i] = row.z;
}

static inline const Lanes *lanes_at(const float *field)
{
    return (const Lanes *)(const void *)field;
}

static inline Lanes *lanes_to(float *field)
{
    return (Lanes *)(void *)field;
}

/* Adds by times a row at one entry of such a field. */
static inline void add_at(double *field, int64_t n, int64_t i, double by, Row row)
{
    row_to(field, n, i, plus(row_at(field, n, i), by, row));
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

/* Distance of a stencil's sides, the most that they come nearer, and its volume: see nearness. */
double near_on_ways(const double *x, const double *ways, const double *margins, const int32_t *of, int kind, int64_t n,
                    double *approaches, double *volume);

/* Distance of a point from a triangle of three vertices. */
double from_triangle(const double *x, const int32_t *of, int64_t n, Row p);

/* How many stay in registers and next to them; only to divide by. */
#define CHUNK 64
#define LEAST 1e-300

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
   Stencils of contact: which of their points are closest, and when they meet. Twin of stencils.py. */
#include "kernels.h"

#define NO_WAY 1e-150
#define PARALLEL 1e-12
#define ENOUGH 1e-6
#define MOST_ADVANCES 200
#define OF_STEP 0.9

static double within(double place)
{
    return place < 0.0 ? 0.0 : place > 1.0 ? 1.0 : place;
}

/* Place 0 to 1 along an edge that is nearest to what is a way from its start, of their product. */
static double along(double product, double squared)
{
    return within(product / larger(squared, LEAST));
}

static void point_triangle(const Row *x, double *weights)
{
    Row u = plus(x[2], -1.0, x[1]), v = plus(x[3], -1.0, x[1]), w = plus(x[0], -1.0, x[1]);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    double area = uu * vv - uv * uv, divisor = area > LEAST ? area : LEAST;
    double s = (vv * uw - uv * vw) / divisor, t = (uu * vw - uv * uw) / divisor;
    weights[0] = 1.0;
    if (area > PARALLEL * uu * vv && s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
        weights[1] = s + t - 1.0, weights[2] = -s, weights[3] = -t;
        return;
    }
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        Row side = plus(x[1 + j], -1.0, x[1 + i]), from = plus(x[0], -1.0, x[1 + i]);
        double place = along(dot(from, side), dot(side, side));
        Row away = plus(from, -place, side);
        if (dot(away, away) < least) {
            least = dot(away, away);
            weights[1] = weights[2] = weights[3] = 0.0;
            weights[1 + i] = place - 1.0, weights[1 + j] = -place;
        }
    }
}

static void edge_edge(const Row *x, double *weights)
{
    Row u = plus(x[1], -1.0, x[0]), v = plus(x[3], -1.0, x[2]), w = plus(x[0], -1.0, x[2]);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w), square = uu * vv - uv * uv;
    double s = square > PARALLEL * uu * vv ? within((uv * vw - vv * uw) / square) : along(-uw, uu);
    double t = along(uv * s + vw, vv);
    s = along(t * uv - uw, uu);
    weights[0] = 1.0 - s, weights[1] = s, weights[2] = t - 1.0, weights[3] = -t;
}

static void gather(const double *field, const int32_t *corners, int64_t n, Row *out)
{
    for (int corner = 0; corner < 4; corner++)
        out[corner] = row_at(field, n, corners[corner]);
}

/* Six times that of the corners' tetrahedron. */
static double volume_of(const Row *at)
{
    Row u = plus(at[1], -1.0, at[0]), v = plus(at[2], -1.0, at[0]);
    return dot(cross(u, v), plus(at[3], -1.0, at[0]));
}

/* Distance of the sides, the weights of their closest points, and the way between them. */
static double apart_by(int kind, const Row *x, double *weights, Row *between)
{
    (kind == 0 ? point_triangle : edge_edge)(x, weights);
    *between = (Row){0.0, 0.0, 0.0};
    for (int corner = 0; corner < 4; corner++)
        *between = plus(*between, weights[corner], x[corner]);
    return sqrt(dot(*between, *between));
}

double from_triangle(const double *x, const int32_t *of, int64_t n, Row p)
{
    Row at[4] = {p, row_at(x, n, of[0]), row_at(x, n, of[1]), row_at(x, n, of[2])}, between;
    double weights[4];
    return apart_by(0, at, weights, &between);
}

KERNEL closest_points(const double *x, const int32_t *corners, const uint8_t *kinds, double *weights, double *normals,
                      double *distances, double *volumes, int64_t n, int64_t m, int64_t first, int64_t last)
{
    Row at[4], between;
    for (int64_t k = first; k < last; k++) {
        gather(x, corners + 4 * k, n, at);
        distances[k] = apart_by(kinds[k], at, weights + 4 * k, &between);
        row_to(normals, m, k, times(1.0 / (distances[k] + NO_WAY), between));
        volumes[k] = volume_of(at);
    }
}

double near_on_ways(const double *x, const double *ways, const double *margins, const int32_t *of, int kind, int64_t n,
                    double *approaches, double *volume)
{
    Row at[4], way[4], between;
    double weights[4], wide[2] = {0.0, 0.0}, back = INFINITY, forth = -INFINITY;
    gather(x, of, n, at);
    gather(ways, of, n, way);
    double distance = apart_by(kind, at, weights, &between);
    for (int corner = 0; corner < 4; corner++) {
        double along = dot(way[corner], between) / (distance + NO_WAY);
        wide[corner > kind] = larger(wide[corner > kind], margins[of[corner]]);
        forth = corner > kind ? larger(forth, along) : forth;
        back = corner > kind ? back : -larger(-back, -along);
    }
    approaches[0] = larger(forth - back, 0.0), approaches[1] = approaches[0] + wide[0] + wide[1];
    *volume = volume_of(at);
    return distance;
}

KERNEL nearness(const double *x, const double *ways, const double *margins, const int32_t *corners,
                const uint8_t *kinds, double *distances, double *approaches, double *volumes, int64_t n, int64_t m,
                int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++) {
        double found[2];
        distances[k] = near_on_ways(x, ways, margins, corners + 4 * k, kinds[k], n, found, volumes + k);
        approaches[k] = found[0], approaches[m + k] = found[1];
    }
}

KERNEL time_of_impact(const double *x, const double *ways, const int32_t *corners, const uint8_t *kinds,
                      const double *distances, const double *least, const double *met, double *shares, int64_t n,
                      int64_t m, int64_t first, int64_t last)
{
    Row start[4], way[4], at[4], between;
    for (int64_t k = first; k < last; k++) {
        double most[2] = {0.0, 0.0}, weights[4], apart = distances[k], left = least[k], step = 1.0;
        gather(ways, corners + 4 * k, n, way);
        Row mean = times(0.25, plus(plus(way[0], 1.0, way[1]), 1.0, plus(way[2], 1.0, way[3])));
        for (int corner = 0; corner < 4; corner++) {
            way[corner] = plus(way[corner], -1.0, mean);
            most[corner > kinds[k]] = larger(most[corner > kinds[k]], sqrt(dot(way[corner], way[corner])));
        }
        double approach = most[0] + most[1], share = 0.0, enough = 0.0;
        shares[k] = 1.0;
        if (approach == 0.0 || (apart > 0.0 && OF_STEP * (apart - left) / approach >= 1.0))
            continue;
        gather(x, corners + 4 * k, n, start);
        for (int turn = 0; apart > enough && turn < MOST_ADVANCES && share < 1.0 && step > ENOUGH; turn++) {
            step = OF_STEP * (apart - left) / approach;
            share = share + step < 1.0 ? share + step : 1.0;
            for (int corner = 0; corner < 4; corner++)
                at[corner] = plus(start[corner], share, way[corner]);
            apart = apart_by(kinds[k], at, weights, &between), enough = met[k];
        }
        shares[k] = share;
    }
}

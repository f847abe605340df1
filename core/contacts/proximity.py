# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles of a body come close to each other, or to its triangles, in a substep."""

from typing import NamedTuple

import numpy as np

from ..topology import connected_parts
from .impact import along

# What joined pairs keep apart by themselves: over the longest edge there.
_NEIGHBOURS = 1.05

# Distances over the thickness up to which pairs are looked at: contacts push them into each other.
REACH = 1.5

# Way towards each other that is looked ahead for, over the size of triangles: beyond, the search costs too much.
_FARTHEST = 2.0

# Part of a triangle beyond its sides in which particles are kept in view.
_BESIDE = 0.4

# Of lengths and areas, only to divide by.
_LEAST = 1e-150


class Candidates(NamedTuple):
    """Pairs of particles, and particles with triangles, that may come close in a substep.

    pairs: shape (pair_count, 2); particles: shape (count,); triangles: their corners, shape (count, 3).
    """

    pairs: np.ndarray
    particles: np.ndarray
    triangles: np.ndarray


class Proximity:
    """Finds what comes close on the surface of a body: a tree of the particles at the start, then the way of each pair.

    What is closer in the pose of rest than the thickness, or than an edge is long, is left to the springs, where
    springs join both.

    body: Body; thickness: of every particle [m], shape (particle_count,); faces: whether triangles are looked at.
    """

    def __init__(self, body, thickness, *, faces=True):
        network, triangles = body.network, np.asarray(body.triangles)
        self._rest, self._thickness, count = network.points, thickness, network.vertex_count
        self._movable = network.pins < 1.0
        self._parts = connected_parts(network.edges, count)
        surface = np.unique(np.concatenate([triangles.ravel(), np.asarray(body.strands).ravel()]))
        self._particles = surface if len(surface) else np.arange(count)
        self._near, self._size = thickness.copy(), np.zeros(count)
        for corners in (triangles, np.asarray(body.strands)):
            self._measure(corners)
        self._faces = faces and len(triangles) > 0
        # Every triangle from each of its corners, in the order of the first.
        turned = np.stack([triangles, np.roll(triangles, -1, axis=1), np.roll(triangles, -2, axis=1)], axis=1)
        turned = turned.reshape(-1, 3)
        self._turned = turned[np.argsort(turned[:, 0], kind="stable")]
        self._degrees = np.bincount(turned[:, 0], minlength=count)
        self._firsts = np.cumsum(self._degrees) - self._degrees

    def _measure(self, corners):
        """Take note of edges, and of how far a triangle's points are from the corner that weighs most in them."""
        if len(corners) == 0:
            return
        points = self._rest[corners]
        edges = np.linalg.norm(points - np.roll(points, 1, axis=1), axis=2).max(axis=1)
        spread = np.linalg.norm(points - points.mean(axis=1, keepdims=True), axis=2).max(axis=1)
        for column in corners.T:
            np.maximum.at(self._near, column, _NEIGHBOURS * edges)
            if corners.shape[1] == 3:
                np.maximum.at(self._size, column, 1.1 * np.maximum(spread, 0.5 * edges))

    def candidates(self, x, end):
        """Candidates on straight ways from x to end [m], shape (particle_count, 3)."""
        from scipy.spatial import cKDTree

        way = end - x
        way -= way.mean(axis=0)
        thick, size = REACH * self._thickness.max(), self._size.max() if self._faces else 0.0
        fastest = 2.0 * np.sqrt(along(way, way).max(initial=0.0))
        reach = np.hypot(thick, size) + min(fastest, _FARTHEST * max(size, thick))
        tree = cKDTree(x[self._particles], balanced_tree=False, compact_nodes=False)
        found = self._particles[tree.query_pairs(reach, output_type="ndarray")]
        found = found[np.lexsort((found[:, 1], found[:, 0]))]
        i, j = found.T
        u, w = x[i] - x[j], way[i] - way[j]
        squared, approach = along(w, w), along(u, w)
        share = np.clip(-approach / np.maximum(squared, _LEAST), 0.0, 1.0)
        closest = along(u, u) + share * (2.0 * approach + share * squared)
        thick = REACH * 0.5 * (self._thickness[i] + self._thickness[j])
        sizes = np.maximum(self._size[i], self._size[j]) if self._faces else 0.0
        kept = (closest < thick**2 + sizes**2) & self._may_meet(i, j)
        i, j, closest, thick = i[kept], j[kept], closest[kept], thick[kept]
        pairs = np.column_stack([i, j])[closest < thick**2]
        if not self._faces:
            return Candidates(pairs, np.zeros(0, dtype=np.intp), np.zeros((0, 3), dtype=np.intp))
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
        near = np.tile(closest, 2) < np.tile(thick, 2) ** 2 + self._size[j] ** 2
        return Candidates(pairs, *self._with_triangles(x, end, i[near], j[near]))

    def _with_triangles(self, x, end, particles, corners):
        """Particles and triangles about corners near them, each once: the corner weighs most where they meet."""
        degrees = self._degrees[corners]
        starts = np.cumsum(degrees) - degrees
        entries = np.arange(degrees.sum()) + np.repeat(self._firsts[corners] - starts, degrees)
        particles, triangles = np.repeat(particles, degrees), self._turned[entries]
        others = ~(triangles == particles[:, None]).any(axis=1)
        particles, triangles = particles[others], triangles[others]
        weights, _, height = meeting_points(x, end, particles, triangles)
        first, second, third = weights.T
        thick = REACH * self._thickness[particles]
        kept = (first >= second) & (first > third) & (weights.min(axis=1) > -_BESIDE) & (height < 2.0 * thick)
        particles, triangles = particles[kept], triangles[kept]
        weights = np.maximum(weights[kept], 0.0)
        weights /= weights.sum(axis=1, keepdims=True)
        apart = self._rest[particles] - np.einsum("ij,ijk->ik", weights, self._rest[triangles])
        joined = self._parts[particles] == self._parts[triangles[:, 0]]
        apart = ~joined | (along(apart, apart) >= self._near[particles] ** 2)
        return particles[apart], triangles[apart]

    def _may_meet(self, i, j):
        """Mask of pairs that springs do not keep apart, and of which one can move."""
        apart = self._rest[i] - self._rest[j]
        near = np.maximum(self._near[i], self._near[j])
        far = (self._parts[i] != self._parts[j]) | (along(apart, apart) >= near**2)
        return far & (self._movable[i] | self._movable[j])


def meeting_points(x, end, particles, triangles):
    """Where particles meet the planes of triangles on their ways from x to end [m], or are closest at the end.

    Weights of the corners, normals on the side where the particle begins, shape (count, 3), and heights over the
    plane through the triangle's end along them [m], below 0 for what passes through.
    """
    from_x, from_end = _seen(x, particles, triangles), _seen(end, particles, triangles)
    heights = [along(_unit(np.cross(a, b)), u) for a, b, u in (from_x, from_end)]
    side = np.where(heights[0] >= 0.0, 1.0, -1.0)
    before, after = side * heights[0], side * heights[1]
    share = np.where(after >= 0.0, 1.0, before / np.maximum(before - after, _LEAST))[:, None]
    a, b, u = (one + share * (other - one) for one, other in zip(from_x, from_end, strict=True))
    aa, ab, bb, au, bu = along(a, a), along(a, b), along(b, b), along(a, u), along(b, u)
    area = np.maximum(aa * bb - ab * ab, _LEAST)
    second, third = (bb * au - ab * bu) / area, (aa * bu - ab * au) / area
    n = side[:, None] * _unit(np.cross(a, b))
    return np.column_stack([1.0 - second - third, second, third]), n, along(n, from_end[2])


def _seen(x, particles, triangles):
    """Both edges and the particle, from the first corner."""
    corner = x[triangles[:, 0]]
    return x[triangles[:, 1]] - corner, x[triangles[:, 2]] - corner, x[particles] - corner


def _unit(vectors):
    return vectors / np.maximum(np.sqrt(along(vectors, vectors)), _LEAST)[:, None]

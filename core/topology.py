# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of vertices a spring joins: mesh arrays and lattices to edges."""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

LATTICE_LEVELS = ("FACE", "EDGE", "CORNER")


@dataclass(frozen=True, eq=False)
class Polygons:
    """Faces of any size in flat form, as Blender stores them.

    corners: vertex index of every face corner, faces one after the other, shape (corner_count,).
    sizes: number of corners of every face, shape (face_count,).
    """

    corners: np.ndarray
    sizes: np.ndarray

    @classmethod
    def from_faces(cls, faces):
        """Flatten a sequence of vertex-index sequences, or an index array of shape (face_count, k)."""
        if isinstance(faces, cls):
            return faces
        try:
            faces = [_corners_of(face, number) for number, face in enumerate(() if faces is None else faces)]
        except TypeError as error:
            raise ValueError(
                f"faces are {faces!r}: give a sequence of faces, each of its vertex indices"
            ) from error
        sizes = np.array([len(face) for face in faces], dtype=np.intp)
        corners = np.concatenate(faces) if faces else np.empty(0, dtype=np.intp)
        return cls(corners, sizes)

    def sides(self):
        """Every corner with the next one round its face, shape (corner_count, 2)."""
        return np.column_stack([self.corners, self.neighbour_corners(1)])

    def neighbour_corners(self, offset):
        """Vertex reached by walking `offset` corners round its face from every corner, shape (corner_count,).

        offset: integer, or one per corner.
        """
        starts = np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
        within = np.arange(len(self.corners)) - starts
        return self.corners[starts + (within + offset) % np.repeat(self.sizes, self.sizes)]

    def edges(self):
        """Sides of all faces, each once, shape (edge_count, 2)."""
        return unique_edges(self.sides())

    def triangles(self):
        """Every face as a fan about its first corner, shape (triangle_count, 3)."""
        starts = np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
        within = np.arange(len(self.corners)) - starts
        fan = np.column_stack([self.corners[starts], self.corners, self.neighbour_corners(1)])
        return fan[(within > 0) & (within < np.repeat(self.sizes, self.sizes) - 1)]

    def areas(self, points):
        """Area of every face [m^2], for points of shape (vertex_count, 3) [m]."""
        return np.linalg.norm(self.area_vectors(points), axis=1)

    def area_vectors(self, points):
        """Normal of every face as long as its area [m^2], shape (face_count, 3); points as of `areas`."""
        faces = np.repeat(np.arange(len(self.sizes)), self.sizes)
        first = self.corners[(np.cumsum(self.sizes) - self.sizes)[faces]]
        here, there = (points[corners] - points[first] for corners in self.sides().T)
        doubled = [np.bincount(faces, along, len(self.sizes)) for along in np.cross(here, there).T]
        return 0.5 * np.stack(doubled, axis=1)


def _corners_of(face, number):
    """Vertex indices of one face, which has a number."""
    corners = np.asarray(face)
    if corners.size and corners.dtype.kind not in "iu":
        raise ValueError(f"face {number} is {face!r}: give the indices of its vertices")
    return corners.astype(np.intp, copy=False).ravel()


def unique_edges(edges, known=None):
    """Undirected edges without repeats and loops, in first-seen order, shape (edge_count, 2).

    known: edges, shape (k, 2), that are left out of the result.
    """
    edges = np.sort(np.asarray(edges, dtype=np.intp).reshape(-1, 2), axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    before = np.empty((0, 2), dtype=np.intp) if known is None else np.sort(known, axis=1)
    both = np.concatenate([before, edges])
    keys = both[:, 0] * (both.max(initial=0) + 1) + both[:, 1]
    _, first = np.unique(keys, return_index=True)
    return both[np.sort(first[first >= len(before)])]


def shear_edges(polygons):
    """Diagonals of quads and n-gons: corners two apart, and opposite corners; complete up to seven corners."""
    ring_sizes = np.repeat(polygons.sizes, polygons.sizes)
    has_diagonal = ring_sizes > 3
    two_apart = np.column_stack([polygons.corners, polygons.neighbour_corners(2)])
    opposite = np.column_stack([polygons.corners, polygons.neighbour_corners(ring_sizes // 2)])
    return unique_edges(np.concatenate([two_apart[has_diagonal], opposite[has_diagonal]]))


def bending_edges(polygons):
    """The vertices opposite each shared edge: on a grid every second vertex along both directions."""
    return unique_edges(hinges(polygons)[0])


class SidesOfEdges(NamedTuple):
    """Every edge between two faces, and what lies beside it in either; winding may differ from face to face.

    edges: shape (count, 2), the lower vertex first; faces: shape (count, 2); beside: the neighbours of the edge's ends
    round each face, shape (count, 2 faces, 2 ends): of a triangle the same at both.
    """

    edges: np.ndarray
    faces: np.ndarray
    beside: np.ndarray


def sides_of_edges(polygons):
    """SidesOfEdges of all that two faces share; of an edge that more share, of each face and the next."""
    heads, tails = polygons.corners, polygons.neighbour_corners(1)
    before, after = polygons.neighbour_corners(-1), polygons.neighbour_corners(2)
    forward = heads < tails
    beside = np.column_stack([np.where(forward, before, after), np.where(forward, after, before)])
    edges = np.column_stack([np.minimum(heads, tails), np.maximum(heads, tails)])
    order = np.lexsort(edges.T[::-1])
    edges, beside = edges[order], beside[order]
    face = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)[order]
    shared = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    both = np.column_stack([shared, shared + 1])
    return SidesOfEdges(edges[shared], face[both], beside[both])


def hinges(polygons):
    """Pairs of vertices opposite each shared edge, the end of the edge between them, and the two faces.

    Across a shared edge, each of its ends joins its neighbour in one face to its neighbour in the other; two
    triangles have the same pair at both ends, two quads have two. Shapes (hinge_count, 2), (hinge_count,),
    (hinge_count, 2).
    """
    sides = sides_of_edges(polygons)
    pairs = np.concatenate([sides.beside[:, :, 0], sides.beside[:, :, 1]])
    return pairs, np.concatenate([sides.edges[:, 0], sides.edges[:, 1]]), np.tile(sides.faces, (2, 1))


def lattice_points(shape, spacing):
    """Points of a box lattice with its first corner at the origin, shape (nx ny nz, 3) [m], z fastest."""
    axes = [np.arange(count) * float(spacing) for count in shape]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def lattice_edges(shape, levels):
    """Neighbours in a box lattice of `shape` points, shape (edge_count, 2).

    levels: any of "FACE", "EDGE", "CORNER", neighbours at 1, sqrt 2 and sqrt 3 times the spacing.
    """
    indices = np.arange(np.prod(shape)).reshape(shape)
    wanted = {LATTICE_LEVELS.index(level) + 1 for level in levels}
    edges = [np.empty((0, 2), dtype=np.intp)]
    for step in product((-1, 0, 1), repeat=3):
        # Of each pair of opposite steps only the one that points forward is walked.
        if step > (0, 0, 0) and np.count_nonzero(step) in wanted:
            here = tuple(slice(max(0, -s), count - max(0, s)) for s, count in zip(step, shape, strict=True))
            there = tuple(slice(max(0, s), count - max(0, -s)) for s, count in zip(step, shape, strict=True))
            edges.append(np.column_stack([indices[here].ravel(), indices[there].ravel()]))
    return np.concatenate(edges)


def lattice_faces(shape):
    """Quads on the outside of a box lattice of `shape` points, shape (face_count, 4); one layer has one side."""
    indices = np.arange(np.prod(shape)).reshape(shape)
    quads = [np.empty((0, 4), dtype=np.intp)]
    for axis in range(3):
        for outside in (-1, 0)[: min(shape[axis], 2)]:
            layer = np.take(indices, outside, axis=axis)
            corners = layer[:-1, :-1], layer[1:, :-1], layer[1:, 1:], layer[:-1, 1:]
            # Outwards: on the upper side as the axes turn, which on the middle axis is the other way round.
            turned = corners if (outside == -1) == (axis != 1) else corners[::-1]
            quads.append(np.stack(turned, axis=-1).reshape(-1, 4))
    return np.concatenate(quads)


def edge_batches(edges, vertex_count):
    """Split edges into batches in which no two share a vertex, as a list of index arrays.

    Each batch is a maximal matching, found in rounds: an edge is taken where it comes first, in a fixed
    random order, at both its ends (Luby 1986). The same edges give the same batches.
    """
    # Descending rank: of repeated indices NumPy keeps the last value written, here the lowest rank.
    order = np.random.default_rng(0).permutation(len(edges))[::-1]
    ends, ranks = edges[order], np.arange(len(edges))[::-1]
    waiting = np.arange(len(edges))
    batches = []
    while len(waiting):
        taken = np.zeros(vertex_count, dtype=bool)
        chosen = np.zeros(len(edges), dtype=bool)
        candidates = waiting
        while len(candidates):
            first = np.empty(vertex_count, dtype=np.intp)
            first[ends[candidates].ravel()] = np.repeat(ranks[candidates], 2)
            wins = (first[ends[candidates]] == ranks[candidates][:, None]).all(axis=1)
            chosen[candidates[wins]] = True
            taken[ends[candidates[wins]]] = True
            candidates = candidates[~taken[ends[candidates]].any(axis=1)]
        batches.append(order[chosen])
        waiting = waiting[~chosen[waiting]]
    return batches


def mesh_springs(edges, polygons, *, structural, shear, bending):
    """Springs of a mesh, shape (spring_count, 2), and the stiffness of each, its kind's.

    A pair of vertices gets one spring, of the first kind that asks for it; 0 or None leaves a kind out.
    """
    springs, stiffness = np.empty((0, 2), dtype=np.intp), np.empty(0)
    for pairs, k in (
        (edges, structural),
        (shear_edges(polygons), shear),
        (bending_edges(polygons), bending),
    ):
        if k is not None and k != 0:
            new = unique_edges(pairs, known=springs)
            springs = np.concatenate([springs, new])
            stiffness = np.concatenate([stiffness, np.full(len(new), float(k))])
    return springs, stiffness


def lattice_levels(reach):
    """Levels of neighbours that a name, with the levels before it, or a collection of names stands for."""
    levels = reach
    if isinstance(reach, str) and reach in LATTICE_LEVELS:
        levels = LATTICE_LEVELS[: LATTICE_LEVELS.index(reach) + 1]
    if isinstance(levels, str) or not set(levels) <= set(LATTICE_LEVELS):
        raise ValueError(f"lattice reach is {reach!r}: use {', '.join(LATTICE_LEVELS)} or several of them")
    return levels


def length_normalised_stiffness(stiffness, points, springs):
    """k_s / L of every spring [N/m], for k_s in N; raises ValueError for a spring without length."""
    lengths = np.linalg.norm(points[springs[:, 0]] - points[springs[:, 1]], axis=1)
    zero = np.flatnonzero(lengths == 0.0)
    if len(zero):
        raise ValueError(
            f"spring {zero[0]} joins vertices {springs[zero[0]].tolist()} at one place, so its stiffness "
            "cannot be divided by its length: merge them, or turn length-normalised stiffness off"
        )
    return stiffness / lengths


def connected_parts(edges, vertex_count):
    """Number of the connected part of every vertex, from 0 in the order of the vertices, shape (vertex_count,)."""
    parts = np.arange(vertex_count)
    heads, tails = np.asarray(edges, dtype=np.intp).reshape(-1, 2).T
    while True:
        ends = parts[heads], parts[tails]
        apart = ends[0] != ends[1]
        if not apart.any():
            return np.unique(parts, return_inverse=True)[1].ravel()
        heads, tails = heads[apart], tails[apart]
        lower, higher = np.minimum(*ends)[apart], np.maximum(*ends)[apart]
        # Of two parts that a spring joins the higher becomes the lower, and so does all that became it.
        np.minimum.at(parts, higher, lower)
        while not np.array_equal(parts, parts[parts]):
            parts = parts[parts]


def network_parts(network):
    """Number of the part of a SpringNetwork, joined by springs and stencils that are not broken, of every vertex."""
    return network.parts

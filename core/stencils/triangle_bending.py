# SPDX-License-Identifier: GPL-3.0-or-later
"""How triangles bend: one curvature tensor each, from how the slope turns between its plane and its sides.

It is Morley's element. The surface has one slope at the middle of every edge, across it; a triangle's curvature Q is
what its own slope turns by to those at its three sides,

    A Q = sum over its sides of turn l n n^T,

with area A, length l and normal n of the side in the triangle's plane. Whatever the slopes at the edges are, the energy
is nowhere below that of the element, whose slopes are those of the least energy, and which goes to the plate's on any
mesh. Here they are no unknowns but such that quadratic surfaces have their own curvature: the turns on either side of
an edge add up to the jump between both planes, which four points measure, and differ by what the curvature about the
edge, fitted to the jumps over it and the other sides of both triangles, makes of their shapes. Where these are alike,
as on regular meshes, each turn is half of the jump.

What no side measures, beyond a border or a sliver, is the least it can be: across a free border nothing bends. Where a
pin holds all of a triangle it cannot bend: what turns at its side does so beside it alone, so that what is clamped
bends right to second order.

Morley 1968, "The triangular equilibrium element in the solution of plate bending problems"; Grinspun, Gingold, Reisman
and Zorin 2006, "Computing discrete shape operators on general meshes", for tensors by triangle of hinges.
"""

from typing import NamedTuple

import numpy as np

from ..topology import Polygons, sides_of_edges
from .hinges import Hinges
from .stencils import Stencils

# Height over an edge, as a share of its length, from which down a triangle is a sliver, over which nothing bends.
SLIVER = 1e-3
# A fit takes a curvature for zero if jumps tell less of it: a thousandth of the part that each tells of its own.
_UNTOLD = 1e-3
# Share from which down two sides of a sliver measure the same.
_PARALLEL = 1e-6
# Share of a jump by which turns beside an edge must differ to count: on regular meshes rounding is all there is.
_ALIKE = 1e-9
# The same of a weight to the largest of its curvature: what cancels but for rounding.
_ROUNDING = 1e-12


class Pieces(NamedTuple):
    """Triangles that faces are divided into.

    corners: shape (count, 3); face: that each is of; areas [m^2]; held: whether a pin holds all of it.
    """

    corners: np.ndarray
    face: np.ndarray
    areas: np.ndarray
    held: np.ndarray


def triangle_bending(points, pieces, bends, rigidity):
    """Stencils of the curvatures [1/m] of some triangles, without rest lengths: three each, of up to twelve vertices.

    points [m], shape (vertex_count, 3); pieces: Pieces, also those beside; bends: mask of them; rigidity: B [N m] of
    every piece.
    """
    bends = np.flatnonzero(bends & ~pieces.held & (pieces.areas > 0.0))
    if len(bends):
        edges = _Edges.between(points, pieces)
        bends = bends[(edges.over[bends] >= 0).any(axis=1)]
    if not len(bends):
        return Stencils.none()
    jumps, weights = _turns_as_jumps(edges)
    flat = in_plane(points, pieces.corners[bends])
    tensors = _tensors_of_turns(flat, pieces.areas[bends], edges.over[bends] >= 0)
    vertices, sums = _gathered(edges, bends, jumps, weights, tensors)
    sums = _in_principal_axes(points, pieces.corners[bends], vertices, sums)
    sums[np.abs(sums) < _ROUNDING * np.abs(sums).max(axis=(1, 2), keepdims=True)] = 0.0
    stiffness = np.repeat((rigidity * pieces.areas)[bends], 3)
    vertices, sums = np.repeat(vertices, 3, axis=0), sums.reshape(-1, vertices.shape[1])
    measures = (sums != 0.0).any(axis=1)
    return Stencils(vertices[measures], sums[measures], np.maximum(stiffness[measures], np.finfo(float).tiny))


class _Edges(NamedTuple):
    """Edges between two triangles that are no slivers.

    hinges: Hinges; faces: the triangles, shape (count, 2); corners: of all triangles; over: the edge opposite every
    corner of all triangles, -1 for none, shape (piece_count, 3).
    turns: on either side by the curvatures tt, tn and nn in axes along the edge and across it, from the first side to
    the second, shape (count, 2, 3) [m]; zero where a pin holds the triangle. bend: which sides do, shape (count, 2).
    """

    hinges: Hinges
    faces: np.ndarray
    corners: np.ndarray
    over: np.ndarray
    turns: np.ndarray
    bend: np.ndarray

    @classmethod
    def between(cls, points, pieces):
        """The edges of some pieces."""
        corners = pieces.corners
        sides = sides_of_edges(Polygons(corners.ravel(), np.full(len(corners), 3)))
        firm = Hinges(points, sides.edges, *sides.beside[:, :, 0].T).firm(SLIVER)
        faces = sides.faces[firm]
        hinges = Hinges(points, sides.edges[firm], *sides.beside[firm][:, :, 0].T)
        over = np.full((len(corners), 3), -1)
        for side in (0, 1):
            opposite = _places(corners[faces[:, side]], hinges.vertices[:, 2 + side])
            over[faces[:, side], opposite] = np.arange(len(faces))
        length, height = hinges.lengths[:, None], hinges.heights
        along = (hinges.shares - 0.5) * length
        bend = ~pieces.held[faces]
        turns = np.stack(
            [0.5 * (along**2 - 0.25 * length**2) / height, along * [-1.0, 1.0], 0.5 * height], axis=-1
        )
        return cls(hinges, faces, corners, over, bend[:, :, None] * turns, bend)


def _places(corners, vertices):
    """Which corner of each triangle is a vertex."""
    return np.argmax(corners == vertices[:, None], axis=1)


def _turns_as_jumps(edges):
    """The turn on the first side of every edge as a sum of jumps: edges, -1 for none, and weights, shape (count, 5).

    The edge's own jump is first; the turn on the second side is what is left of that.
    """
    count = len(edges.faces)
    jumps, weights = np.full((count, 5), -1), np.zeros((count, 5))
    jumps[:, 0] = np.arange(count)
    both = edges.bend.all(axis=1)
    weights[:, 0] = np.where(both, 0.5, edges.bend[:, 0])
    differences = edges.turns[:, 0] - edges.turns[:, 1]
    scale = np.abs(edges.turns).max(axis=(1, 2), initial=0.0)
    askew = np.flatnonzero(both & (np.abs(differences).max(axis=1, initial=0.0) > _ALIKE * scale))
    if len(askew):
        jumps[askew], told = _around(edges, askew)
        difference = differences[askew] * [1.0, np.sqrt(0.5), 1.0]
        square = np.einsum("eki,ekj->eij", told, told) + _UNTOLD * np.eye(3)
        fitted = np.linalg.solve(square, difference[:, :, None])[:, :, 0]
        weights[askew] += 0.5 * np.einsum("eki,ei->ek", told, fitted) / _mean_heights(edges)[jumps[askew]]
    return jumps, weights


def _mean_heights(edges):
    """Mean height [m] of the triangles over every edge, a held one counts as none."""
    return np.maximum(edges.turns[:, :, 2].sum(axis=1), np.finfo(float).tiny)


def _around(edges, askew):
    """The sides of both triangles at some edges, -1 for none, and what their jumps, over mean heights, tell.

    They tell of the curvature's components tt, sqrt(2) tn and nn in axes along the edge and across it. Shapes
    (count, 5) and (count, 5, 3).
    """
    hinges, rows = edges.hinges, np.arange(len(askew))
    half = 0.5 * hinges.lengths[askew]
    ends = np.stack([np.column_stack([-half, 0.0 * half]), np.column_stack([half, 0.0 * half])], axis=1)
    around, told = np.full((len(askew), 5), -1), np.zeros((len(askew), 5, 3))
    around[:, 0] = askew
    told[:, 0] = _told(edges, askew, ends[:, 1], np.ones(len(askew)))
    for side, sign in ((0, -1.0), (1, 1.0)):
        piece, apex = edges.faces[askew, side], hinges.vertices[askew, 2 + side]
        up = sign * hinges.heights[askew, side]
        top = np.column_stack([(2.0 * hinges.shares[askew, side] - 1.0) * half, up])
        for end in (0, 1):
            # The side from this end to the apex is opposite the other end.
            there = edges.over[piece, _places(edges.corners[piece], hinges.vertices[askew, 1 - end])]
            along = top - ends[rows, end]
            along *= np.where(hinges.vertices[there, 0] == apex, -1.0, 1.0)[:, None]
            # Whether the triangle lies to the left of it: then its first side does, or its second.
            left = _cross(along, ends[rows, 1 - end] - ends[rows, end]) > 0.0
            first = edges.faces[there, 0] == piece
            around[:, 1 + 2 * side + end] = there
            found = _told(edges, there, along, np.where(left == first, -1.0, 1.0))
            told[:, 1 + 2 * side + end] = np.where((there < 0)[:, None], 0.0, found)
    return around, told


def _cross(a, b):
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _told(edges, chosen, along, turned):
    """The jumps over some edges by a curvature's xx, sqrt(2) xy and yy, over their mean heights.

    along: their directions in those axes, shape (count, 2); turned: 1 where their second side lies to the left of it.
    """
    t = along / np.linalg.norm(along, axis=1)[:, None]
    n = turned[:, None] * _left(t)
    told = edges.turns[chosen].sum(axis=1) / _mean_heights(edges)[chosen, None]
    forms = np.stack([_form(t, t), _form(t, n), _form(n, n)], axis=1)
    return np.einsum("ei,eij->ej", told, forms)


def _left(t):
    """Directions turned by a quarter to the left."""
    return np.column_stack([-t[:, 1], t[:, 0]])


def _form(p, q):
    """p^T Q q as a sum of xx, sqrt(2) xy and yy of Q, shape (count, 3)."""
    mixed = np.sqrt(0.5) * (p[:, 0] * q[:, 1] + p[:, 1] * q[:, 0])
    return np.column_stack([p[:, 0] * q[:, 0], mixed, p[:, 1] * q[:, 1]])


def _tensors_of_turns(flat, areas, present):
    """Matrices from turns at the sides of triangles to components xx, sqrt(2) xy and yy, shape (count, 3, 3).

    flat: corners in their planes; present: which sides are edges between two triangles, shape (count, 3).
    """
    squares, tensors = np.empty((len(flat), 3, 3)), np.empty((len(flat), 3, 3))
    for side in range(3):
        along = flat[:, (side + 2) % 3] - flat[:, (side + 1) % 3]
        length = np.maximum(np.linalg.norm(along, axis=1), np.finfo(float).tiny)
        normal = _left(along / length[:, None])
        squares[:, side] = _form(normal, normal)
        tensors[:, :, side] = (present[:, side] * length / areas)[:, None] * squares[:, side]
    # Less what no side measures.
    some = np.flatnonzero(~present.all(axis=1))
    unmeasured = np.where(present[some, :, None], 0.0, squares[some])
    tensors[some] -= np.linalg.pinv(unmeasured, _PARALLEL) @ unmeasured @ tensors[some]
    return tensors


def _gathered(edges, bends, jumps, weights, tensors):
    """Components of curvatures as sums of vertices: these, shape (count, width), and weights, (count, 3, width)."""
    over = edges.over[bends]
    first = edges.faces[over, 0] == bends[:, None]
    # The second side turns by what is left of the edge's own jump.
    own = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    turns = np.where(first[:, :, None], weights[over], own - weights[over])
    piece, side, place = np.nonzero(np.where((over < 0)[:, :, None], 0.0, turns))
    edge = jumps[over[piece, side], place]
    parts = turns[piece, side, place][:, None] * tensors[piece, :, side]
    vertices = edges.hinges.vertices[edge]
    return _added_up(piece, vertices, parts[:, :, None] * edges.hinges.weights[edge][:, None], len(bends))


def _added_up(rows, vertices, weights, row_count):
    """Sums of a row with each vertex once.

    rows: shape (count,); vertices: (count, 4); weights: (count, 3, 4). Returns vertices, shape (row_count, width), that
    repeat the first of a row where it has fewer, and weights, shape (row_count, 3, width).
    """
    most = int(vertices.max(initial=0)) + 1
    keys, inverse = np.unique((rows[:, None] * most + vertices).ravel(), return_inverse=True)
    row, vertex = np.divmod(keys, most)
    starts = np.searchsorted(row, np.arange(row_count))
    place = np.arange(len(keys)) - starts[row]
    width = int(place.max(initial=0)) + 1
    joined = vertex[np.minimum(starts, len(keys) - 1)][:, None].repeat(width, axis=1)
    joined[row, place] = vertex
    sums = np.zeros((row_count, 3, width))
    for component in range(3):
        sums[row, component, place] = np.bincount(inverse.ravel(), weights[:, component].ravel(), len(keys))
    return joined, sums


def in_plane(points, corners):
    """Corners of triangles in axes of their own planes, shape (count, 3, 2)."""
    a, b, c = points[corners].transpose(1, 0, 2)
    x = b - a
    length = np.maximum(np.linalg.norm(x, axis=1), np.finfo(float).tiny)
    x = x / length[:, None]
    along = np.einsum("ij,ij->i", c - a, x)
    up = np.linalg.norm((c - a) - along[:, None] * x, axis=1)
    zero = np.zeros(len(length))
    return np.stack(
        [np.column_stack([zero, zero]), np.column_stack([length, zero]), np.column_stack([along, up])], axis=1
    )


def _in_principal_axes(points, corners, vertices, weights):
    """Components xx, sqrt(2) xy and yy in the axes of the curvature that the points have, where the second is zero.

    A length tells no sign: in other axes what keeps its shape could twist without a change of any component.
    """
    u = np.einsum("tcw,twi->tci", weights, points[vertices])
    a, b, c = points[corners].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    xx, xy, yy = np.einsum("tci,ti->ct", u, normal) * [[1.0], [np.sqrt(0.5)], [1.0]]
    angle = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    cos, sin = np.cos(angle), np.sin(angle)
    mixed = np.sqrt(2.0) * sin * cos
    turn = np.array(
        [[cos**2, mixed, sin**2], [-mixed, cos**2 - sin**2, mixed], [sin**2, -mixed, cos**2]]
    ).transpose(2, 0, 1)
    return turn @ weights

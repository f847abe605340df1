# SPDX-License-Identifier: GPL-3.0-or-later
"""How a sheet bends: its curvatures as stencils, the same energy on any mesh.

The energy is that of a plate of Poisson's ratio 0, B/2 (k_xx^2 + k_yy^2 + 2 k_xy^2) per area, B the flexural rigidity.
Faces are of two kinds. Quads whose corners are near right angles measure the curvature along their two families of
lines, and their twist. All other faces are divided into triangles, each of which has one curvature tensor from the
slopes' jumps over its sides: half a jump belongs to either side of an edge,

    A Q = sum over its sides of s J l n n^T,  s = 1/2,

with area A, length l and normal n of the side in the triangle's plane. Q is exact for quadratic surfaces on regular
meshes; energies of single hinges, one by one, are not: they bend one and a half to nine times too hard, by direction.

Where a pin holds a whole face it cannot bend: what turns at its side does so in the face beside it alone, s = 1. So
what is clamped bends right to second order.

Grinspun, Gingold, Reisman and Zorin 2006, "Computing discrete shape operators on general meshes", for tensors by
triangle; Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006, "A quadratic bending model for inextensible surfaces", for
weights that are constant where the surface keeps its lengths.
"""

from typing import NamedTuple

import numpy as np

from ..topology import Polygons, sides_of_edges
from .hinges import Hinges
from .stencils import Stencils

# Cosine of a quad's corner from which on its lines are too far from perpendicular to measure its bending along them:
# the energy is off by up to the square of it.
_ASKEW = 0.3
# Height over an edge, as a share of its length, from which down a face is a sliver, over which nothing bends.
_SLIVER = 1e-3
# Weight of what jumps mean by themselves against what they measure. Little of it is exact for quadratic surfaces, and
# lets meshes of alternating diagonals give way by zigzags; much of it is too stiff by how irregular a mesh is. Energies
# of bending along the mesh and along 45 degrees where the rest may relax: alternating diagonals 0.77, 0.77 at 0.03;
# 0.91, 1.03 at 1; 0.98, 1.28 at 4; 1.00, 1.47 at 30; points that are a quarter of their distance off a regular triangle
# mesh 0.97, 0.97; 1.01, 1.02; 1.10, 1.11; 1.17, 1.19.
_TRUST = 4.0


class _Pieces(NamedTuple):
    """The triangles that faces are divided into.

    corners: shape (count, 3); face: that each is of; areas [m^2]; held: whether a pin holds all of it.
    """

    corners: np.ndarray
    face: np.ndarray
    areas: np.ndarray
    held: np.ndarray


def sheet_bending(points, polygons, rigidity, held):
    """Stencils of curvatures [1/m], without rest lengths.

    points [m], shape (vertex_count, 3); polygons: Polygons; rigidity: B [N m], scalar or shape (vertex_count,); held:
    mask of the vertices that pins hold, shape (vertex_count,).
    """
    if len(polygons.sizes) == 0:
        return Stencils.none()
    square = _square_quads(points, polygons)
    by_lines = _among_their_like(polygons, square)
    rigidity = np.broadcast_to(np.asarray(rigidity, dtype=np.float64), (len(points),))
    of_face = _means(rigidity, polygons)
    return Stencils.joined(
        [
            _lines(points, polygons, square, by_lines, of_face, held),
            _twists(points, _corners(polygons, by_lines), of_face[by_lines]),
            _tensors(points, _pieces(points, polygons, held), by_lines, of_face),
        ]
    )


def _means(values, polygons):
    """Mean of what the corners of every face have."""
    faces = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
    return np.bincount(faces, values[polygons.corners], len(polygons.sizes)) / np.maximum(polygons.sizes, 1)


def _corners(polygons, quads):
    """Corners of some faces that are quads, by their mask, shape (count, 4)."""
    starts = np.cumsum(polygons.sizes) - polygons.sizes
    return polygons.corners[starts[quads][:, None] + np.arange(4)]


def _square_quads(points, polygons):
    """Mask of the faces that are quads with corners near right angles."""
    square = polygons.sizes == 4
    corners = _corners(polygons, square)
    sides = points[np.roll(corners, -1, axis=1)] - points[corners]
    lengths = np.linalg.norm(sides, axis=2)
    turned = np.einsum("fij,fij->fi", sides, np.roll(sides, 1, axis=1))
    near = (np.abs(turned) <= _ASKEW * lengths * np.roll(lengths, 1, axis=1)) & (lengths > 0.0)
    square[square] = near.all(axis=1)
    return square


def _among_their_like(polygons, square):
    """Mask of the square quads that share edges with square quads alone."""
    faces = sides_of_edges(polygons).faces
    like = square.copy()
    like[faces[~square[faces].all(axis=1)]] = False
    return like


def _lines(points, polygons, square, by_lines, rigidity, held):
    """Curvature along the lines of square quads: at each end of the edge between two, over it."""
    pairs, through, faces, across = _lines_over_edges(polygons)
    whole = _face_held(polygons, held)
    bends = by_lines & ~whole
    chosen = square[faces].all(axis=1) & bends[faces].any(axis=1)
    pairs, through, faces, across = pairs[chosen], through[chosen], faces[chosen], across[chosen]
    hinges = Hinges(points, np.column_stack([through, across]), *pairs.T)
    firm = hinges.firm(_SLIVER)
    # A quarter of each face bends about each end of an edge, over half of the way to the next line.
    way = 0.5 * (~whole[faces] * hinges.heights).sum(axis=1)
    areas = 0.25 * polygons.areas(points)[faces]
    weights = hinges.weights / np.maximum(way, np.finfo(float).tiny)[:, None]
    # On straight lines the edge's other end has no part in it, but for rounding.
    weights[np.abs(weights) < 1e-9 * np.abs(weights).max(axis=1, keepdims=True)] = 0.0
    stiffness = (bends[faces] * areas * rigidity[faces]).sum(axis=1)
    return _together(hinges.vertices[firm], weights[firm], stiffness[firm])


def _lines_over_edges(polygons):
    """As `topology.hinges`, with the other end of each edge."""
    sides = sides_of_edges(polygons)
    ends = np.concatenate([sides.edges, sides.edges[:, ::-1]])
    pairs = np.concatenate([sides.beside[:, :, 0], sides.beside[:, :, 1]])
    return pairs, ends[:, 0], np.tile(sides.faces, (2, 1)), ends[:, 1]


def _together(vertices, weights, stiffness):
    """Stencils, of which those that are straight lines over the same three vertices are one."""
    straight = weights[:, 1] == 0.0
    ends = np.sort(vertices[straight][:, 2:], axis=1)
    turned = vertices[straight][:, 2] > vertices[straight][:, 3]
    own = weights[straight]
    own = np.where(turned[:, None], own[:, [0, 1, 3, 2]], own)
    keys = np.column_stack([vertices[straight][:, 0], ends])
    lines, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    sums = np.bincount(inverse.ravel(), stiffness[straight], len(lines))
    merged = Stencils(lines, own[first][:, [0, 2, 3]], _above_zero(sums))
    bent = Stencils(vertices[~straight], weights[~straight], _above_zero(stiffness[~straight]))
    return Stencils.joined([merged, bent])


def _twists(points, quads, rigidity):
    """Twist of square quads: what the fourth corner leaves the plane of the others, over the area."""
    p = points[quads]
    normal = np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
    doubled = np.maximum(np.linalg.norm(normal, axis=1), np.finfo(float).tiny)
    normal /= doubled[:, None]
    # Barycentric: seen along the normal, the weighted sum of the corners is nothing but out of the plane.
    areas = np.stack(
        [_along(normal, p[:, (k + 1) % 4], p[:, (k + 2) % 4], p[:, (k + 3) % 4]) for k in range(4)], axis=1
    )
    weights = areas * [1.0, -1.0, 1.0, -1.0] / (0.125 * doubled**2)[:, None]
    return Stencils(quads, weights, _above_zero(rigidity * doubled))


def _along(normal, a, b, c):
    """Area of triangles, seen along a normal."""
    return 0.5 * np.einsum("ij,ij->i", np.cross(b - a, c - a), normal)


def _pieces(points, polygons, held):
    """Faces divided into triangles: quads along their shorter diagonal, larger ones as a fan."""
    corners, face = (
        polygons.triangles(),
        np.repeat(np.arange(len(polygons.sizes)), np.maximum(polygons.sizes - 2, 0)),
    )
    ring = _corners(polygons, polygons.sizes == 4)
    first = np.linalg.norm(points[ring[:, 0]] - points[ring[:, 2]], axis=1)
    other = np.linalg.norm(points[ring[:, 1]] - points[ring[:, 3]], axis=1)
    turned = np.where((other < first)[:, None], np.roll(ring, -1, axis=1), ring)
    corners[polygons.sizes[face] == 4] = turned[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    a, b, c = points[corners].transpose(1, 0, 2)
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return _Pieces(corners, face, areas, held[corners].all(axis=1))


def _tensors(points, pieces, by_lines, rigidity):
    """Curvature tensors of triangles that faces are divided into, but for those by lines: three stencils each."""
    sides = sides_of_edges(Polygons(pieces.corners.ravel(), np.full(len(pieces.corners), 3)))
    counts = ~by_lines[pieces.face[sides.faces]].all(axis=1)
    counts[counts] = Hinges(points, sides.edges[counts], *sides.beside[counts][:, :, 0].T).firm(_SLIVER)
    edges, both = sides.edges[counts], sides.faces[counts]
    hinges = Hinges(points, edges, *sides.beside[counts][:, :, 0].T)
    count, flat = len(pieces.corners), _in_plane(points, pieces)
    # Of each side: how its slope's jump measures a curvature, what curvature it means, and what it is a sum of.
    measured, meant, sums = np.zeros((count, 3, 3)), np.zeros((count, 3, 3)), np.zeros((count, 3, 6))
    opposite, present = np.tile(pieces.corners[:, :1], (1, 3)), np.zeros((count, 3), dtype=bool)
    for own, other in ((0, 1), (1, 0)):
        piece, beside = both[:, own], both[:, other]
        rows, corners = np.arange(len(piece)), pieces.corners[piece]
        side = np.argmin(
            (corners[:, :, None] == edges[:, None, :]).any(axis=2), axis=1
        )  # is opposite this corner
        places = [np.argmax(corners == hinges.vertices[:, column, None], axis=1) for column in (0, 1)]
        i, j = (flat[piece][rows, place] for place in places)
        normal = _side_normals(flat[piece], side)
        away = i + hinges.shares[:, other, None] * (j - i) + hinges.heights[:, other, None] * normal
        mean = 0.5 * hinges.heights.sum(axis=1)
        # Where a pin holds what is beside, all of the turn is on this side.
        scale = np.where(pieces.held[beside], 2.0, 1.0) / mean
        at = [i, j, flat[piece][rows, side], away]
        of_hinge = hinges.weights[:, [0, 1, 2 + own, 2 + other]]
        measured[piece, side] = sum((of_hinge[:, k] / mean)[:, None] * _monomials(at[k]) for k in range(4))
        share = 0.5 * hinges.lengths * mean / np.maximum(pieces.areas[piece], np.finfo(float).tiny)
        meant[piece, side] = share[:, None] * 2.0 * _monomials(normal)
        for k, place in enumerate([*places, side, 3 + side]):
            sums[piece, side, place] = of_hinge[:, k] * scale
        opposite[piece, side] = hinges.vertices[:, 2 + other]
        present[piece, side] = True
    bends = present.any(axis=1) & ~pieces.held & (pieces.areas > 0.0) & ~by_lines[pieces.face]
    vertices = np.column_stack([pieces.corners, opposite])[bends]
    weights = _tensor_of_jumps(measured[bends], meant[bends]) @ sums[bends]
    weights = _in_principal_axes(points, vertices, weights)
    stiffness = np.repeat(_above_zero((rigidity[pieces.face] * pieces.areas)[bends]), 3)
    vertices, weights = np.repeat(vertices, 3, axis=0), weights.reshape(-1, 6)
    measures = (weights != 0.0).any(axis=1)
    return Stencils(vertices[measures], weights[measures], stiffness[measures])


def _tensor_of_jumps(measured, meant):
    """Matrices from the jumps over three sides to components xx, yy and sqrt(2) xy, shape (count, 3, 3).

    The tensor Q whose jumps, `measured` Q, are nearest to those there are: exact where the surface is quadratic. As far
    as the sides tell little of it, it is what the jumps themselves are, the sum of them times `meant`.
    """
    transposed = measured.transpose(0, 2, 1)
    square = transposed @ measured + _TRUST * np.eye(3)
    return np.linalg.solve(square, transposed + _TRUST * meant.transpose(0, 2, 1))


def _monomials(x):
    """x^2/2, y^2/2 and x y/sqrt(2) of points in a plane, shape (count, 3)."""
    return np.column_stack([0.5 * x[:, 0] ** 2, 0.5 * x[:, 1] ** 2, np.sqrt(0.5) * x[:, 0] * x[:, 1]])


def _in_plane(points, pieces):
    """Corners of triangles in axes of their own planes, shape (count, 3, 2)."""
    a, b, c = points[pieces.corners].transpose(1, 0, 2)
    x = b - a
    length = np.maximum(np.linalg.norm(x, axis=1), np.finfo(float).tiny)
    x = x / length[:, None]
    along = np.einsum("ij,ij->i", c - a, x)
    up = np.linalg.norm((c - a) - along[:, None] * x, axis=1)
    zero = np.zeros(len(length))
    return np.stack(
        [np.column_stack([zero, zero]), np.column_stack([length, zero]), np.column_stack([along, up])], axis=1
    )


def _side_normals(flat, opposite):
    """Unit normals, in the plane, of the sides opposite some corners."""
    rows = np.arange(len(flat))
    along = flat[rows, (opposite + 2) % 3] - flat[rows, (opposite + 1) % 3]
    normal = np.column_stack([along[:, 1], -along[:, 0]])
    return normal / np.maximum(np.linalg.norm(normal, axis=1), np.finfo(float).tiny)[:, None]


def _in_principal_axes(points, vertices, weights):
    """Components xx, yy and sqrt(2) xy in the axes of the curvature that the points have, where the last is zero.

    A length tells no sign: in other axes what keeps its shape could twist without a change of any component.
    """
    u = np.einsum("tcw,twi->tci", weights, points[vertices])
    a, b, c = points[vertices[:, :3]].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    xx, yy, xy = np.einsum("tci,ti->ct", u, normal) * [[1.0], [1.0], [np.sqrt(0.5)]]
    angle = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    cos, sin = np.cos(angle), np.sin(angle)
    root = np.sqrt(2.0)
    turn = np.array(
        [
            [cos**2, sin**2, root * sin * cos],
            [sin**2, cos**2, -root * sin * cos],
            [-root * sin * cos, root * sin * cos, cos**2 - sin**2],
        ]
    ).transpose(2, 0, 1)
    return turn @ weights


def _face_held(polygons, held):
    """Mask of the faces of which a pin holds every corner."""
    faces = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
    free = np.bincount(faces, ~held[polygons.corners], len(polygons.sizes))
    return free == 0


def _above_zero(stiffness):
    """Stiffness as a network takes it: where nothing bends, next to nothing."""
    return np.maximum(stiffness, np.finfo(float).tiny)

# SPDX-License-Identifier: GPL-3.0-or-later
"""How a sheet bends: its curvatures as stencils, the same energy on any mesh.

The energy is that of a plate of Poisson's ratio 0, B/2 (k_xx^2 + k_yy^2 + 2 k_xy^2) per area, B the flexural rigidity.
Faces are of two kinds. Quads whose corners are near right angles measure the curvature along their two families of
lines, and their twist. All other faces are divided into triangles, each of which has one curvature tensor, see
`triangle_bending`; energies of single hinges, one by one, bend one and a half to nine times too hard, by direction.

Where a pin holds a whole face it cannot bend: what turns at its side does so in the face beside it alone. So what is
clamped bends right to second order.

Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006, "A quadratic bending model for inextensible surfaces", for weights
that are constant where the surface keeps its lengths.
"""

import numpy as np

from ..listed import distinct_rows
from ..polygons import triangulated
from ..topology import sides_of_edges
from .hinges import Hinges
from .stencils import Stencils
from .triangle_bending import SLIVER, Pieces, triangle_bending

# Cosine of a quad's corner from which on its lines are too far from perpendicular to measure its bending along them:
# the energy is off by up to the square of it.
_ASKEW = 0.3


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
    pieces = _pieces(points, polygons, held)
    return Stencils.joined(
        [
            _lines(points, polygons, square, by_lines, of_face, held),
            _twists(points, _corners(polygons, by_lines), of_face[by_lines]),
            triangle_bending(points, pieces, ~by_lines[pieces.face], of_face[pieces.face]),
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
    """Mask of the faces that are quads with corners near right angles, which all turn as the face does.

    One whose sides cross has none, however near to right its corners are: its area is a difference. Nor has a sliver.
    """
    square = polygons.sizes == 4
    p = points[_corners(polygons, square)]
    sides = np.roll(p, -1, axis=1) - p
    before, lengths = np.roll(sides, 1, axis=1), np.linalg.norm(sides, axis=2)
    turned = np.abs(np.einsum("fij,fij->fi", sides, before))
    normal = np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
    convex = np.einsum("fij,fj->fi", np.cross(before, sides), normal) > 0.0
    near = (turned <= _ASKEW * lengths * np.roll(lengths, 1, axis=1)) & convex
    firm = lengths.min(axis=1, initial=np.inf) > SLIVER * lengths.max(axis=1, initial=0.0)
    square[square] = near.all(axis=1) & firm
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
    firm = hinges.firm(SLIVER)
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
    lines, first, inverse = distinct_rows(keys, return_index=True, return_inverse=True)
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
    """Faces divided into triangles: quads along their shorter diagonal, larger ones as `triangulated`."""
    corners, face = (
        triangulated(points, polygons),
        np.repeat(np.arange(len(polygons.sizes)), np.maximum(polygons.sizes - 2, 0)),
    )
    ring = _corners(polygons, polygons.sizes == 4)
    first = np.linalg.norm(points[ring[:, 0]] - points[ring[:, 2]], axis=1)
    other = np.linalg.norm(points[ring[:, 1]] - points[ring[:, 3]], axis=1)
    turned = np.where((other < first)[:, None], np.roll(ring, -1, axis=1), ring)
    corners[polygons.sizes[face] == 4] = turned[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    a, b, c = points[corners].transpose(1, 0, 2)
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return Pieces(corners, face, areas, held[corners].all(axis=1))


def _face_held(polygons, held):
    """Mask of the faces of which a pin holds every corner."""
    faces = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
    free = np.bincount(faces, ~held[polygons.corners], len(polygons.sizes))
    return free == 0


def _above_zero(stiffness):
    """Stiffness as a network takes it: where nothing bends, next to nothing."""
    return np.maximum(stiffness, np.finfo(float).tiny)

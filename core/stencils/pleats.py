# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges that keep an angle between their faces."""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ..axes import cross, dot
from ..quantities import edge_array, number, quantity, real_array
from ..topology import sides_of_edges
from .element_rows import ElementRows

# Of rest angles from here on, half of what is beyond is taken from the angles of the other sign, and added to those
# beyond half a turn: panels of a flat fold that are pressed through each other are pressed back.
_STEEP = 0.5 * np.pi
_TINY = np.finfo(float).tiny


@dataclass(frozen=True, eq=False)
class Pleating:
    """Pleats for a mesh.

    edges: between two faces each, vertex indices, shape (count, 2); others have no effect. angles: fold angles at rest
    [rad], above 0 towards the normals, at most half a turn, shape (count,) or scalar. stiffness: torque over angle per
    length of the edge [N], above 0. time: time constant of a pleat without mass [s], in which the difference to its
    angle falls by a factor of e, at least 0.

    Raises ValueError for a value out of its range.
    """

    edges: np.ndarray
    angles: np.ndarray | float
    stiffness: np.ndarray | float = 0.01
    time: float = 0.0

    def checked(self, vertex_count):
        """Edges, angles [rad], stiffness [N] and damping [N s], arrays, of a mesh of so many vertices."""
        edges = edge_array(self.edges, vertex_count)
        angles = _angles(self.angles, len(edges))
        stiffness = quantity("stiffness of a pleat", self.stiffness, "pleat", len(edges), "N", above=0.0)
        return edges, angles, stiffness, stiffness * number("time of a pleat", self.time, "s")


def _angles(given, count):
    angles = np.array(np.broadcast_to(real_array("angle of a pleat", given), (count,)))
    beyond = ~(np.abs(angles) <= np.pi * (1.0 + 1e-6))
    if beyond.any():
        raise ValueError(
            f"a pleat has an angle of {np.degrees(angles[beyond][0]):g} degrees: give -180 to 180"
        )
    return angles


@dataclass(frozen=True, eq=False)
class Pleats(ElementRows):
    """Edges with the energies k/2 (a - a_0)^2, a the angle by which their faces are turned from flat.

    Grinspun, Hirani, Desbrun and Schroeder 2003, "Discrete shells", has this energy; Bridson, Marino and Fedkiw 2003,
    "Simulation of clothing with folds and wrinkles", the gradient.

    vertices: both ends of each edge, the two that a face has beside it, and those of the other, shape (count, 6); the
    first face has the edge from the first end to the second. shares: of these vertices in the ends and in the points
    opposite the edge, shape (count, 6). angles: a_0 [rad], above 0 where faces are turned towards their normals;
    stiffness: k [N m]; damping: torque over the speed of turning [N m s]; weights: of the vertices in what turns either
    face, along its normal [1/m], shape (count, 2, 6).
    """

    vertices: np.ndarray
    shares: np.ndarray
    angles: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    weights: np.ndarray

    @classmethod
    def none(cls):
        """No pleats."""
        rows, numbers = np.empty((0, 6)), np.empty(0)
        return cls(np.empty((0, 6), dtype=np.intp), rows, numbers, numbers, numbers, np.empty((0, 2, 6)))

    @classmethod
    def of(cls, points, polygons, pleating):
        """The pleats of a mesh at rest at points [m]; polygons: Polygons; pleating: Pleating."""
        count = len(points)
        edges, angles, stiffness, damping = pleating.checked(count)
        sides = sides_of_edges(polygons)
        known, place = _keys(sides.edges, count), _keys(edges, count)
        order = np.argsort(place, kind="stable")
        found = np.minimum(np.searchsorted(place[order], known), max(len(place) - 1, 0))
        pleated = np.flatnonzero(place[order][found] == known) if len(place) else np.empty(0, dtype=np.intp)
        which = order[found[pleated]] if len(place) else pleated
        ahead = _ahead(polygons, sides.edges[pleated], sides.faces[pleated, 0], count)
        first, second = np.where(ahead, 0, 1), np.where(ahead, 1, 0)
        beside, rows = sides.beside[pleated], np.arange(len(pleated))
        vertices = np.column_stack([sides.edges[pleated], beside[rows, first], beside[rows, second]])
        shares = np.tile([1.0, 1.0, 0.5, 0.5, 0.5, 0.5], (len(rows), 1))
        for column in (2, 4):
            alone = vertices[:, column] == vertices[:, column + 1]
            shares[alone, column], shares[alone, column + 1] = 1.0, 0.0
        stiffness, damping, nothing = stiffness[which], damping[which], np.zeros((len(rows), 2, 6))
        bare = cls(vertices, shares, angles[which], stiffness, damping, nothing)
        _, ups, along, length = _measured(bare, np.ascontiguousarray(points.T))
        up, none = np.sqrt([dot(of, of) for of in ups]), np.zeros(len(rows))
        both = (up[0], none), (none, up[1])
        weights = np.stack([_spread(bare, one, other, along).T for one, other in both], axis=1)
        firm = length > 0.0
        k, c = bare.stiffness * length, bare.damping * length
        return replace(bare, stiffness=k, damping=c, weights=weights).chosen(firm)

    def turned(self, angles):
        """The same with other angles at rest [rad]."""
        return replace(self, angles=_angles(angles, len(self)))

    def found(self, x):
        """Angles at x, shape (vertex_count, 3) [m], from the one at which those of the rest angle's sign end [rad]."""
        return _measured(self, np.ascontiguousarray(x.T))[0]

    def without(self, edges, vertex_count):
        """The same without those along some edges, shape (count, 2)."""
        gone = np.isin(_keys(self.vertices[:, :2], vertex_count), _keys(edges, vertex_count))
        k, c = (np.where(gone, 0.0, of) for of in (self.stiffness, self.damping))
        return replace(self, stiffness=k, damping=c)


def _keys(edges, count):
    return edges.min(axis=1, initial=count) * count + edges.max(axis=1, initial=0)


def _ahead(polygons, edges, faces, count):
    """Whether each face has the edge from its first end to its second."""
    face = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
    heads, tails = polygons.sides().T
    has = (face * count + heads) * count + tails
    return np.isin((faces * count + edges[:, 0]) * count + edges[:, 1], has)


def _measured(pleats, x):
    """Angles [rad], what turns them at the points opposite, two of shape (3, count) [1/m], where along the edges these
    are, shape (2, count), and lengths of the edges [m].
    """
    vertices = pleats.vertices.T
    start, end = x[:, vertices[0]], x[:, vertices[1]]
    one, other = (
        pleats.shares[:, k] * x[:, vertices[k]] + pleats.shares[:, k + 1] * x[:, vertices[k + 1]]
        for k in (2, 4)
    )
    edge = end - start
    square = np.maximum(dot(edge, edge), _TINY)
    length = np.sqrt(square)
    first, second = cross(start - one, end - one), cross(end - other, start - other)
    angles = -np.arctan2(dot(cross(first, second), edge) / length, dot(first, second))
    # From where angles count as those beyond half a turn.
    sign = np.where(pleats.angles < 0.0, -1.0, 1.0)
    cut = np.pi - 0.5 * np.maximum(np.abs(pleats.angles) - _STEEP, 0.0)
    angles = np.where(sign * angles < -cut, angles + 2.0 * np.pi * sign, angles)
    ups = [n * (length / np.maximum(dot(n, n), _TINY)) for n in (first, second)]
    along = np.stack([dot(of - start, edge) / square for of in (one, other)])
    return angles, ups, along, length


def _spread(pleats, one, other, along):
    """Of what acts at the points opposite, shape (…, count), all at the vertices, shape (6, …, count)."""
    shares = pleats.shares.T
    return np.stack(
        [
            -(1.0 - along[0]) * one - (1.0 - along[1]) * other,
            -along[0] * one - along[1] * other,
            *(shares[k] * one for k in (2, 3)),
            *(shares[k] * other for k in (4, 5)),
        ]
    )


class PleatOperators:
    """Energy, gradient and second derivative of Pleats in a network of so many vertices, as VolumeOperators.

    Of the second derivative, what is positive semidefinite is kept: k da da^T. Damping has c/(2 dt) (a - a_start)^2 in
    an implicit step.
    """

    def __init__(self, pleats, vertex_count):
        self._pleats, self._vertex_count = pleats, vertex_count
        self._flat = pleats.vertices.T.ravel()
        self._about = np.zeros((6, 3, len(pleats)))
        self._damping, self._begun = np.zeros(len(pleats)), pleats.angles

    def stepping(self, dt):
        """The same of an implicit step of dt [s], with damping from where it `start_from`."""
        own = copy(self)
        own._damping = self._pleats.damping / dt
        return own

    def start_from(self, x):
        """Set the positions at the start of the step that damping counts from."""
        if self._damping.any():
            self._begun = _measured(self._pleats, x)[0]

    @property
    def firsts(self):
        """A vertex of every pleat."""
        return self._pleats.vertices[:, 0]

    def energy(self, x):
        """Energy at x [J]."""
        return float(self.energies(x).sum())

    def energies(self, x):
        """Energy of every pleat at x [J], shape (count,)."""
        return self._torques(_measured(self._pleats, x)[0])[0]

    def add_gradient(self, x, out, *, linearise=False):
        """Add the gradient at x [N] to `out`; returns the energy [J]; linearise: see `add_product`."""
        angles, gradients = self._gradients(x)
        if linearise:
            self._about = gradients
        energies, torques = self._torques(angles)
        self._add(torques * gradients, out)
        return float(energies.sum())

    def add_product(self, p, out):
        """Add H p to `out`, H about where it was linearised last."""
        turns = np.einsum("kic,ikc->c", self._about, p[:, self._pleats.vertices.T])
        self._add(self._firm * turns * self._about, out)

    def add_blocks(self, out):
        """Add to `out` what H has at each vertex itself: xx, yy, zz, xy, yz and zx, shape (6, vertex_count)."""
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
        g = self._about
        for row, (one, other) in zip(out, pairs, strict=True):
            entries = self._firm * g[:, one] * g[:, other]
            row += np.bincount(self._flat, entries.ravel(), self._vertex_count)

    def hessian(self, x):
        """H about x, as SciPy BSR of three rows a vertex."""
        from scipy import sparse

        gradients = self._gradients(x)[1].transpose(2, 0, 1)
        count = len(self._pleats)
        columns = (3 * self._pleats.vertices[:, :, None] + np.arange(3)).ravel()
        rows, shape = np.repeat(np.arange(count), 18), (count, 3 * self._vertex_count)
        by_turns = sparse.csr_matrix((gradients.ravel(), (rows, columns)), shape=shape)
        return (by_turns.T @ sparse.diags(self._firm) @ by_turns).tobsr(blocksize=(3, 3))

    def bound(self):
        """A matrix the same for x, y and z that is nowhere below H where lengths are those at rest [N/m], SciPy CSR.

        The square of a sum of two is at most twice the sum of their squares: what turns the faces has two normals.
        """
        from scipy import sparse

        pleats = self._pleats
        rows, columns = (
            np.repeat(np.arange(2 * len(pleats)), 6),
            np.repeat(pleats.vertices, 2, axis=0).ravel(),
        )
        shape = 2 * len(pleats), self._vertex_count
        turns = sparse.csr_matrix((pleats.weights.ravel(), (rows, columns)), shape=shape)
        return (turns.T @ sparse.diags(np.repeat(2.0 * self._firm, 2)) @ turns).tocsr()

    @property
    def _firm(self):
        return self._pleats.stiffness + self._damping

    def _torques(self, angles):
        """Energy of every pleat [J], and its derivative [N m]."""
        away, turned, k = angles - self._pleats.angles, angles - self._begun, self._pleats.stiffness
        energies = 0.5 * (k * away**2 + self._damping * turned**2)
        return energies, k * away + self._damping * turned

    def _gradients(self, x):
        """Angles [rad], and their gradients [1/m], shape (6, 3, count)."""
        angles, ups, along, _ = _measured(self._pleats, x)
        return angles, _spread(self._pleats, ups[0], ups[1], along)

    def _add(self, pulls, out):
        """Add pulls at vertices, shape (6, 3, count), to `out`."""
        for axis, row in enumerate(out):
            row += np.bincount(self._flat, pulls[:, axis].ravel(), self._vertex_count)

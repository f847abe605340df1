# SPDX-License-Identifier: GPL-3.0-or-later
"""The mass-spring network: what does not change with time."""

from functools import cached_property

import numpy as np

from .incidence import Incidence
from .topology import (
    LATTICE_LEVELS,
    Polygons,
    bending_edges,
    lattice_edges,
    lattice_points,
    shear_edges,
    unique_edges,
)


class SpringNetwork:
    """Point masses joined by springs: immutable arrays, validated once.

    points: positions at rest and at the start [m], shape (vertex_count, 3).
    edges: vertex indices of every spring, shape (spring_count, 2); none is allowed (free particles).
    masses: > 0 [kg], scalar or shape (vertex_count,).
    stiffness: > 0 [N/m], scalar or shape (spring_count,).
    rest_lengths: >= 0 [m], scalar or shape (spring_count,); None takes the distances between the points.
    damping: >= 0 along the spring [N s/m], scalar or shape (spring_count,).
    pins: weights 0..1, shape (vertex_count,); 1 is a hard pin (the vertex is its target), a weight between
        is a soft pin: a spring of zero rest length to the target with stiffness weight * pin_stiffness.
    pin_stiffness: > 0 [N/m], scalar.

    Raises ValueError naming the first array entry that is out of its range.
    """

    def __init__(
        self,
        points,
        edges,
        *,
        masses=1.0,
        stiffness=1e3,
        rest_lengths=None,
        damping=0.0,
        pins=None,
        pin_stiffness=1e3,
    ):
        self.points = _points(points)
        vertex_count = len(self.points)
        self.edges = _edges(edges, vertex_count)
        spring_count = len(self.edges)
        self.masses = _quantity("mass", masses, "vertex", vertex_count, "kg", above=0.0)
        self.stiffness = _quantity("stiffness", stiffness, "spring", spring_count, "N/m", above=0.0)
        self.damping = _quantity("damping", damping, "spring", spring_count, "N s/m")
        if rest_lengths is None:
            rest_lengths = self.spring_lengths(self.points)
        self.rest_lengths = _quantity("rest length", rest_lengths, "spring", spring_count, "m")
        self.pins = _quantity("pin weight", 0.0 if pins is None else pins, "vertex", vertex_count, most=1.0)
        self.pin_stiffness = float(
            _quantity("pin stiffness", pin_stiffness, "network", 1, "N/m", above=0.0)[0]
        )

    @classmethod
    def from_mesh(
        cls,
        points,
        edges,
        faces=None,
        *,
        structural=1e3,
        shear=1e3,
        bending=1e2,
        mass=1.0,
        length_normalised=False,
        **quantities,
    ):
        """Network of a mesh: structural springs on edges, shear and bending springs from faces.

        points [m], shape (n, 3); edges, shape (m, 2).
        faces: sequence of vertex-index sequences, index array (face_count, k), or Polygons.
        structural, shear, bending: stiffness of each kind [N/m]; 0 or None leaves the kind out. A pair of
            vertices gets one spring, of the first kind that asks for it.
        mass: of the whole mesh [kg], spread evenly over the vertices.
        length_normalised: the three stiffnesses are k_s in N per unit of fractional stretch, and a spring
            has k = k_s / L, so that a denser mesh of the same sheet hangs the same.
        quantities: damping, pins, pin_stiffness as in SpringNetwork.

        Raises ValueError as SpringNetwork does, and for a face corner that is no vertex.
        """
        points = _points(points)
        polygons = Polygons.from_faces(faces)
        _check_indices("face corner", polygons.corners, len(points))
        springs = np.empty((0, 2), dtype=np.intp)
        stiffness = np.empty(0)
        for pairs, k in (
            (_edges(edges, len(points)), structural),
            (shear_edges(polygons), shear),
            (bending_edges(polygons), bending),
        ):
            if k is not None and k != 0:
                new = unique_edges(pairs, known=springs)
                springs = np.concatenate([springs, new])
                stiffness = np.concatenate([stiffness, np.full(len(new), float(k))])
        if length_normalised:
            stiffness = _normalised(stiffness, points, springs)
        mass = _quantity("mass", mass, "mesh", 1, "kg", above=0.0)[0]
        return cls(points, springs, masses=mass / len(points), stiffness=stiffness, **quantities)

    @classmethod
    def lattice(cls, shape, spacing=1.0, reach="CORNER", **quantities):
        """Network of a box lattice with neighbours at 1, sqrt 2 and sqrt 3 times the spacing.

        shape: points along x, y, z; spacing [m].
        reach: "FACE", "EDGE" or "CORNER", each with the levels before it; or a collection of levels.
        quantities: masses, stiffness, rest_lengths, damping, pins, pin_stiffness as in SpringNetwork.

        Raises ValueError for a shape, spacing or reach outside these.
        """
        counts = np.asarray(shape)
        if (
            counts.shape != (3,)
            or not np.isfinite(counts).all()
            or (counts < 1).any()
            or (counts % 1 != 0).any()
        ):
            raise ValueError(f"lattice shape is {shape}: give three whole counts of at least 1 point")
        shape = tuple(int(count) for count in counts)
        if not (np.isfinite(spacing) and spacing > 0):
            raise ValueError(f"lattice spacing is {spacing} m: it must be above 0")
        levels = reach
        if isinstance(reach, str) and reach in LATTICE_LEVELS:
            levels = LATTICE_LEVELS[: LATTICE_LEVELS.index(reach) + 1]
        if isinstance(levels, str) or not set(levels) <= set(LATTICE_LEVELS):
            raise ValueError(
                f"lattice reach is {reach!r}: use {', '.join(LATTICE_LEVELS)} or several of them"
            )
        return cls(lattice_points(shape, spacing), lattice_edges(shape, levels), **quantities)

    @property
    def vertex_count(self):
        """Number of point masses."""
        return len(self.points)

    @property
    def spring_count(self):
        """Number of springs."""
        return len(self.edges)

    @cached_property
    def hard_pins(self):
        """Indices of vertices of pin weight 1, ascending."""
        return _frozen(np.flatnonzero(self.pins == 1.0))

    @cached_property
    def free(self):
        """Indices of vertices that are no hard pins, ascending."""
        return np.flatnonzero(self.pins < 1.0)

    @cached_property
    def soft_pins(self):
        """Indices of vertices of pin weight between 0 and 1, ascending."""
        return _frozen(np.flatnonzero((self.pins > 0.0) & (self.pins < 1.0)))

    @cached_property
    def pinned(self):
        """Indices of hard and soft pins, ascending."""
        return _frozen(np.flatnonzero(self.pins > 0.0))

    @cached_property
    def parts(self):
        """Number of the connected part that every vertex belongs to, counted from 0 in the order of the vertices."""
        parts = np.arange(self.vertex_count)
        while True:
            ends = parts[self.edges]
            lowest = ends.min(axis=1, initial=self.vertex_count)
            if (ends == lowest[:, None]).all():
                return _frozen(np.unique(parts, return_inverse=True)[1].ravel())
            # The highest-numbered roots join lower ones, and all below follow.
            np.minimum.at(parts, ends.max(axis=1), lowest)
            while not np.array_equal(parts, parts[parts]):
                parts = parts[parts]

    def with_springs(self, chosen):
        """The network with some of its springs; chosen: mask or indices."""
        quantities = {name: getattr(self, name)[chosen] for name in ("stiffness", "rest_lengths", "damping")}
        return SpringNetwork(
            self.points,
            self.edges[chosen],
            masses=self.masses,
            pins=self.pins,
            pin_stiffness=self.pin_stiffness,
            **quantities,
        )

    @cached_property
    def incidence(self):
        """Signed incidence matrix as an operator."""
        return Incidence(self.edges, self.vertex_count)

    def spring_lengths(self, x):
        """Distance between the ends of every spring at x [m], shape (spring_count,)."""
        squares = np.zeros(self.spring_count)
        # Axis by axis costs a quarter of gathering rows: the buffers stay in the cache.
        for column in np.ascontiguousarray(x.T):
            along = column[self.incidence.heads] - column[self.incidence.tails]
            squares += along * along
        return np.sqrt(squares)

    def strains(self, x):
        """(length - rest length) / rest length of every spring of non-zero rest length."""
        stretched = self.rest_lengths > 0.0
        rest = self.rest_lengths[stretched]
        return (self.spring_lengths(x)[stretched] - rest) / rest


def _normalised(stiffness, points, springs):
    lengths = np.linalg.norm(points[springs[:, 0]] - points[springs[:, 1]], axis=1)
    zero = np.flatnonzero(lengths == 0.0)
    if len(zero):
        raise ValueError(
            f"spring {zero[0]} joins vertices {springs[zero[0]].tolist()} at one place, so its stiffness "
            "cannot be divided by its length: merge them, or turn length-normalised stiffness off"
        )
    return stiffness / lengths


def _points(points):
    points = np.array(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) == 0:
        raise ValueError(f"points have shape {points.shape}: give at least one row of x, y, z")
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise ValueError(
            f"vertex {bad[0]} has the coordinates {tuple(points[bad[0]].tolist())}: every coordinate must be "
            f"finite, move or delete it ({len(bad)} such vertices)"
        )
    return _frozen(points)


def _edges(edges, vertex_count):
    edges = np.asarray(edges)
    if edges.size == 0:
        edges = np.empty((0, 2), dtype=np.intp)
    if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
        raise ValueError(f"edges have shape {edges.shape} of {edges.dtype}: give rows of two vertex indices")
    edges = edges.astype(np.intp)
    _check_indices("spring", edges, vertex_count)
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if len(loops):
        raise ValueError(
            f"spring {loops[0]} joins vertex {edges[loops[0], 0]} to itself: its ends must be two vertices"
        )
    return _frozen(edges)


def _check_indices(what, indices, vertex_count):
    bad = np.argwhere((indices < 0) | (indices >= vertex_count))
    if len(bad):
        value = indices[tuple(bad[0])]
        raise ValueError(f"{what} {bad[0][0]} names vertex {value}: indices run from 0 to {vertex_count - 1}")


def _quantity(name, value, owner, count, unit="", *, above=None, most=np.inf):
    """Broadcast to shape (count,), read-only; finite, > above or >= 0, <= most, else ValueError."""
    array = np.asarray(value, dtype=np.float64)
    if array.shape not in ((), (count,)):
        raise ValueError(
            f"{name} has shape {array.shape}: give one value, or one per {owner}, {count} in all"
        )
    array = np.array(np.broadcast_to(array, (count,)))
    low = array <= above if above is not None else array < 0.0
    bad = np.flatnonzero(~np.isfinite(array) | low | (array > most))
    if len(bad):
        limit = f"above {above:g}" if above is not None else "at least 0"
        limit += f" and at most {most:g}" if np.isfinite(most) else ""
        where = f"of {owner} {bad[0]} " if count > 1 else ""
        shown = f"{array[bad[0]]:g} {unit}".strip()
        raise ValueError(f"{name} {where}is {shown}: it must be finite, {limit}")
    return _frozen(array)


def _frozen(array):
    array.flags.writeable = False
    return array

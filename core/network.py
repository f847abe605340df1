# SPDX-License-Identifier: GPL-3.0-or-later
"""The mass-spring network: what does not change with time."""

from copy import copy
from functools import cached_property

import numpy as np

from .incidence import Incidence, sparse
from .quantities import (
    check_indices,
    edge_array,
    frozen,
    lattice_shape,
    pin_weight_array,
    point_array,
    quantity,
)
from .spectrum import gershgorin_bound, spectrum, spectrum_bound
from .surface import Surface
from .topology import (
    Polygons,
    lattice_edges,
    lattice_faces,
    lattice_levels,
    lattice_points,
    length_normalised_stiffness,
    mesh_springs,
)

# Stiffness of the springs of a mesh where none is given: structural, shear, bending [N/m].
_KINDS = {"structural": 1e3, "shear": 1e3, "bending": 1e2}


class SpringNetwork:
    """Point masses joined by springs: immutable arrays, validated once.

    points: positions at rest and at the start [m], shape (vertex_count, 3).
    edges: vertex indices of every spring, shape (spring_count, 2); none is allowed (free particles).
    masses: > 0 [kg], scalar or shape (vertex_count,).
    stiffness: > 0 [N/m], scalar or shape (spring_count,).
    rest_lengths: >= 0 [m], scalar or shape (spring_count,); None takes the distances between the points.
    damping: >= 0 along the spring [N s/m], scalar or shape (spring_count,).
    pins: whole numbers are indices of hard pins, floats of shape (vertex_count,) weights 0..1: 1 is a hard
        pin (the vertex is its target), a weight between is a soft pin: a spring of zero rest length to the
        target with stiffness weight * pin_stiffness.
    pin_stiffness: > 0 [N/m], scalar.
    surface: Surface that air and contacts feel; None takes every spring for a strand.

    Raises ValueError naming the first array entry that is out of its range, and for pins that may mean both.

    >>> network = SpringNetwork([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1], [1, 2]], stiffness=50.0, pins=[0])
    >>> network.rest_lengths, network.hard_pins
    (array([1., 1.]), array([0]))
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
        surface=None,
    ):
        self.points = point_array(points)
        vertex_count = len(self.points)
        self.edges = edge_array(edges, vertex_count)
        spring_count = len(self.edges)
        self.masses = quantity("mass", masses, "vertex", vertex_count, "kg", above=0.0)
        self.stiffness = quantity("stiffness", stiffness, "spring", spring_count, "N/m", above=0.0)
        self.damping = quantity("damping", damping, "spring", spring_count, "N s/m")
        if rest_lengths is None:
            rest_lengths = self.spring_lengths(self.points)
        self.rest_lengths = quantity("rest length", rest_lengths, "spring", spring_count, "m")
        self.pins = pin_weight_array(pins, vertex_count)
        self.pin_stiffness = float(
            quantity("pin stiffness", pin_stiffness, "network", 1, "N/m", above=0.0)[0]
        )
        self.broken = frozen(np.zeros(spring_count, dtype=bool))
        self.surface = Surface(self.edges) if surface is None else surface

    @classmethod
    def from_mesh(
        cls,
        points,
        edges=None,
        faces=None,
        *,
        stiffness=None,
        structural=...,
        shear=...,
        bending=...,
        mass=1.0,
        length_normalised=False,
        material=None,
        **quantities,
    ):
        """Network of a mesh: structural springs on edges, shear and bending springs from faces.

        points [m], shape (n, 3); edges, shape (m, 2), or None for the sides of the faces.
        faces: sequence of vertex-index sequences, index array (face_count, k), or Polygons.
        stiffness: of all springs [N/m]; None takes 1e3, and 1e2 for bending.
        structural, shear, bending: of one kind instead [N/m]; 0 or None leaves the kind out. A pair of
            vertices gets one spring, of the first kind that asks for it.
        mass: of the whole mesh [kg], spread evenly over the vertices.
        length_normalised: the stiffnesses are k_s in N per unit of fractional stretch, and a spring
            has k = k_s / L, so that a denser mesh of the same sheet hangs the same.
        material: Material in place of all these and of damping: stiffness, mass and damping follow from it.
        quantities: damping, pins, pin_stiffness as in SpringNetwork.

        Raises ValueError as SpringNetwork does, and for a face corner that is no vertex.

        >>> square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        >>> SpringNetwork.from_mesh(square, faces=[[0, 1, 2, 3]], stiffness=200.0, bending=0).spring_count
        6
        """
        points = point_array(points)
        polygons = Polygons.from_faces(faces)
        check_indices("face corner", polygons.corners, len(points))
        edges = polygons.edges() if edges is None else edge_array(edges, len(points))
        surface = Surface(edges, polygons)
        if material is not None:
            return cls(points, **material.springs(points, surface), surface=surface, **quantities)
        given = {"structural": structural, "shear": shear, "bending": bending}
        usual = _KINDS if stiffness is None else dict.fromkeys(_KINDS, stiffness)
        kinds = {name: usual[name] if k is ... else k for name, k in given.items()}
        springs, k = mesh_springs(edges, polygons, **kinds)
        if length_normalised:
            k = length_normalised_stiffness(k, points, springs)
        mass = quantity("mass", mass, "mesh", 1, "kg", above=0.0)[0]
        return cls(points, springs, masses=mass / len(points), stiffness=k, surface=surface, **quantities)

    @classmethod
    def grid(cls, shape, spacing=1.0, **quantities):
        """Network of a flat sheet of quads in x and y, vertex (i, j) at index i * shape[1] + j.

        shape: points along x and y; spacing [m]; quantities: as in `from_mesh`.

        Raises ValueError for a shape or spacing outside these.

        >>> SpringNetwork.grid((21, 21), 0.05, pins=[0, 20])
        SpringNetwork of 441 vertices and 2438 springs, 2 of the vertices pinned
        """
        shape = (*lattice_shape("grid", shape, 2, spacing), 1)
        return cls.from_mesh(lattice_points(shape, spacing), faces=lattice_faces(shape), **quantities)

    @classmethod
    def lattice(cls, shape, spacing=1.0, reach="CORNER", **quantities):
        """Network of a box lattice with neighbours at 1, sqrt 2 and sqrt 3 times the spacing.

        shape: points along x, y, z; spacing [m].
        reach: "FACE", "EDGE" or "CORNER", each with the levels before it; or a collection of levels.
        quantities: masses, stiffness, rest_lengths, damping, pins, pin_stiffness as in SpringNetwork.

        Raises ValueError for a shape, spacing or reach outside these.
        """
        shape = lattice_shape("lattice", shape, 3, spacing)
        faces = Polygons.from_faces(lattice_faces(shape))
        surface = Surface(faces.edges(), faces)
        edges = lattice_edges(shape, lattice_levels(reach))
        return cls(lattice_points(shape, spacing), edges, surface=surface, **quantities)

    def changed(self, *, stiffness=None, rest_lengths=None, broken=None):
        """This network with other springs between the same vertices; broken ones have no force and stay so.

        stiffness, rest_lengths: as at the start, None for those of now; broken: mask, shape (spring_count,).

        Raises ValueError as SpringNetwork does.
        """
        network, count = copy(self), self.spring_count
        for name in ("spectrum", "spectrum_bound"):
            network.__dict__.pop(name, None)
        if broken is not None:
            network.broken = frozen(self.broken | (quantity("mask", broken, "spring", count, most=1.0) > 0.0))
        if stiffness is not None:
            stiffness = np.where(network.broken, 1.0, stiffness)
            network.stiffness = quantity("stiffness", stiffness, "spring", count, "N/m", above=0.0)
        network.stiffness = frozen(np.where(network.broken, 0.0, network.stiffness))
        network.damping = frozen(np.where(network.broken, 0.0, network.damping))
        if rest_lengths is not None:
            network.rest_lengths = quantity("rest length", rest_lengths, "spring", count, "m")
        return network

    def __repr__(self):
        return (
            f"{type(self).__name__} of {self.vertex_count} vertices and {self.spring_count} springs, "
            f"{len(self.pinned)} of the vertices pinned"
        )

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
        return frozen(np.flatnonzero(self.pins == 1.0))

    @cached_property
    def free(self):
        """Indices of vertices that are no hard pins, ascending."""
        return np.flatnonzero(self.pins < 1.0)

    @cached_property
    def soft_pins(self):
        """Indices of vertices of pin weight between 0 and 1, ascending."""
        return frozen(np.flatnonzero((self.pins > 0.0) & (self.pins < 1.0)))

    @cached_property
    def pinned(self):
        """Indices of hard and soft pins, ascending."""
        return frozen(np.flatnonzero(self.pins > 0.0))

    def with_springs(self, chosen):
        """A network with some of the springs alone, without those that are broken; chosen: mask."""
        chosen = chosen & ~self.broken
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

    @cached_property
    def spectrum(self):
        """Highest frequency and damping rate about the points; their bounds without SciPy."""
        return self.spectrum_bound if sparse is None else spectrum(self)

    @cached_property
    def spectrum_bound(self):
        """Bounds of the highest frequency and damping rate however the springs turn."""
        return gershgorin_bound(self) if sparse is None else spectrum_bound(self)

    def spring_lengths(self, x):
        """Distance between the ends of every spring at x [m], shape (spring_count,)."""
        squares = np.zeros(self.spring_count)
        # Axis by axis costs a quarter of gathering rows: the buffers stay in the cache.
        for column in np.ascontiguousarray(x.T):
            along = column[self.incidence.heads] - column[self.incidence.tails]
            squares += along * along
        return np.sqrt(squares)

    def strains(self, x):
        """(length - rest length) / rest length of every spring of non-zero rest length that is not broken."""
        stretched = (self.rest_lengths > 0.0) & ~self.broken
        lengths, rest = self.spring_lengths(x), self.rest_lengths
        if not stretched.all():
            lengths, rest = lengths[stretched], rest[stretched]
        return (lengths - rest) / rest

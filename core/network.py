# SPDX-License-Identifier: GPL-3.0-or-later
"""The mass-spring network: what does not change with time."""

from copy import copy
from functools import cached_property

import numpy as np

from .axes import dot
from .ends import ends_of
from .incidence import Incidence, sparse
from .mesh_network import MeshNetwork
from .quantities import (
    edge_array,
    frozen,
    pin_weight_array,
    point_array,
    quantity,
)
from .spectrum import gershgorin_bound, spectrum, spectrum_bound
from .surface import Surface


class SpringNetwork(MeshNetwork):
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
    burden: how many times its own weight a vertex may have to bear where others lie on it, > 0, scalar or shape
        (vertex_count,).

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
        burden=1.0,
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
        self.burden = quantity("burden", burden, "vertex", vertex_count, above=0.0)
        self.broken = frozen(np.zeros(spring_count, dtype=bool))
        self.surface = Surface(self.edges) if surface is None else surface

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

    def part(self, particles, springs, pins):
        """A network of some particles and of springs between these alone, by their indices, with other pins.

        pins: weights of the particles. Broken springs are no part of one.
        """
        numbers = np.full(self.vertex_count, -1)
        numbers[particles] = np.arange(len(particles))
        names = ("stiffness", "rest_lengths", "damping")
        return SpringNetwork(
            self.points[particles],
            numbers[self.edges[springs]],
            masses=self.masses[particles],
            pins=pins,
            pin_stiffness=self.pin_stiffness,
            **{name: getattr(self, name)[springs] for name in names},
        )

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
    def ends(self):
        """Of all springs, in blocks, see `ends_of`."""
        return ends_of(self.edges)

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
        columns, lengths = np.ascontiguousarray(x.T), np.empty(self.spring_count)
        size = max((ends.size for ends in self.ends), default=0)
        u, buffer = np.empty((3, size)), np.empty((3, size))
        # Block by block, so that the buffers stay in the cache.
        for ends in self.ends:
            along = u[:, : ends.size]
            ends.differences(columns, along, buffer[:, : ends.size])
            lengths[ends.springs] = dot(along, along)[ends.at]
        return np.sqrt(lengths, out=lengths)

    def strains(self, x):
        """(length - rest length) / rest length of every spring of non-zero rest length that is not broken."""
        stretched = (self.rest_lengths > 0.0) & ~self.broken
        lengths, rest = self.spring_lengths(x), self.rest_lengths
        if not stretched.all():
            lengths, rest = lengths[stretched], rest[stretched]
        return (lengths - rest) / rest

# SPDX-License-Identifier: GPL-3.0-or-later
"""The mass-spring network: what does not change with time."""

from copy import copy
from functools import cached_property

import numpy as np

from .incidence import sparse
from .mesh_network import MeshNetwork
from .pinning import Pinning
from .quantities import (
    check_kind,
    edge_array,
    frozen,
    number,
    pin_weight_array,
    point_array,
    quantity,
)
from .spectrum import gershgorin_bound, spectrum, spectrum_bound
from .spring_operators import SpringOperators
from .stencils import Enclosures, Pleats, Seams, Stencils, Volumes
from .surface import Surface

# Of vertices that follow a target.
_GOALS = ("goal_stiffness", "goal_damping", "borne_weight")
# Attributes that follow from the pins.
_OF_PINS = ("hard_pins", "soft_pins", "pinned", "free", "spectrum", "spectrum_bound")
# Attributes that follow from quantities that may change.
_OF_QUANTITIES = (
    *("spectrum", "spectrum_bound", "springs", "enclosure_operators", "_of_ends"),
    *("least_stiffness", "longest_rest"),
)


class SpringNetwork(MeshNetwork, SpringOperators, Pinning):
    """Point masses joined by springs along edges and between weighted points: immutable arrays, validated once.

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
    goal_stiffness, goal_damping: springs [N/m] and dampers [N s/m] from every vertex to its target, scalar or shape
        (vertex_count,): those that are no hard pins and have a stiffness are soft pins, whatever their weight.
    borne_weight: share of every vertex's weight that its goal bears, 0..1, scalar or shape (vertex_count,).
    surface: Surface that air and contacts feel; None takes every spring for a strand.
    burden: how many times its own weight a vertex may have to bear where others lie on it, > 0, scalar or shape
        (vertex_count,).
    stencils: Stencils, springs between weighted points, such as what bends; None for none. `springs` are all: those
        along edges first, and then these.
    volumes: Volumes, boxes that keep their volume; pleats: Pleats, edges that keep an angle; None for none.
    enclosures: Enclosures, closed surfaces with something inside; None for none.
    seams: Seams, which of the stencils sew; None for none.
    preload, pushes: of springs and of colliders on vertices, what `at_rest` chose lengths at rest for [N], or None.

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
        goal_stiffness=0.0,
        goal_damping=0.0,
        borne_weight=0.0,
        surface=None,
        burden=1.0,
        stencils=None,
        volumes=None,
        pleats=None,
        enclosures=None,
        seams=None,
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
        self.pin_stiffness = number("pin stiffness", pin_stiffness, "N/m", above=0.0)
        self.goal_stiffness = quantity("goal stiffness", goal_stiffness, "vertex", vertex_count, "N/m")
        self.goal_damping = quantity("goal damping", goal_damping, "vertex", vertex_count, "N s/m")
        self.borne_weight = quantity("borne weight", borne_weight, "vertex", vertex_count, most=1.0)
        self.burden = quantity("burden", burden, "vertex", vertex_count, above=0.0)
        self.stencils = _of_kind(stencils, Stencils)
        self.stencils.check(vertex_count)
        self.volumes, self.pleats = _of_kind(volumes, Volumes), _of_kind(pleats, Pleats)
        self.enclosures = _of_kind(enclosures, Enclosures)
        self.seams = _of_kind(seams, Seams)
        self.broken = frozen(np.zeros(spring_count, dtype=bool))
        self.plastic = frozen(np.ones(spring_count))
        self.yielding = self.tearing = None
        self.first_stiffness, self.first_lengths = self.stiffness, self.rest_lengths
        self.surface = Surface(self.edges) if surface is None else _of_kind(surface, Surface)
        self.found, self.pins_vary, self.preload, self.pushes = {}, False, None, None

    def changed(
        self,
        *,
        stiffness=None,
        rest_lengths=None,
        damping=None,
        broken=None,
        stencil_stiffness=None,
        stencil_rest_lengths=None,
        pressure=None,
        volume_share=None,
        pressure_factor=None,
        pleat_angles=None,
        pins=None,
        goal_stiffness=None,
        goal_damping=None,
        borne_weight=None,
        plastic=None,
    ):
        """This network with other springs between the same vertices; broken ones have no force and stay so.

        stiffness, rest_lengths, damping: as at the start, None for those of now; broken: mask, shape (spring_count,);
        stencil_stiffness, stencil_rest_lengths: of the stencils, as in Stencils. A stencil breaks with any spring that
        joins two of its vertices. pressure, volume_share, pressure_factor: see `Enclosures.changed`; goal_stiffness,
        goal_damping, borne_weight: as at the start, of the same vertices; plastic: what lengths at rest are multiplied
        by, see Yielding; pleat_angles: see Pleats; pins: of which a simulation has to be made anew, see ChangingPins.

        Raises ValueError as SpringNetwork does.
        """
        network, count = copy(self), self.spring_count
        for name in _OF_QUANTITIES:
            network.__dict__.pop(name, None)
        if pins is not None:
            network.pins, network.pins_vary = pin_weight_array(pins, self.vertex_count), True
        goals = {"goal_stiffness": goal_stiffness, "goal_damping": goal_damping, "borne_weight": borne_weight}
        for name, given in goals.items():
            if given is not None:
                setattr(network, name, quantity(name.replace("_", " "), given, "vertex", self.vertex_count))
        if any(given is not None for given in (pins, goal_stiffness)):
            for name in _OF_PINS:
                network.__dict__.pop(name, None)
        network.enclosures = self.enclosures.changed(pressure, volume_share, pressure_factor)
        if stencil_stiffness is not None or stencil_rest_lengths is not None:
            network.stencils = self.stencils.changed(stencil_stiffness, stencil_rest_lengths)
        if broken is not None:
            network.__dict__.pop("parts", None)
            network.broken = frozen(self.broken | (quantity("mask", broken, "spring", count, most=1.0) > 0.0))
            if self.tearing is not None:
                network.surface = self.tearing.surface_of(network.broken)
        if stiffness is not None:
            stiffness = np.where(network.broken, 1.0, stiffness)
            network.stiffness = quantity("stiffness", stiffness, "spring", count, "N/m", above=0.0)
        if damping is not None:
            network.damping = quantity("damping", damping, "spring", count, "N s/m")
        network.stiffness = frozen(np.where(network.broken, 0.0, network.stiffness))
        network.damping = frozen(np.where(network.broken, 0.0, network.damping))
        if broken is not None and len(network.stencils):
            cut = network.stencils.broken_by(network.edges[network.broken], network.vertex_count)
            network.stencils = network.stencils.without(cut)
        network._take_up_pleats(pleat_angles, cut=broken is not None)
        if network.stencils is not self.stencils:
            network._take_up_stencils(self)
        if plastic is not None:
            network.plastic = quantity("plastic stretch", plastic, "spring", count, above=0.0)
        if rest_lengths is not None:
            network.rest_lengths = quantity("rest length", rest_lengths, "spring", count, "m")
        return network

    def part(self, particles, springs, stencils, volumes, pleats, pins):
        """A network of some particles, and of what joins these alone, by its indices, with other pins.

        pins: weights of the particles; those that are free belong to no other stencils. Broken springs are no part of
        one.
        """
        numbers = np.full(self.vertex_count, -1)
        numbers[particles] = np.arange(len(particles))
        others = stencils[~self.stencils.linear[stencils]]
        part = SpringNetwork(
            self.points[particles],
            numbers[self.edges[springs]],
            masses=self.masses[particles],
            pins=pins,
            pin_stiffness=self.pin_stiffness,
            goal_stiffness=self.goal_stiffness[particles],
            stencils=self.stencils.chosen(others).renumbered(numbers) if len(others) else None,
            volumes=self.volumes.chosen(volumes).renumbered(numbers) if len(volumes) else None,
            pleats=self.pleats.chosen(pleats).renumbered(numbers) if len(pleats) else None,
            enclosures=self.enclosures.part(numbers, pins < 1.0) if len(self.enclosures) else None,
            **{name: getattr(self, name)[springs] for name in ("stiffness", "rest_lengths", "damping")},
        )
        part.stencil_operators = self.stencil_operators.of_part(
            part.stencils, particles, part.hard_pins, part.spring_count
        )
        return part

    def __repr__(self):
        return (
            f"{type(self).__name__} of {self.vertex_count} vertices and {self.spring_count} springs, "
            f"{len(self.pinned)} of the vertices pinned"
        )

    def with_springs(self, chosen):
        """A network with some of the springs along edges alone, without those that are broken; chosen: mask."""
        chosen = chosen & ~self.broken
        quantities = {name: getattr(self, name)[chosen] for name in ("stiffness", "rest_lengths", "damping")}
        quantities |= {name: getattr(self, name) for name in ("masses", "pins", *_GOALS)}
        return SpringNetwork(self.points, self.edges[chosen], pin_stiffness=self.pin_stiffness, **quantities)

    @cached_property
    def spectrum(self):
        """Highest frequency and damping rate about the points; their bounds without SciPy."""
        return self.spectrum_bound if sparse is None else spectrum(self)

    @cached_property
    def spectrum_bound(self):
        """Bounds of the highest frequency and damping rate however the springs turn."""
        return gershgorin_bound(self) if sparse is None else spectrum_bound(self)


def _of_kind(value, kind):
    """A value of a class, or none of it; raises ValueError where it is of another."""
    check_kind(kind.__name__.lower(), value, kind)
    return kind.none() if value is None else value

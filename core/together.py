# SPDX-License-Identifier: GPL-3.0-or-later
"""Several bodies simulated as one system, each in its own forces and contacts."""

from collections.abc import Mapping
from copy import copy
from typing import NamedTuple

import numpy as np

from .bodies import Body, Cloth
from .contact.part_contact import PartContact
from .forces import Force
from .network import SpringNetwork
from .plasticity import Yielding
from .quantities import sequence, told
from .simulation import Simulation
from .state import State
from .stencils import Enclosures, Pleats, Seams, Stencils, Volumes
from .surface import Surface
from .topology import Polygons

_OF_SPRINGS = ("stiffness", "rest_lengths", "damping")


class Member(NamedTuple):
    """One of several bodies: its SpringNetwork or Body, and the Forces and Contacts that act on it alone."""

    network: SpringNetwork | Body
    forces: tuple = ()
    contacts: tuple = ()


class Together(Simulation):
    """A Simulation of the bodies of several Members as one network, in which contacts between them conserve momentum.

    members: Members, or their networks alone; contacts: of all particles, as SelfCollision with `bodies`; quantities:
    of each member's network, see Simulation; arguments: as of Simulation.
    No spring joins two members, and forces of one member do not act on another.

    members: those given; places: slices of all particles, one for each member; bodies: number of the member of every
    particle. The vertices are those of all, one after the other.

    >>> from hooke.core import Member, SpringNetwork, Together
    >>> one, other = SpringNetwork.grid((3, 3)), SpringNetwork.grid((2, 2))
    >>> Together([Member(one), Member(other)], dt=1 / 24).places
    (slice(0, 9, None), slice(9, 13, None))
    """

    def __init__(self, members, *, contacts=(), quantities=(), **arguments):
        self.members = _members(members)
        whole = _Several([_body(member.network) for member in self.members])
        networks = [body.network for body in whole.bodies]
        self.places, self.bodies = places(networks), bodies(networks)
        forces, own = [], []
        for member, body, place in zip(self.members, whole.bodies, self.places, strict=True):
            forces += [part_force(force, body, place) for force in sequence(member.forces)]
            outside = body.outside or body
            touched = slice(place.start, place.start + outside.network.vertex_count)
            own += [PartContact(contact, outside, touched) for contact in sequence(member.contacts)]
        arguments |= {
            "forces": forces,
            "contacts": (*own, *sequence(contacts)),
            "quantities": _of_all(networks, _of_each(networks, quantities)),
        }
        super().__init__(whole, **arguments)


class _Several(Body):
    """Bodies as one, whose vertices are those of all, one after the other."""

    def __init__(self, several):
        super().__init__(
            joined([body.network for body in several]), sum(body.vertex_count for body in several)
        )
        self.bodies, self._places = several, places([body.network for body in several])
        ends = np.cumsum([body.vertex_count for body in several])
        self._cuts = ends[:-1]
        starts = [0, *self._cuts]
        self.pinned_vertices = np.concatenate(
            [start + body.pinned_vertices for start, body in zip(starts, several, strict=True)]
        )

    def embed(self, x):
        """The vertices of all."""
        parts = zip(self.bodies, self._places, strict=True)
        return np.concatenate([body.embed(x[place]) for body, place in parts])

    def particle_targets(self, vertices):
        """Those of all."""
        parts = zip(self.bodies, np.split(vertices, self._cuts), strict=True)
        return np.concatenate([body.particle_targets(of_body) for body, of_body in parts])


def _members(members):
    """Members as they are given, or by their networks alone; raises ValueError for what is none, and for none."""
    several = sequence(members)
    if not several:
        raise ValueError("there are no members: give at least one Member")
    for number, member in enumerate(several):
        network = member[0] if isinstance(member, tuple) and member else member
        if not isinstance(network, SpringNetwork | Body):
            raise ValueError(f"member {number} is {told(member)}: give a Member, or a SpringNetwork or Body")
    return tuple(Member(*member) if isinstance(member, tuple) else Member(member) for member in several)


def _of_all(networks, quantities):
    """Quantities of several networks that change with time as those of one, callables t -> array by name."""

    def of_all(name):
        def at(t):
            values = [
                np.broadcast_to(own[name](t), len(getattr(network, name)))
                if name in own
                else getattr(network, name)
                for network, own in zip(networks, quantities, strict=True)
            ]
            return np.concatenate(values)

        return at

    return {name: of_all(name) for name in sorted({name for own in quantities for name in own})}


def _of_each(networks, quantities):
    """Dicts of quantities, one of each network, {} where none are given; raises ValueError for others."""
    several = sequence(quantities)
    right = all(isinstance(own, Mapping) and all(map(callable, own.values())) for own in several)
    if not right or len(several) not in (0, len(networks)):
        raise ValueError(
            f"quantities is {told(quantities)}: give a dict of functions of time for each of the {len(networks)} "
            "members"
        )
    return several or ({},) * len(networks)


def _body(network):
    return network if isinstance(network, Body) else Cloth(network)


def places(networks):
    """Slices of the particles of all networks, one after the other."""
    ends = np.cumsum([network.vertex_count for network in networks]).tolist()
    return tuple(slice(begin, end) for begin, end in zip([0, *ends], ends, strict=False))


def bodies(networks):
    """Number of the network of every particle of all."""
    return np.repeat(np.arange(len(networks)), [network.vertex_count for network in networks])


def joined(networks):
    """SpringNetwork of all springs, particles and pins of several.

    Soft pins, whose stiffness is the network's, keep theirs by their weights.
    """
    if any(network.tearing is not None for network in networks):
        raise ValueError("what is simulated with others cannot tear: leave out the strain at which it does")
    starts = [place.start for place in places(networks)]
    stiffest = max(network.pin_stiffness for network in networks)
    pins = [
        np.where(network.pins == 1.0, 1.0, network.pins * (network.pin_stiffness / stiffest))
        for network in networks
    ]
    weights = [network.masses.sum() for network in networks]
    surfaces = [network.surface for network in networks]
    polygons = Polygons(
        _shifted([surface.polygons.corners for surface in surfaces], starts),
        np.concatenate([surface.polygons.sizes for surface in surfaces]),
    )
    quantities = {
        name: np.concatenate([getattr(network, name) for network in networks])
        for name in (*_OF_SPRINGS, "masses", "goal_stiffness", "goal_damping", "borne_weight")
    }
    numbers = [
        np.arange(network.vertex_count) + start for network, start in zip(networks, starts, strict=True)
    ]
    points = np.concatenate([network.points for network in networks])
    whole = SpringNetwork(
        points,
        _shifted([network.edges for network in networks], starts),
        pins=np.concatenate(pins),
        pin_stiffness=stiffest,
        # Any of them may come to lie on any other.
        burden=np.repeat(sum(weights) / np.array(weights), [network.vertex_count for network in networks]),
        surface=Surface(_shifted([surface.edges for surface in surfaces], starts), polygons, points),
        stencils=Stencils.joined(_renumbered("stencils", networks, numbers)),
        volumes=Volumes.joined(_renumbered("volumes", networks, numbers)),
        pleats=Pleats.joined(_renumbered("pleats", networks, numbers)),
        seams=Seams.joined(_after(networks)),
        enclosures=Enclosures.joined(_renumbered("enclosures", networks, numbers)),
        **quantities,
    )
    whole.yielding = Yielding.joined(networks)
    if any(network.preload is not None for network in networks):
        loads = [np.zeros(of.spring_count) if of.preload is None else of.preload for of in networks]
        whole.preload = np.concatenate(loads)
    if any(network.pushes is not None for network in networks):
        pushes = [np.zeros_like(of.points) if of.pushes is None else of.pushes for of in networks]
        whole.pushes = np.concatenate(pushes)
    return whole


def _after(networks):
    """Seams of several networks, each after the stencils of those before."""
    ends = np.cumsum([0, *(len(network.stencils) for network in networks)])
    return [network.seams.after(end) for network, end in zip(networks, ends, strict=False)]


def _renumbered(name, networks, numbers):
    """An attribute of several networks joined, each with its own numbers."""
    return [getattr(network, name).renumbered(own) for network, own in zip(networks, numbers, strict=True)]


def _shifted(indices, starts):
    return np.concatenate([of_one + start for of_one, start in zip(indices, starts, strict=True)])


def part_force(force, body, place):
    """A force on the particles of one body alone, which are at a place, a slice, among all."""
    own = force.on(body) if isinstance(force, Force) else force
    return (PartPotential if hasattr(own, "energy") else PartForce)(own, place)


class PartForce(Force):
    """A force that acts on a slice of all particles: see `part_force`."""

    def __init__(self, force, place):
        self._force, self._place = force, place
        self.resists, self.carries = (getattr(force, name, False) for name in ("resists", "carries"))

    @property
    def flow(self):
        """See `Force`; of the body's own particles."""
        return getattr(self._force, "flow", None)

    @property
    def place(self):
        """Slice of the body's particles among all."""
        return self._place

    def at_peak(self):
        """See `Force.at_peak`."""
        force = self._force.at_peak() if isinstance(self._force, Force) else self._force
        if force is self._force:
            return self
        part = copy(self)
        part._force = force
        return part

    def __call__(self, x, v, t):
        """See `Force`."""
        total = np.zeros_like(x)
        total[self._place] = self._force(x[self._place], v[self._place], t)
        return total

    def slowed(self, x, v, t, dt, begun=None):
        """See `Force.slowed`."""
        left, own = v.copy(), self._place
        if begun is not None:
            begun = State(begun.x[own], begun.v[own], begun.t)
        left[own] = self._force.slowed(x[own], v[own], t, dt, begun)
        return left


class PartPotential(PartForce):
    """A PartForce that has an energy."""

    def energy(self, x):
        """Energy of the part [J]."""
        return self._force.energy(x[self._place])

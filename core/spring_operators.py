# SPDX-License-Identifier: GPL-3.0-or-later
"""The springs of a network as operators on positions, each made once."""

from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from .axes import dot
from .incidence import Incidence
from .quantities import frozen
from .spring_ends import NO_ROWS, ends_of
from .stencils import (
    ElementOperators,
    EnclosureOperators,
    Enclosures,
    PleatOperators,
    Pleats,
    Seams,
    StencilOperators,
    Stencils,
    VolumeOperators,
    Volumes,
)
from .topology import connected_parts

# Operators that are kept for a network: steps may be divided four times, each with its own pins, and a few things more.
_MOST_FOUND = 8


class SpringOperators:
    """Parts of SpringNetwork that follow from its springs along edges and its stencils."""

    points: Any
    edges: Any
    stencils: Stencils
    volumes: Volumes
    pleats: Pleats
    enclosures: Enclosures
    seams: Seams
    stiffness: Any
    rest_lengths: Any
    damping: Any
    broken: Any
    found: dict

    @property
    def vertex_count(self):
        """Number of point masses."""
        return len(self.points)

    @property
    def spring_count(self):
        """Number of springs along edges."""
        return len(self.edges)

    @cached_property
    def springs(self):
        """All springs as Stencils: those along edges, and then the stencils."""
        along = Stencils.of_edges(self.edges, self.stiffness, self.rest_lengths, self.damping)
        return Stencils.joined([along, self.stencils])

    @cached_property
    def incidence(self):
        """Incidence matrix of all `springs` as an operator."""
        return self.springs.incidence(self.vertex_count)

    @cached_property
    def edge_incidence(self):
        """The same of those along edges."""
        return Incidence(self.edges, self.vertex_count)

    @cached_property
    def ends(self):
        """Of the springs along edges, see `ends_of`."""
        return ends_of(self.edges, self.vertex_count)

    @cached_property
    def stencil_operators(self):
        """StencilOperators of the stencils."""
        return StencilOperators(self.stencils, self.vertex_count, self.spring_count)

    def remember(self, key, found):
        """Keep what was found of the points and springs, also for what this is changed to, by what it depends on."""
        if len(self.found) >= _MOST_FOUND:
            self.found.clear()
        self.found[key] = found

    @cached_property
    def parts(self):
        """See `network_parts`."""
        links = self.edges[~self.broken], self.stencils.links()
        return frozen(connected_parts(np.concatenate(links), self.vertex_count))

    def with_stencils(self, stencils):
        """The same network with other weights and lengths at rest of its stencils."""
        network = copy(self)
        for name in ("spectrum", "spectrum_bound", "springs"):
            network.__dict__.pop(name, None)
        network.stencils = stencils
        network._take_up_stencils(self)
        return network

    def _take_up_pleats(self, angles, *, cut):
        """Take up angles at rest of pleats, unless None, and where springs are cut have none along these."""
        pleats = self.pleats if angles is None else self.pleats.turned(angles)
        if cut and len(pleats):
            pleats = pleats.without(self.edges[self.broken], self.vertex_count)
        if pleats is not self.pleats:
            self.pleats = pleats
            self.__dict__.pop("element_operators", None)

    def _take_up_stencils(self, before):
        """Make anew what follows from stencils that are others than those of a network before."""
        now, known = self.stencils, self.__dict__.pop("stencil_operators", None)
        if now.weights is not before.stencils.weights:
            self.__dict__.pop("incidence", None)
            self.__dict__.pop("parts", None)
        elif known is not None:
            self.stencil_operators = known.changed(now)

    @cached_property
    def element_operators(self):
        """VolumeOperators of the volumes, PleatOperators of the pleats, or those of both; None without any."""
        both = (VolumeOperators, self.volumes), (PleatOperators, self.pleats)
        kinds = [operators(of, self.vertex_count) for operators, of in both if len(of)]
        return kinds[0] if len(kinds) == 1 else ElementOperators(kinds) if kinds else None

    @cached_property
    def enclosure_operators(self):
        """EnclosureOperators of the enclosures, or None without any."""
        if not len(self.enclosures):
            return None
        stiffness = np.bincount(self.edges.ravel(), np.repeat(self.stiffness, 2), self.vertex_count)
        return EnclosureOperators(self.enclosures, self.points, stiffness)

    def distances_from_seams(self):
        """How far every vertex is from the nearest end of a seam at rest [m], shape (vertex_count,)."""
        from scipy.spatial import cKDTree

        return cKDTree(self.points[self.seams.ends(self.stencils).ravel()]).query(self.points)[0]

    @property
    def pressure(self):
        """Pressure that is set in every enclosure [Pa]."""
        return self.enclosures.pressure

    @property
    def volume_share(self):
        """Share of its volume at rest that is kept in every enclosure."""
        return self.enclosures.share

    @property
    def pressure_factor(self):
        """What the pressure on every triangle of an enclosure is multiplied by."""
        return self.enclosures.factor

    @property
    def pleat_angles(self):
        """Angles of the pleats at rest [rad]."""
        return self.pleats.angles

    @property
    def stencil_stiffness(self):
        """Stiffness of the stencils, see Stencils."""
        return self.stencils.stiffness

    @property
    def stencil_rest_lengths(self):
        """Rest lengths of the stencils, see Stencils."""
        return self.stencils.rest_lengths

    def spring_lengths(self, x):
        """Distance between the ends of every spring along an edge at x [m], shape (spring_count,)."""
        lengths, u = np.empty(self.spring_count), np.empty((3, self.spring_count))
        self.ends.differences(np.ascontiguousarray(x.T), u)
        lengths[self.ends.springs] = dot(u, u)
        return np.sqrt(lengths, out=lengths)

    def edge_energy(self, x, gradient=NO_ROWS):
        """Energy [J] of the springs along edges at x [m], shape (3, vertex_count); gradient: see `Ends.energy`."""
        return self.ends.energy(x, *self._of_ends, gradient)

    def edge_energies_of_parts(self, x, parts):
        """The same of every part, shape (parts.count,); parts: PartSums."""
        return self.ends.energies_of_parts(x, *self._of_ends, parts)

    @cached_property
    def _of_ends(self):
        return self.ends.row(self.stiffness), self.ends.row(self.rest_lengths)

    @cached_property
    def least_stiffness(self):
        """Of the springs along edges that are not broken [N/m], infinite without any."""
        return float(self.stiffness[~self.broken].min(initial=np.inf))

    @cached_property
    def longest_rest(self):
        """The largest rest length of the springs along edges [m], 0 without any."""
        return float(self.rest_lengths.max(initial=0.0))

    @property
    def stretchable(self):
        """Mask of the springs that have a strain: of a rest length above 0, and not broken."""
        return (self.rest_lengths > 0.0) & ~self.broken

    def strains(self, x):
        """(length - rest length) / rest length of every spring that is `stretchable`."""
        stretched = self.stretchable
        lengths, rest = self.spring_lengths(x), self.rest_lengths
        if not stretched.all():
            lengths, rest = lengths[stretched], rest[stretched]
        return (lengths - rest) / rest

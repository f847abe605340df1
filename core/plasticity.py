# SPDX-License-Identifier: GPL-3.0-or-later
"""Plasticity: springs whose rest lengths flow where they are strained beyond a yield."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from .quantities import check_kind, number

# Lengths at rest that flow may make of those at the start, in parts: springs are never of none, nor without end.
_SHORTEST, _LONGEST = 0.05, 20.0
# Curvature at rest of what is flat [1/m]: with none a stencil is linear, and in another matrix once it is bent.
_FLAT = 1e-9


@dataclass(frozen=True)
class Yield:
    """When a strain becomes permanent, and how fast.

    limit: largest strain that springs back: of stretch, the change of length over the rest length at the start; of
        bending, a curvature [1/m].
    rate: of the flow [1/s]: strain beyond the limit flows by the share 1 - exp(-rate t) in a time t; 0 is none.
    hardening: growth of the limit per unit of permanent strain.

    Perzyna 1966, "Fundamental problems in viscoplasticity", with a linear overstress and linear hardening.
    Raises ValueError for a quantity out of its range.
    """

    limit: float
    rate: float = 10.0
    hardening: float = 0.0

    def __post_init__(self):
        for field in fields(self):
            number(f"{field.name} of a yield", getattr(self, field.name))


@dataclass(frozen=True)
class Plasticity:
    """How a material yields: stretch, of springs along edges, and bending, of stencils that measure curvatures."""

    stretch: Yield = Yield(0.05)
    bending: Yield = Yield(20.0)

    def __post_init__(self):
        for field in fields(self):
            check_kind(f"{field.name} of a plasticity", getattr(self, field.name), Yield, needed=True)


class Flowing(NamedTuple):
    """Springs that flow: lengths at rest at the start, and limit, rate and hardening of each, see Yield."""

    first: np.ndarray
    limit: np.ndarray
    rate: np.ndarray
    hardening: np.ndarray

    @classmethod
    def of(cls, first, yields):
        """Springs of one Yield."""
        values = yields.limit, yields.rate, yields.hardening
        return cls(first, *(np.full(len(first), value) for value in values))

    def flowed(self, strained, rest, plastic, unit, dt):
        """Lengths at rest after dt [s] of flow.

        strained: lengths; rest: lengths at rest; plastic: strain that stays already; unit: length of a strain of 1.
        None comes nearer to its length than the limit is, so that no spring's energy rises.
        """
        beyond = np.abs(strained - rest) - (self.limit + self.hardening * np.abs(plastic)) * unit
        share = -np.expm1(-self.rate * dt) / (1.0 + self.hardening)
        return rest + np.sign(strained - rest) * share * np.maximum(beyond, 0.0)


@dataclass(frozen=True, eq=False)
class Yielding:
    """A Plasticity in a network.

    stretch: of its springs along edges; bent: which stencils bend; bending: of these.
    """

    stretch: Flowing
    bent: np.ndarray
    bending: Flowing

    @classmethod
    def of(cls, plasticity, rest_lengths, curvatures):
        """Of springs along edges, and of the first so many stencils, by their lengths and curvatures at rest."""
        stretch = Flowing.of(rest_lengths, plasticity.stretch)
        return cls(stretch, np.arange(len(curvatures)), Flowing.of(curvatures, plasticity.bending))

    @classmethod
    def joined(cls, networks):
        """Those of several networks, one after the other; None where none yields."""
        if all(network.yielding is None for network in networks):
            return None
        still = Plasticity(Yield(0.0, 0.0), Yield(0.0, 0.0))
        none = np.empty(0)
        several = [network.yielding or cls.of(still, network.rest_lengths, none) for network in networks]
        starts = np.cumsum([0, *(len(network.stencils) for network in networks)])
        stretch, bending = (
            Flowing(*map(np.concatenate, zip(*(getattr(of, name) for of in several), strict=True)))
            for name in ("stretch", "bending")
        )
        bent = np.concatenate([of.bent + start for of, start in zip(several, starts, strict=False)])
        return cls(stretch, bent, bending)

    def stretched(self, network, x, dt):
        """`plastic` of the network after a frame of dt [s] that begins at x [m], as of `SpringNetwork.changed`."""
        rest, lengths = network.rest_lengths, network.spring_lengths(x)
        found = self.stretch.flowed(lengths, rest, network.plastic - 1.0, rest / network.plastic, dt)
        share = np.divide(found, rest, out=np.ones_like(rest), where=(rest > 0.0) & ~network.broken)
        return np.clip(network.plastic * share, _SHORTEST, _LONGEST)

    def bends(self, network, x, lengths, dt):
        """`stencil_rest_lengths` after a frame of dt [s] that begins at x [m], by those that they have otherwise."""
        found, rest = np.array(lengths), network.stencils.rest_lengths[self.bent]
        curvatures = network.stencils.chosen(self.bent).lengths(x)
        flowed = self.bending.flowed(curvatures, rest, rest - self.bending.first, 1.0, dt)
        found[self.bent] = np.where(rest > 0.0, np.maximum(flowed, _FLAT), 0.0)
        return found


def yielding(network, plasticity, bends):
    """The network with a Plasticity; bends: how many of its stencils, the first ones, measure curvatures."""
    lengths = np.array(network.stencils.rest_lengths)
    lengths[:bends] = np.maximum(lengths[:bends], _FLAT)
    network = network.changed(stencil_rest_lengths=lengths) if bends else network
    network.yielding = Yielding.of(plasticity, network.rest_lengths, lengths[:bends])
    return network

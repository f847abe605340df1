# SPDX-License-Identifier: GPL-3.0-or-later
"""An impact that takes a body many substeps: what it does, what that takes of its energy, and how a push moves it."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..stencils import VolumeOperators
from ..triangle_mesh.triangles import ROUNDING
from .restitution import RESTING

# Phases of a body: clear of all surfaces, lying on one, under compression there, or leaving it.
CLEAR, LIES, PRESSED, LEAVES = range(4)


@dataclass
class Impact:
    """An impact on a body so far: what the body does, whether nothing pushed it in the last substep, the speed that it
    may leave with [m/s], what it lost of its energy since it came, and what of that it does not get back [J], and the
    velocity of the surface, shape (3,) [m/s]."""

    doing: float
    alone: float
    speed: float
    lost: float
    kept: float
    surface_v: np.ndarray

    @classmethod
    def of_rows(cls, rows):
        """That of its `rows`."""
        (doing, alone, speed), (lost, kept, _), surface_v = rows
        return cls(doing, alone, speed, lost, kept, surface_v)

    @property
    def rows(self):
        """All of it, shape (3, 3)."""
        return np.array([[self.doing, self.alone, self.speed], [self.lost, self.kept, 0.0], self.surface_v])

    def meet(self, came, slow, inertia, restitution):
        """Begin an impact where one does: of what comes to a surface from nowhere, or from one that it had left."""
        fast = came < -RESTING * slow
        # A body that bulges as it leaves touches again, and moves away meanwhile.
        comes = self.doing == CLEAR or (self.doing == LEAVES and self.alone and came < 0.0)
        if comes and not fast:
            self.doing = LIES
        elif comes:
            self.doing, self.speed, self.lost = PRESSED, -restitution * came, 0.0
            self.kept = 0.5 * (1.0 - restitution**2) * inertia * came**2

    def more(self, motion, goes, speed, internal=0.0):
        """How much faster than it goes [m/s] a body is to leave with a speed, 0 where no room is left.

        internal: energy that may become motion as a whole, beside what was lost [J].
        """
        room = self.lost - self.kept + internal
        more = min(speed - goes, np.sqrt(goes**2 + 2.0 * max(room, 0.0) / motion.inertia) - goes)
        if not (more > 0.0 and room > 0.0):
            return 0.0
        return more


class BodyEnergies:
    """Energies of bodies by their numbers: of motion and of springs, and what a substep takes of them.

    network: SpringNetwork with the stiffness that is carried; bodies: the particles of each; number: of the body of
    every particle, -1 of none.
    """

    def __init__(self, network, bodies, number):
        self._network, self._bodies = network, bodies
        of_spring = number[network.edges[:, 0]]
        order = np.argsort(of_spring, kind="stable")
        ends = np.searchsorted(of_spring[order], np.arange(len(bodies) + 1))
        self._springs = [order[begin:end] for begin, end in pairwise(ends)]
        of_volume = number[network.volumes.vertices[:, 0]]
        of_stencil = number[network.stencils.vertices[:, 0]]
        self._stencils = [network.stencils.chosen(of_stencil == number) for number in range(len(bodies))]
        self._volumes = [
            VolumeOperators(network.volumes.chosen(of_volume == number), network.vertex_count)
            for number in range(len(bodies))
        ]

    def change(self, network):
        """Take up a network whose springs have other rest lengths."""
        self._network = network

    def lost(self, index, before, after, force, surface_v):
        """Energy that a body lost in a substep, except to forces, in the frame of a surface [J]."""
        body = self._bodies[index]
        way = after.x[body] - before.x[body] - (after.t - before.t) * surface_v
        had, has = (
            self.kinetic(index, state.v[body] - surface_v) + self._strained(index, state.x)
            for state in (before, after)
        )
        return had - has + float(np.einsum("ij,ij->", force[body], way))

    def kinetic(self, index, u):
        """Of velocities of a body's particles, shape (count, 3) [m/s]: their kinetic energy [J]."""
        return 0.5 * float(np.einsum("i,ij,ij->", self._network.masses[self._bodies[index]], u, u))

    def _strained(self, index, x):
        springs = self._springs[index]
        i, j = self._network.edges[springs].T
        u = x[i] - x[j]
        stretch = np.sqrt(np.einsum("ij,ij->i", u, u)) - self._network.rest_lengths[springs]
        energy = 0.5 * float(np.einsum("i,i,i->", self._network.stiffness[springs], stretch, stretch))
        if len(self._network.stencils):
            energy += float(self._stencils[index].energies(x).sum())
        if len(self._network.volumes):
            energy += self._volumes[index].energy(np.ascontiguousarray(x.T))
        return energy


class RigidMotion:
    """The rigid motion that particles have the momenta of, and what a push along a normal at a point makes of it.

    x: positions of the particles [m], shape (count, 3); masses [kg]; at: the point [m]; n: the normal.
    inertia: what the body seems to weigh there [kg].

    Featherstone 2008, "Rigid Body Dynamics Algorithms", section 11.8, for the impulse of an impact.
    """

    def __init__(self, x, masses, at, n):
        self._masses, self._n = masses, n
        centre = np.einsum("i,ij->j", masses, x) / masses.sum()
        self._arms = x - centre
        moment = np.einsum("i,ij,ij->", masses, self._arms, self._arms) * np.eye(3)
        moment -= np.einsum("i,ij,ik->jk", masses, self._arms, self._arms)
        # A straight body does not turn about its axis.
        self._inverse = np.linalg.pinv(moment, ROUNDING, hermitian=True)
        lever = np.cross(at - centre, n)
        # The turn that an impulse of 1 N s gives it [rad/s].
        self._turn = self._inverse @ lever
        self.inertia = 1.0 / (1.0 / masses.sum() + lever @ self._turn)

    def speed(self, v):
        """Speed along the normal there [m/s] of particles with velocities v [m/s]."""
        return float(self._n @ self._shift(v) + self._turn @ self._spin(v))

    def of(self, v):
        """The rigid part of velocities, or of small displacements, with the same momenta."""
        return self._shift(v) + np.cross(self._inverse @ self._spin(v), self._arms)

    def pushed(self, speed):
        """Changes of velocity [m/s] of a push along the normal that changes the speed there by so much."""
        push = self.inertia * speed
        return push * (self._n / self._masses.sum() + np.cross(self._turn, self._arms))

    def _shift(self, v):
        return np.einsum("i,ij->j", self._masses, v) / self._masses.sum()

    def _spin(self, v):
        return np.einsum("i,ij->j", self._masses, np.cross(self._arms, v))

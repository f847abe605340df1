# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body moves as a rigid one where it is pushed."""

import numpy as np

from ..triangle_mesh.triangles import ROUNDING


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
        # What is straight turns not about itself.
        self._inverse = np.linalg.pinv(moment, ROUNDING, hermitian=True)
        lever = np.cross(at - centre, n)
        # The turn that an impulse of 1 N s gives it [rad/s].
        self._turn = self._inverse @ lever
        self.inertia = 1.0 / (1.0 / masses.sum() + lever @ self._turn)

    def speed(self, v):
        """Speed along the normal there [m/s] of particles with velocities v [m/s]."""
        return float(self._n @ self._shift(v) + self._turn @ self._spin(v))

    def of(self, v):
        """What of velocities, or of small displacements, is that of a rigid body with the same momenta."""
        return self._shift(v) + np.cross(self._inverse @ self._spin(v), self._arms)

    def pushed(self, speed):
        """Changes of velocity [m/s] of a push along the normal that changes the speed there by so much."""
        push = self.inertia * speed
        return push * (self._n / self._masses.sum() + np.cross(self._turn, self._arms))

    def _shift(self, v):
        return np.einsum("i,ij->j", self._masses, v) / self._masses.sum()

    def _spin(self, v):
        return np.einsum("i,ij->j", self._masses, np.cross(self._arms, v))

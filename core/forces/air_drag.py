# SPDX-License-Identifier: GPL-3.0-or-later
"""Air drag."""

from copy import copy
from typing import Any

import numpy as np

from ..axes import dot, hypotenuse
from ..incidence import sparse
from ..quantities import real_array
from .flow import Flow
from .force import Force
from .winds import Winds

# Elements at once: what is computed of them stays in the processor's cache.
BLOCK = 4_096

# Where an element has no size it has no axis: any divisor gives zero force.
_SMALLEST = 1e-300


class AirDrag(Force):
    """Resistance of still or moving air, quadratic in the velocity u relative to it.

    A triangle of area A feels -rho/2 A (C_n |u_n| u_n + C_t |u_t| u_t), u_n along its normal and u_t within it: the
    cross-flow principle. A strand of length l and diameter d, an edge without a face, feels the same with d l across
    itself, and pi d l along itself, in place of A. u is the mean over the corners, which share the force.

    normal: C_n, 0 for no drag. 1.2 is a flat plate and a cylinder across a steady flow.
    tangential: C_t, a twentieth of C_n unless given.
    swing_speed: u_0 [m/s], |u| in |u| u is |(u, u_0)|: a body that swings to and fro starts its vortices anew every
        time and meets many times the steady drag, the more the less it moves. C_n is 8 (2 pi a/d)^(-1/3) of a plate of
        the width d with the amplitude a: 21 times as much as in steady flow for 1 cm of 2 m. 0 is steady flow.
    lift: C_l of a triangle that air meets aslant, in C_n |u_n| u_n, which becomes |(C_n u_n, C_l u_t)| u_n: edge on,
        thin plates are lifted as by rho/2 A C_l |u_t| u_n, with 2 pi in an ideal flow. 0 is cross-flow alone; as C_n
        unless given, with which a plate meets C_n rho/2 A |u| u_n at any angle, as Blender's cloth does.
    wind: velocity of the air [m/s], three numbers, a callable (x, t) -> velocities at places x, shape (n, 3), or Winds,
        of which each adds its velocity, where less of it arrives the share of it that presses as much less.
    density: rho of the air [kg/m^3]; diameter: of strands [m].
    inertia: share of the density of air that has to follow what it meets, and resists that, see `air.ReactiveAir`: 0 is
        none. A thread moves no more air than its own volume, which weighs nothing beside it.
    passing: share of its speed that this air passes along with, where coefficients are of thinner, faster air.

    Taken as forces, quadratic drag on light triangles would throw them back faster than they came once
    rho A C |u| dt > 4 m. So `slowed` lets every triangle and strand decay by itself, u / (1 + k |u| dt), which is what
    du/dt = -k |u| u comes to where it alone acts, with the share of its corners' masses that leaves enough for its
    neighbours: in the frame of the air no step of any length adds energy. Order 1.

    Hoerner 1965, "Fluid-Dynamic Drag", chapter III, for the cross-flow principle and C_n; Graham 1980, "The forces on
    sharp-edged cylinders in oscillatory flow at low Keulegan-Carpenter numbers", for swings.

    Raises ValueError for a quantity out of its range.

    >>> from hooke.core import AirDrag, Simulation, SpringNetwork
    >>> sheet = SpringNetwork.grid((5, 5), 0.25, mass=0.2)
    >>> fallen = [Simulation(sheet, dt=1 / 24, forces=forces) for forces in ((), AirDrag())]
    >>> [round(float(list(simulation.frames(24))[-1][:, 2].mean()), 1) for simulation in fallen]
    [-5.1, -1.8]
    """

    label = "Air Drag"
    description = (
        "Air resists motion, across a surface far more than along it; it brings swinging cloth to rest"
    )
    resists = True

    def __init__(
        self,
        normal=1.2,
        tangential=None,
        *,
        lift=None,
        swing_speed=0.5,
        density=1.204,
        diameter=0.005,
        wind=(0.0, 0.0, 0.0),
        inertia=0.0,
        passing=1.0,
    ):
        tangential = normal / 20.0 if tangential is None else tangential
        lift = normal if lift is None else lift
        for name, value, unit in (
            ("air drag", normal, ""),
            ("tangential air drag", tangential, ""),
            ("lift", lift, ""),
            ("swing speed", swing_speed, " m/s"),
            ("density of the air", density, " kg/m^3"),
            ("diameter of strands", diameter, " m"),
            ("inertia of the air", inertia, ""),
            ("passing of the air", passing, ""),
        ):
            if not (np.isfinite(real_array(name, value)).all() and value >= 0.0):
                raise ValueError(f"{name} is {value}{unit}: it must be finite and at least 0")
        self.wind = wind if callable(wind) else real_array("wind", wind)
        if not callable(wind) and (self.wind.shape != (3,) or not np.isfinite(self.wind).all()):
            raise ValueError(f"wind is {wind}: give three finite numbers in m/s")
        self.carries = self.carries or callable(wind) or bool(self.wind.any())
        self.normal, self.tangential, self.lift, self.swing_speed = normal, tangential, lift, swing_speed
        self.density, self.diameter, self.inertia, self.passing = density, diameter, inertia, passing

    @property
    def air_density(self):
        """Density of the air whose inertia acts on triangles [kg/m^3], see `air.ReactiveAir`."""
        return self.inertia * self.density

    @property
    def flow(self):
        """The Flow of air that has inertia; None where it has none."""
        if self.inertia == 0.0:
            return None
        lift = self.lift * self.density / max(self.passing, _SMALLEST) ** 2
        flat_on = self.normal / max(self.lift, _SMALLEST)
        across = 0.5 * self.normal * self.density / max(self.passing, _SMALLEST) ** 2
        told = self.body, self.inertia * self.density, self._passing_air, lift, flat_on, across
        return Flow(*told, self._leave_lift, self._leave_drag)

    def prepare(self):
        """Find what every triangle and strand may move of the masses at its corners."""
        if isinstance(self.wind, Winds):
            self.wind = self.wind.on(self.body)
        network = self.body.network
        self._inverse_masses = 1.0 / network.masses
        self._inverse_masses[network.hard_pins] = 0.0
        corners = self.body.triangles, self.body.strands
        counts = sum(np.bincount(of.ravel(), minlength=network.vertex_count) for of in corners)
        across, along, lift = (0.5 * self.density * c for c in (self.normal, self.tangential, self.lift))
        shared = self._inverse_masses * counts
        self._elements = (
            _Elements(corners[0], shared, _normals, across, along, self.swing_speed, lift),
            _Elements(
                corners[1],
                shared,
                _tangents,
                np.pi * self.diameter * along,
                self.diameter * across,
                self.swing_speed,
            ),
        )

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return self._mean_forces(x, v, t, 0.0)

    def slowed(self, x, v, t, dt):
        """Velocities [m/s] left of v after dt [s] at x, in the air of t [s]."""
        return v + self._inverse_masses[:, None] * self.impulses(x, v, t, dt)

    def impulses(self, x, v, t, dt):
        """What every particle receives in dt, and the air gives [N s], shape (vertex_count, 3)."""
        return dt * self._mean_forces(x, v, t, dt)

    def at_peak(self):
        """See `Force.at_peak`; of the Winds as well."""
        force = super().at_peak()
        wind = self.wind.at_peak() if isinstance(self.wind, Winds) else self.wind
        if wind is self.wind:
            return force
        force = copy(self) if force is self else force
        force.wind = wind
        return force

    def air(self, x, t):
        """Velocity of the air at places x [m/s], and the share of its density there, None where that is 1."""
        return (self.wind(x, t) if callable(self.wind) else self.wind), None

    def _passing_air(self, x, t):
        velocity, share = self.air(x, t)
        return velocity * self.passing, share

    def _leave_lift(self, lifted):
        triangles = self._elements[0]
        if triangles.lift is not None:
            triangles.lift = np.where(lifted[self.body.triangles].all(axis=1), 0.0, triangles.lift)

    def _leave_drag(self, shares):
        self._elements[0].own = 1.0 - shares

    def _mean_forces(self, x, v, t, dt):
        """Force on every particle, averaged over dt [s]."""
        wind, presence = self.air(x, t)
        x, v = np.ascontiguousarray(x.T), np.ascontiguousarray((v - wind).T)
        forces = np.zeros_like(x)
        for elements in self._elements:
            elements.add_forces(x, v, dt, forces, presence)
        return np.ascontiguousarray(forces.T)


class _Elements:
    """Triangles or strands, whose corners share what acts on them.

    corners: shape (count, k); shared: of every vertex, the inverse of the mass it gives to one element [1/kg].
    own: share of its forces that each has, shape (count,), None for all.
    axis: positions of the corners -> an axis, three rows, as long as the element is large. along, beside: drag along
    the axis and beside it, over size and squared velocity; lift: along the axis, for velocity beside it,
    shape (count,), None for none.
    """

    def __init__(self, corners, shared, axis, along, beside, swing_speed, lift=0.0):
        count, size = corners.shape
        self.lift = np.full(count, lift) if lift else None
        self.own: Any = None
        self._axis, self._along, self._beside, self._size = axis, along, beside, size
        self._swing_speed = size * swing_speed
        self._vertex_count = len(shared)
        self._columns = [np.ascontiguousarray(column) for column in corners.T]
        # An impulse J on the mean moves corners by w J shared, and the mean by the sum of w^2 shared J, w = 1/k.
        self._mobilities = shared[corners].mean(axis=1) / size if count else np.zeros(0)
        self._forces = np.empty((3, count))
        self._blocks = [slice(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
        if sparse is not None:
            starts, weights = np.arange(0, size * count + 1, size), np.full(size * count, 1.0 / size)
            means = sparse.csr_matrix((weights, corners.ravel(), starts), (count, len(shared)))
            self._sums = means.T.tocsr()

    def add_forces(self, x, v, dt, forces, presence=None):
        """Add mean forces over dt at the vertices; positions, velocities relative to the air and forces (3, n).

        presence: share of the air's density at the vertices, shape (n,), None for 1.
        """
        for block in self._blocks:
            columns = [column[block] for column in self._columns]
            axis = self._axis([[np.take(row, column, mode="clip") for row in x] for column in columns])
            u = [self._sum_over_corners(row, columns) for row in v]
            share = 1.0 if presence is None else self._sum_over_corners(presence, columns) / self._size
            along, beside = self._rates(
                axis, u, dt * self._mobilities[block], share, None if self.lift is None else self.lift[block]
            )
            for row, a, part in zip(self._forces, axis, u, strict=True):
                row[block] = along * a - beside * part
        for total, row in zip(forces, self._forces, strict=True):
            total += self._summed(row if self.own is None else self.own * row)

    @staticmethod
    def _sum_over_corners(row, columns):
        return sum(np.take(row, column, mode="clip") for column in columns)

    def _rates(self, axis, u, limit, presence, lift):
        """Factors of the axis and of u in the force, for u the sum over the corners."""
        squared = dot(axis, axis)
        size = np.sqrt(squared)
        share = dot(u, axis) / np.maximum(squared, _SMALLEST)
        # Velocities along the axis and beside it, of the mean.
        speed = np.abs(share) * size
        other = np.sqrt(np.maximum(dot(u, u) - speed * speed, 0.0))
        along = self._along * hypotenuse(speed, self._swing_speed)
        if lift is not None:
            along = hypotenuse(along, lift * other)
        along = along / self._size * size * presence
        beside = self._beside / self._size * size * hypotenuse(other, self._swing_speed) * presence
        along /= (1.0 + limit * along) * self._size
        beside /= (1.0 + limit * beside) * self._size
        return (beside - along) * share, beside

    def _summed(self, row):
        """A share of a row for each corner, summed per vertex."""
        if sparse is not None:
            return self._sums @ row
        return sum(np.bincount(column, row, self._vertex_count) for column in self._columns) / self._size


def _normals(corners):
    """Normals of triangles, as long as their areas."""
    (a, b, c), (d, e, f), (g, h, i) = corners
    d, e, f, g, h, i = d - a, e - b, f - c, 0.5 * (g - a), 0.5 * (h - b), 0.5 * (i - c)
    return e * i - f * h, f * g - d * i, d * h - e * g


def _tangents(corners):
    """From end to end."""
    return [b - a for a, b in zip(*corners, strict=True)]

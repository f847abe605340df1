# SPDX-License-Identifier: GPL-3.0-or-later
"""Air drag."""

from copy import copy

import numpy as np

from ..quantities import any_number, number, vector
from ..surface import pieces_of_surface
from .elements import Elements, Law
from .flow import Flow
from .force import Force
from .winds import Winds

_SMALLEST = 1e-300


class AirDrag(Force):
    """Resistance of still or moving air, quadratic in the velocity u relative to it.

    A triangle of area A feels -rho/2 A (C_n |u_n| u_n + C_t |u_t| u_t), u_n along its normal and u_t within it: the
    cross-flow principle. A strand of length l and diameter d, an edge without a face, feels the same with d l across
    itself, and pi d l along itself, in place of A. u is the mean over the corners, which share the force.

    normal: C_n, 0 for no drag. 1.2 is a flat plate and a cylinder across a steady flow.
    tangential: C_t, a twentieth of C_n unless given.
    swing_speed: u_0 [m/s] by which |u_n| in |u_n| u_n is raised where a triangle swings: what goes to and fro starts
        its vortices anew every time, and meets many times the steady drag, the more the less it moves. C_n is
        8 (2 pi a/d)^(-1/3) of a plate of the width d with the amplitude a: 8 for 1 cm of 6 cm. 0 is steady flow. It
        acts while |u_n| falls, in half of a swing, and leaves alone what gains speed, as folds that grow. It counts by
        u_n^2/u^2: air that passes along a surface, as along a flag in wind, takes no vortex back to it.
    steady: K. Of u_0 counts 1 / (1 + KC/K), with KC = 2 pi u^2 / (d |du_n/dt|), of a swing 2 pi times its stroke over
        d: nothing in a flow that does not change. d is twice the area of a piece of surface over the length of its rim,
        the width of a strip. inf is u_0 at all speeds, along surfaces and of strands, too.
    slowing: how many times as much as all other forces u_0 slows a triangle down at most, above 0: slow swings lose the
        same share of their speed in every half, whatever their size, and what it does has a limit where all is at rest.
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
    [-5.1, -1.5]
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
        swing_speed=8.0,
        steady=20.0,
        slowing=4.0,
        density=1.204,
        diameter=0.005,
        wind=(0.0, 0.0, 0.0),
        inertia=0.0,
        passing=1.0,
    ):
        self.normal = number("air drag", normal)
        self.tangential = number(
            "tangential air drag", self.normal / 20.0 if tangential is None else tangential
        )
        self.lift = number("lift", self.normal if lift is None else lift)
        self.swing_speed = number("swing speed", swing_speed, "m/s")
        self.density = number("density of the air", density, "kg/m^3")
        self.diameter = number("diameter of strands", diameter, "m")
        self.inertia = number("inertia of the air", inertia)
        self.passing = number("passing of the air", passing)
        self.steady, self.slowing = any_number("steady", steady), any_number("slowing", slowing)
        for name, value in (("steady", self.steady), ("slowing", self.slowing)):
            if not value > 0.0:
                raise ValueError(f"{name} is {value}: it must be above 0, or inf")
        self.wind = wind if callable(wind) else vector("wind", wind)
        self.carries = self.carries or callable(wind) or bool(self.wind.any())

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
        triangles, strands = self.body.triangles, self.body.strands
        counts = sum(np.bincount(of.ravel(), minlength=network.vertex_count) for of in (triangles, strands))
        across, along, lift = (0.5 * self.density * c for c in (self.normal, self.tangential, self.lift))
        shared, swings = self._inverse_masses * counts, (self.swing_speed, self.steady, self.slowing)
        widths = _widths(network.points, triangles)
        self._elements = (
            Elements(triangles, shared, Law(across, along, *swings), lift, widths),
            Elements(strands, shared, Law(np.pi * self.diameter * along, self.diameter * across, *swings)),
        )

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3), as in a steady flow."""
        return self._mean_forces(x, v, t, 0.0, None)

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s] left of v after dt [s] at x, in the air of t [s]; begun: see `Force.slowed`."""
        return v + self._inverse_masses[:, None] * self.impulses(x, v, t, dt, begun)

    def impulses(self, x, v, t, dt, begun=None):
        """Impulse of the air on every particle in dt [N s], shape (vertex_count, 3)."""
        return dt * self._mean_forces(x, v, t, dt, begun)

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
        triangles.lift = np.where(lifted[self.body.triangles].all(axis=1), 0.0, triangles.lift)

    def _leave_drag(self, shares):
        self._elements[0].own = 1.0 - shares

    def _mean_forces(self, x, v, t, dt, begun):
        """Force on every particle, averaged over dt [s]."""
        wind, presence = self.air(x, t)
        gained = None if begun is None or self.swing_speed == 0.0 else np.ascontiguousarray((v - begun.v).T)
        x, v = np.ascontiguousarray(x.T), np.ascontiguousarray((v - wind).T)
        forces, step = np.zeros_like(x), 0.0 if begun is None else t - begun.t
        for elements in self._elements:
            if len(elements):
                elements.add_forces(x, v, gained, dt, step, presence, forces)
        return np.ascontiguousarray(forces.T)


def _widths(points, triangles):
    """Twice the area over the rim's length of the piece that each triangle is of [m]; of what is closed its radius."""
    parts, area, around = pieces_of_surface(points, triangles)
    radii = np.sqrt(area / (4.0 * np.pi))
    rimmed = around > 0.0
    widths = np.where(rimmed, 2.0 * area / np.where(rimmed, around, 1.0), radii)
    return np.maximum(widths, _SMALLEST)[parts[triangles[:, 0]]]

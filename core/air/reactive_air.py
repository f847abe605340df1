# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertia of the air that a surface moves."""

import numpy as np

from ..axes import dot, hypotenuse
from ..incidence import sparse
from ..kernels import Indices
from ..kernels.air import (
    WAVES,
    spread_waves,
    sum_waves,
    triangle_normals,
    vertex_normals,
)
from ..kernels.lanes import slice_count
from .canopies import CUPPED, canopies
from .passage import Passage
from .surface_modes import surface_modes

_SMALLEST = 1e-300

# Times that the normals in the middle of the step to come are found: with one, waves would gain by a step's square.
_PASSES = 2

# Root of a share of the density below which a normal has to be found anew.
_THIN = 1e-3

_WHOLE = np.ones(1)

# Share of a body's mass below which that of its air, as of its longest wave, is nothing beside it: of jelly it is a
# thousandth.
_NOTHING = 0.01


class ReactiveAir:
    """Air that takes part in the motion of a surface across itself, and passes along it.

    A wave of the wave number k on a sheet moves the air on both sides of it: as much as 2 rho / k of it, per area. With
    w the velocity of the surface relative to the air, along the normals n, the pressure is -D/Dt of the momentum of
    that air, D/Dt = d/dt + U . grad with U the velocity of the air along the surface: p = -G D/Dt G w, where G is the
    root of M_a = 2 rho (k^2 + kappa^2)^(-1/2), which is symmetric, and kappa what the size of the surface says, see
    `SurfaceModes`. In place of waves it has the surface's lowest modes: what is shorter moves no air.

    So b = G w, a number a mode, is the momentum, and |b|^2 / 2 the energy of the air. The equations are
    M dv/dt = f - B (db/dt + T b), b = B^T (v - u): B = N G has the normals in it, T is what passes along, see
    `Passage`, and u the velocity of the air. They are split into two that take turns:
    1. In a step of the integrator normals stay as they are, and nothing passes along: particles have the mass
       M + B B^T. The normals are those of its middle.
    2. After it positions stay, normals turn to those in the middle of the next step, and air passes along the surface
       (`passed`), by the trapezoidal rule. With the mean of the normals of before and after in place of N, the change
       of the energy in the frame of the air is -dt b . T b, b in the middle: exactly, at any step, and T + T^T is
       positive. So all that the surface gains is the work of the wind.

    A plate that meets air aslant is lifted by what drag and lift say of its mean velocity across: this takes the lift
    of all that it has a mode of, so that waves are not slowed down by what is lifted nowhere but here.

    3. Air that stands in canopies takes what it does of the velocities, see `canopies`; none passes along there.

    flows: Flows over a body; place: slice of all particles that are the body's; particle_count: of all. Arrays of all
    particles come in, of which it finds its own. Needs SciPy.
    normals: along which air moves in the step, as long as the root of its density's share, shape (3, vertex_count).
    matters: whether the air weighs anything beside the body.

    Argentina and Mahadevan 2005, "Fluid-flow-induced flutter of a flag", eq. 1, for p of a constant M_a; Shelley,
    Vandenberghe and Zhang 2005, "Heavy flags undergo spontaneous oscillations in flowing water", for 2 rho / k;
    Hairer, Lubich and Wanner 2006, "Geometric Numerical Integration", section II.5, for the splitting.
    """

    def __init__(self, flows, place=slice(None), particle_count=None):
        body = flows[0].body
        network, triangles = body.network, body.triangles
        self._flows, self.place = flows, place
        self.particle_count = particle_count or network.vertex_count
        modes = surface_modes(network.points, triangles)
        density = max(flow.density for flow in flows)
        roots = np.sqrt(2.0 * density / modes.wave_numbers)
        self._count = len(roots)
        self._waves = np.zeros((network.vertex_count, WAVES))
        self._waves[:, : self._count] = (roots[:, None] * modes.fields * modes.areas).T
        self._partial = np.empty((slice_count(network.vertex_count), WAVES))
        self._sum = sum_waves.bound(waves=self._waves, sums=self._partial)
        self._spread = spread_waves.bound(waves=self._waves)
        self._inverse_masses = 1.0 / network.masses
        self._inverse_masses[network.hard_pins] = 0.0
        # Effect of half of an impulse.
        self._half = -0.5 * self._inverse_masses
        self._hard_pins = network.hard_pins
        self._normals = Normals(triangles, network.vertex_count)
        lift, self._flat_on = max((flow.lift, flow.flat_on) for flow in flows)
        self._lift = 0.5 * lift * modes.even / roots**2
        # Mean velocity across a piece of surface by b of its mode that is even [1/kg^1/2].
        self._per_b = np.abs(modes.fields).max(axis=1) / roots
        self._lifted_vertices = modes.even @ np.abs(modes.fields) > 0.0
        self._one = np.eye(WAVES)
        self._mobility = self._mobilities(
            *[np.repeat([[1.0], [0.0], [0.0]], network.vertex_count, axis=1)] * 2
        )
        self._canopies = canopies(network.points, triangles)
        still = np.any([np.zeros(len(triangles), dtype=bool), *(of.chosen for of in self._canopies)], axis=0)
        self._still, self._caught = still, CUPPED * max(flow.across for flow in flows)
        self._passage = Passage(network.points, triangles, modes, still)
        self.matters = bool(np.linalg.eigvalsh(self._mobility)[-1] > _NOTHING)
        self._turn_to(np.zeros((3, network.vertex_count)), np.ones(1))

    def take_lift(self):
        """Take the lift of what it has a mode of from the forces themselves."""
        for flow in self._flows:
            flow.leave_lift(self._lifted_vertices)

    def begin(self, state, dt):
        """Take the normals that a State tells, or those in the middle of a step of dt [s] from there."""
        if state.normals is None:
            x, v = (np.ascontiguousarray(rows[self.place].T) for rows in (state.x, state.v))
            _, root = _moving(self._flows, x.T, state.t)
            self._turn_to(self._normals(x, v, 0.5 * dt, root), root)
        else:
            normals = np.ascontiguousarray(state.normals[self.place].T)
            self._turn_to(normals, np.sqrt(dot(normals, normals)))

    @property
    def columns(self):
        """B with all normals the same, without hard pins, shape (vertex_count, WAVES) [kg^1/2]."""
        columns = self._waves.copy()
        columns[self._hard_pins] = 0.0
        return columns

    def momentum(self, p):
        """B^T p of a field of all particles, shape (3, particle_count); of shape (WAVES,)."""
        return self._sums(self.normals, p[:, self.place])

    def push(self, numbers, out):
        """Add B numbers to a field of all particles."""
        own = np.ascontiguousarray(out[:, self.place])
        self._spread(self.normals, numbers, _WHOLE, own)
        if not np.may_share_memory(own, out):
            out[:, self.place] = own

    def kinetic_energy(self, state):
        """Energy of the air that moves with a State, with its normals or the present ones [J]."""
        normals = self.normals if state.normals is None else state.normals[self.place].T
        sums = self._sums(normals, state.v[self.place].T)
        return 0.5 * float(np.einsum("i,i->", sums, sums))

    def hold_back(self, gains):
        """Take from what particles alone gain in velocity [m/s], shape (n, 3), what their air takes."""
        own = np.ascontiguousarray(gains[self.place].T)
        taken = self._held_back @ self._sums(self.normals, own)
        self._spread(self.normals, 2.0 * taken, self._half, own)
        gains[self.place] = own.T

    def passed(self, state, dt):
        """Velocities [m/s] of a State after normals have turned and air has passed along for dt [s], shape (n, 3)."""
        x, v = (np.ascontiguousarray(rows[self.place].T) for rows in (state.x, state.v))
        velocity, root = _moving(self._flows, x.T, state.t)
        against = v - velocity
        before = self._as_dense(root, x)
        b = self._sums(before, against)
        rate, speeds = self._passage.rate(x, -against)
        along = np.zeros((WAVES, WAVES))
        along[: self._count, : self._count] = rate + np.diag(self._lifted(b[: self._count], speeds))
        along *= 0.5 * dt
        found = v
        for number in range(_PASSES):
            after = self._normals(x, found, 0.5 * dt, root)
            # Where normals turn little, the first time may count without that.
            mobility = self._mobilities(before, after) if number else self._mobility_of(before, root)
            turned = self._sums(after, against)
            # The impulse is b' - b + dt T (b + b')/2, and b' what it leaves: B'^T (v' - u).
            left = np.linalg.solve(
                self._one + mobility @ (self._one + along), turned + mobility @ (b - along @ b)
            )
            impulse = left - b + along @ (left + b)
            found = v.copy()
            for normals in (before, after):
                self._spread(normals, impulse, self._half, found)
        self._turn_to(after, root)
        found = self._without_caught(x, found, velocity, dt) if self._canopies else found
        velocities = state.v.copy()
        velocities[self.place] = found.T
        return velocities

    def _without_caught(self, x, v, velocity, dt):
        """Velocities [m/s] less what the air takes of them that stands in canopies, in dt [s]."""
        shares = np.zeros(len(self._still))
        for canopy in self._canopies:
            areas, mouth, flux, share = canopy.caught(x, v - velocity)
            shares[canopy.chosen] = share
            gained = self._inverse_masses * areas
            taken = self._held_back @ self._sums(self.normals, gained)
            self._spread(self.normals, 2.0 * taken, self._half, gained)
            dense = np.broadcast_to(self._root, x.shape[1])[canopy.rim].mean() ** 2
            rate = share * dense * self._caught * abs(flux)
            # On its own the flux decays as q / (1 + k |q| dt): no step adds energy.
            slowing = dt * rate * float(np.einsum("ij,ij->", areas, gained)) / mouth
            v = v - (dt * rate * flux / (1.0 + slowing)) * gained
        for flow in self._flows:
            flow.leave_drag(shares)
        return v

    def _as_dense(self, root, x):
        """The normals, as long as the root of the density's share is now: what that was is the wind's to give."""
        if np.array_equal(root, self._root):
            return self.normals
        size = np.sqrt(dot(self.normals, self.normals))
        known = size > _THIN
        units = self.normals / np.where(known, size, 1.0)
        if not known.all():
            units = np.where(known, units, self._normals(x, x, 0.0))
        return units * root

    def _turn_to(self, normals, root):
        """Take normals that are as long as the root of the density's share."""
        self.normals, self._root = normals, root
        self._held_back = np.linalg.inv(self._one + self._mobility_of(normals, root))

    def _lifted(self, b, speeds):
        """Effect of quasi-steady lift on b, for speeds along the surface at each mode [1/s]."""
        across = np.abs(b) * self._per_b
        return self._lift * (hypotenuse(self._flat_on * across, speeds) - self._flat_on * across)

    def _mobility_of(self, normals, root):
        """B^T M^-1 B of normals that are as long as the root of the density's share [1/kg], shape (WAVES, WAVES)."""
        return self._mobility if np.all(root == 1.0) else self._mobilities(normals, normals)

    def _mobilities(self, before, after):
        """The same of the means of two normals at each vertex."""
        means = 0.5 * (before + after)
        scaled = self._waves * np.sqrt(dot(means, means) * self._inverse_masses)[:, None]
        return scaled.T @ scaled

    def _sums(self, normals, p):
        self._sum(np.ascontiguousarray(normals), np.ascontiguousarray(p))
        return self._partial.sum(axis=0)


def _moving(flows, x, t):
    """Velocity of the air [m/s], shape (3, n) or (3, 1), and the root of the share of its density, at most 1."""
    found = [flow.air(x, t) for flow in flows]
    if len(found) == 1:
        (velocity, share), flow = found[0], None
    else:
        shares = [np.broadcast_to(1.0 if share is None else share, len(x)) for _, share in found]
        moved = [of_one * np.atleast_2d(flow).T for of_one, (flow, _) in zip(shares, found, strict=True)]
        share = np.maximum(np.max(shares, axis=0), _SMALLEST)
        flow = sum(moved) / share
    root = np.ones(1) if share is None else np.atleast_1d(np.sqrt(np.minimum(share, 1.0)))
    return np.atleast_2d(velocity).T if flow is None else flow, root


class Normals:
    """Normals at the vertices of triangles, along the sum of those of the triangles around each.

    triangles: shape (count, 3).
    """

    def __init__(self, triangles, vertex_count):
        corners = triangles.ravel()
        counts = np.bincount(corners, minlength=vertex_count)
        starts = np.concatenate([[0], np.cumsum(counts)])
        around = np.argsort(corners, kind="stable") // 3
        across = np.empty((len(triangles), 3))
        self._of_triangles = triangle_normals.bound(triangles=Indices(triangles, vertex_count), across=across)
        self._of_vertices = vertex_normals.bound(
            starts=Indices(starts, len(corners) + 1), around=Indices(around, len(triangles)), across=across
        )

    def __call__(self, x, v, dt, sizes=_WHOLE):
        """Those at x + dt v, shape (3, vertex_count), as long as told at each vertex; z where there is none."""
        normals = np.empty(x.shape)
        self._of_triangles(x, v, dt)
        self._of_vertices(sizes, normals)
        return normals


def reactive_airs(forces, particle_count):
    """A ReactiveAir for every body whose air some forces move that have inertia; none without SciPy."""
    by_body: dict[int, list] = {}
    for force in forces if sparse is not None else ():
        flow = getattr(force, "flow", None)
        if flow is not None and len(flow.body.triangles):
            by_body.setdefault(id(flow.body), []).append((flow, getattr(force, "place", slice(None))))
    airs = [
        ReactiveAir([flow for flow, _ in group], group[0][1], particle_count) for group in by_body.values()
    ]
    acting = tuple(air for air in airs if air.matters)
    for air in acting:
        air.take_lift()
    return acting

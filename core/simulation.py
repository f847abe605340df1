# SPDX-License-Identifier: GPL-3.0-or-later
"""A network, a method and a step: frames come out."""

from dataclasses import replace

import numpy as np

from . import forces
from .diagnostics import enough_substeps, stable_dt
from .energy_budget import EnergyBudget
from .integrators import INTEGRATORS
from .state import State
from .system import System

# A spring this many times longer than the whole network and what its weight may stretch is an explosion.
RUNAWAY_FACTOR = 1e3


class SimulationDiverged(ArithmeticError):
    """The numbers stopped being a simulation; the message says why and what to change."""


class Simulation:
    """A spring network advanced in steps of dt by one of the INTEGRATORS.

    network: SpringNetwork; integrator: id in INTEGRATORS.
    dt: time of one step, usually one frame [s]; substeps: equal integrator steps within dt.
    gravity: acceleration [m/s^2]; forces: external forces, see System.
    contacts: objects with resolve(before, after) -> State, applied in order after every substep.
    options: of the integrator, see its class.

    state: the current State; assign another to start from there. Frames are counted from its time.
    Raises ValueError naming what is out of range and what would be right.
    """

    def __init__(
        self,
        network,
        integrator="PROJECTIVE_DYNAMICS",
        *,
        dt,
        substeps=1,
        gravity=(0.0, 0.0, -9.81),
        forces=(),
        contacts=(),
        **options,
    ):
        if integrator not in INTEGRATORS:
            raise ValueError(f"integrator is {integrator!r}: use one of {', '.join(INTEGRATORS)}")
        if not (np.isfinite(dt) and dt > 0):
            raise ValueError(f"dt is {dt} s: it must be finite and above 0")
        if not (1 <= substeps < np.inf and int(substeps) == substeps):
            raise ValueError(f"substeps is {substeps}: give a whole number of at least 1")
        self.network = network
        self.dt = float(dt)
        self.substeps = int(substeps)
        self.contacts = tuple(contacts)
        self.system = System(network, gravity, forces)
        self.integrator_id = integrator
        self.integrator = INTEGRATORS[integrator](self.system, self.dt / self.substeps, **options)
        # How far the network's whole weight would stretch its softest spring: far more than the size of a micrometre.
        weight = network.masses.sum() * np.linalg.norm(self.system.gravity)
        self._sag = weight / network.stiffness.min(initial=np.inf)
        self._budget = EnergyBudget(self.system, self.integrator)
        self._targets = network.points[network.pinned]
        self.state = State(network.points, np.zeros_like(network.points), 0.0)

    @property
    def state(self):
        """The current State."""
        return self._state

    @state.setter
    def state(self, state):
        x, v = self._rows_of_vertices("positions", state.x), self._rows_of_vertices("velocities", state.v)
        self._state = State(x, v, float(state.t))
        self.integrator.restore_history(())
        self._first_t, self._frame = self._state.t, 0
        places = np.concatenate([self.network.points, x])
        self._low, self._high = places.min(axis=0), places.max(axis=0)
        self._budget.ceiling = np.nan

    def step(self, pin_targets=None):
        """Advance by dt.

        pin_targets: None leaves the pins where they are. Else their targets [m] at the end of dt, moved to
            in a straight line, or a callable t -> targets that is asked at the end of every substep. Rows
            are all hard pins, all pinned vertices, or all vertices, in index order.

        Raises SimulationDiverged and keeps the last good state when positions stop being finite or run
        away; ValueError for targets of another shape or not finite.
        """
        at = self._target_path(pin_targets)
        history = self.integrator.history
        try:
            state, targets = self._substeps(at)
            if state is None:
                self.integrator.restore_history(history)
                state, targets = self._substeps(at, bounded=True)
            self._budget.close(state)
        except BaseException:
            # The state is still the one before; what the integrator remembers must be of the same time.
            self.integrator.restore_history(history)
            raise
        self._state, self._targets = state, targets
        self._frame += 1

    def snapshot(self):
        """All that changes with time, as arrays by name: with `restore` it continues bit for bit.

        Keys: x [m] and v [m/s], shape (vertex_count, 3); targets of the pinned vertices [m]; t and first_t
        [s], frame, scalars; low and high [m], the extent that divergence is measured against; ceiling [J] of
        the energy; history_0, history_1, … of the integrator, where it keeps any.
        """
        arrays = {
            "x": self.state.x,
            "v": self.state.v,
            "t": self.state.t,
            "targets": self._targets,
            "first_t": self._first_t,
            "frame": self._frame,
            "low": self._low,
            "high": self._high,
            "ceiling": self._budget.ceiling,
        }
        arrays |= {f"history_{number}": array for number, array in enumerate(self.integrator.history)}
        return {name: np.array(array) for name, array in arrays.items()}

    def restore(self, snapshot):
        """Continue from a `snapshot` of a simulation with the same arguments.

        Raises ValueError, and changes nothing, for arrays that are not of this network and integrator.
        """
        required = ("x", "v", "t", "targets", "first_t", "frame", "low", "high", "ceiling")
        missing = [name for name in required if name not in snapshot]
        if missing:
            raise ValueError(f"the snapshot holds no {missing[0]!r}: give all that `snapshot` returns")
        names = sorted((name for name in snapshot if name.startswith("history_")), key=lambda n: int(n[8:]))
        x, v = (
            self._rows_of_vertices(name, snapshot[key])
            for name, key in (("positions", "x"), ("velocities", "v"))
        )
        targets = np.array(snapshot["targets"], dtype=np.float64)
        if targets.shape != self._targets.shape or not np.isfinite(targets).all():
            raise ValueError(
                f"pin targets of shape {targets.shape}: give finite numbers of shape {self._targets.shape}"
            )
        self.integrator.restore_history(tuple(self._rows_of_vertices(n, snapshot[n]) for n in names))
        self._state, self._targets = State(x, v, float(snapshot["t"])), targets
        self._first_t, self._frame = float(snapshot["first_t"]), int(snapshot["frame"])
        self._low, self._high = (np.array(snapshot[name], dtype=np.float64) for name in ("low", "high"))
        self._budget.ceiling = float(snapshot["ceiling"])

    def frames(self, count, pin_targets=None):
        """Step `count` times and yield the positions after each [m], shape (vertex_count, 3), float64.

        pin_targets: None or a callable t -> targets, t in s from the start, as in `step`.
        """
        for _ in range(count):
            self.step(pin_targets)
            yield self.state.x

    def diagnostics(self):
        """Energies [J], strains, relative residual, largest stable explicit step [s] and step in use [s].

        Keys: kinetic, elastic, potential (elastic and external), total, largest_strain, mean_strain,
        residual, stable_dt (of symplectic Euler on this network), method_stable_dt (of the integrator in
        use), dt.
        """
        x, v, t = self.state.x, self.state.v, self.state.t
        kinetic = forces.kinetic_energy(self.network, v)
        elastic = self.integrator.elastic_energy(x, t)
        potential = elastic + self.system.external_energy(x)
        strains = np.abs(self.network.strains(x))
        return {
            "kinetic": kinetic,
            "elastic": elastic,
            "potential": potential,
            "total": kinetic + potential,
            "largest_strain": float(strains.max(initial=0.0)),
            "mean_strain": float(strains.mean()) if len(strains) else 0.0,
            "residual": self.integrator.residual(),
            "stable_dt": stable_dt(self.network),
            "method_stable_dt": self._method_stable_dt(),
            "dt": self.dt / self.substeps,
        }

    def _method_stable_dt(self):
        method = self.integrator
        return stable_dt(self.network, method.stability_limit, method.damping_limit)

    def _substeps(self, at, bounded=False):
        """State and pin targets at the end of dt, the state None where it is beyond the budget of energy.

        at: number of the substep -> targets at its end; bounded: whether to keep every substep within it.
        """
        state, targets = self.state, self._targets
        with np.errstate(over="ignore", invalid="ignore"):
            self.system.move_pins(targets, targets, state.t, self.dt)
            self._budget.begin(state)
            for number in range(1, self.substeps + 1):
                try:
                    state, targets = self._substep(state, targets, at(number), self._time(number), bounded)
                except np.linalg.LinAlgError as error:
                    # An implicit method whose matrix is built from positions that are no longer finite.
                    raise self._divergence(self._time(number)) from error
            if not (bounded or self._budget.holds(state)):
                return None, targets
            self._check(state)
        return state, targets

    def _substep(self, state, targets, next_targets, t, bounded):
        system, hard = self.system, self.network.hard_pins
        system.move_pins(targets, next_targets, state.t, t - state.t)
        v = state.v.copy()
        v[hard] = system.hard_velocities()
        before = replace(state, v=v)
        after = returned = self.integrator.step(before)
        if bounded:
            after = returned = self._budget.bounded(before, after)
        for contact in self.contacts:
            after = contact.resolve(before, after)
        struck = after is not returned
        x, v = after.x, after.v
        if self.contacts:
            # Copies, because a contact may hand back arrays of the state before, which must stay as it is.
            x, v = x.copy(), v.copy()
        x[hard] = system.hard_targets()
        v[hard] = system.hard_velocities()
        after = State(x, v, t)
        if self.contacts:
            self.integrator.correct(returned, after)
        self._budget.add_work(before, after, struck)
        return after, next_targets

    def _time(self, number):
        """Time at the end of a substep: a multiple of dt, so that no rounding adds up over the frames."""
        return self._first_t + (self._frame + number / self.substeps) * self.dt

    def _target_path(self, pin_targets):
        """Callable number of the substep -> targets of all pinned vertices at its end."""
        if pin_targets is None:
            return lambda number: self._targets
        if callable(pin_targets):
            return lambda number: self._rows(pin_targets(self._time(number)))
        start, end = self._targets, self._rows(pin_targets)

        def straight_line(number):
            # The last substep must end on the target itself, not on its rounding.
            return end if number == self.substeps else start + (number / self.substeps) * (end - start)

        return straight_line

    def _rows_of_vertices(self, name, values):
        """A copy of an array of finite numbers, one row a vertex, else ValueError."""
        values, shape = np.array(values, dtype=np.float64), self.network.points.shape
        if values.shape != shape or not np.isfinite(values).all():
            raise ValueError(f"{name} of shape {values.shape}: give finite numbers of shape {shape}")
        return values

    def _rows(self, targets):
        targets = np.asarray(targets, dtype=np.float64)
        network = self.network
        if not np.isfinite(targets).all():
            raise ValueError("a pin target is not finite: check what moves the pinned vertices")
        if targets.shape == (len(network.pinned), 3):
            return targets
        if targets.shape == (network.vertex_count, 3):
            return targets[network.pinned]
        if targets.shape == (len(network.hard_pins), 3):
            rows = self._targets.copy()
            rows[np.searchsorted(network.pinned, network.hard_pins)] = targets
            return rows
        raise ValueError(
            f"pin targets have shape {targets.shape}: give x, y, z for the {len(network.hard_pins)} hard "
            f"pins, the {len(network.pinned)} pinned vertices or all {network.vertex_count} vertices"
        )

    def _check(self, state):
        low = np.minimum(self._low, self._targets.min(axis=0, initial=np.inf))
        high = np.maximum(self._high, self._targets.max(axis=0, initial=-np.inf))
        size = max(float((high - low).max()), float(self.network.rest_lengths.max(initial=0.0)))
        # A network that starts as one point, without rest lengths, has no size to be compared with.
        limit = RUNAWAY_FACTOR * (size + self._sag) if size > 0.0 else np.inf
        extent = np.ptp(state.x, axis=0)
        # No spring is longer than the box about all vertices, which is quicker found than all lengths.
        if not np.linalg.norm(extent) <= limit and np.isfinite(extent).all():
            extent = self.network.spring_lengths(state.x).max(initial=0.0)
        if np.isfinite(state.v).all() and np.isfinite(extent).all() and np.max(extent) <= limit:
            return
        raise self._divergence(state.t)

    def _divergence(self, t):
        """The error that says why the step to t failed and what to change."""
        h, limit = self.dt / self.substeps, self._method_stable_dt()
        enough = enough_substeps(self.network, self.integrator, self.dt)
        if h < limit:
            remedy = "check masses, stiffness, forces and pin motion for extreme values"
        elif enough is None:
            remedy = (
                "it is stable at no step for undamped springs; use Verlet or Projective Dynamics, and if they "
                "diverge too, check forces and pin motion for extreme values"
            )
        else:
            remedy = (
                f"its step of {h:.3g} s is beyond {limit:.3g} s; use {enough} substeps or Projective Dynamics"
            )
        return SimulationDiverged(f"{self.integrator.label} diverged at {t:.4g} s: {remedy}")

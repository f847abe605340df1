# SPDX-License-Identifier: GPL-3.0-or-later
"""A network, a method and a step: frames come out."""

from functools import partial
from types import MappingProxyType

import numpy as np

from .bodies import Body, Cloth
from .contact.contact import Contact
from .contact.potential_contacts import PotentialContacts
from .contact.varying import contacts_at, vary
from .diagnostics import diagnostics
from .divergence import check
from .divided_steps import MOST_PARTS, DividedSteps
from .energy_budget import EnergyBudget
from .imperfection import imperfection as off_its_shape
from .integrators import ALIASES, INTEGRATORS
from .integrators.integrator import Integrator, whole_number
from .integrators.split_contacts import SplitContacts
from .network_changes import Changing
from .pin_targets import PinTargets
from .quantities import finite, real_array, sequence
from .snapshot import (
    air_arrays,
    check_complete,
    history_arrays,
    restored_history,
    restored_motion,
    restored_network,
    restored_parts,
    spring_arrays,
    vertex_rows,
)
from .state import State
from .substep import frame
from .system import System


class Simulation:
    """A spring network, or another Body, advanced in steps of dt by one of the INTEGRATORS.

    network: SpringNetwork, or a Body; integrator: id in INTEGRATORS, or ALIASES, or a subclass of Integrator.
    dt: time of one step, usually one frame [s]; substeps: equal steps within dt, or more, see `DividedSteps`.
    gravity: acceleration [m/s^2], three numbers, or 0.
    forces: one or several Forces, or callables (x, v, t) -> forces [N], see System.
    contacts: one or several Contacts, or objects with resolve(before, after) -> State, which take turns in order.
    quantities: of the network that change with time, callables t -> value by name, as `change` takes them; they are as
        at the end of a frame in all of it.
    imperfection: by how much surfaces begin off their shape [m], of all or for each vertex, see `imperfection`.
    options: of the integrator, see its class.

    state: the current State; assign another to start from there. steps: the DividedSteps; budget: the EnergyBudget.
    Raises ValueError naming what is out of range and what would be right.

    >>> from hooke.core import Plane, Simulation, SpringNetwork
    >>> sheet = SpringNetwork.grid((21, 21), 0.05, pins=[0, 20])
    >>> simulation = Simulation(sheet, "VERLET", dt=1 / 24, substeps=40, contacts=Plane((0, 0, -0.5)))
    >>> heights = [x[:, 2].min() for x in simulation.frames(24)]
    >>> round(float(min(heights)), 3)
    -0.5
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
        quantities=MappingProxyType({}),
        imperfection=0.0,
        **options,
    ):
        method, self.integrator_id = _method(integrator)
        _check_steps(dt, substeps)
        self.body = network if isinstance(network, Body) else Cloth(network)
        self.network = network = self.body.network
        self.dt, self.substeps = float(dt), int(substeps)
        self.system = system_of(self.body, method, gravity, forces, contacts)
        made = partial(_in_steps, method, self.system, self.dt, options)
        self.steps = DividedSteps(self.system, self.substeps, made)
        self.budget = EnergyBudget(self.system, self.steps)
        self._pins, self.changing = PinTargets(self.body), Changing(quantities, self.dt)
        x = network.points + off_its_shape(network, imperfection)
        self.state = State(x, np.zeros_like(x), 0.0)

    @property
    def integrator(self):
        """The Integrator of the last step."""
        return self.steps.method

    @property
    def vertices(self):
        """Positions of the body's mesh now [m], shape (vertex_count, 3); those of the particles for cloth."""
        return self.body.embed(self.state.x)

    @property
    def state(self):
        """The current State."""
        return self._state

    @state.setter
    def state(self, state):
        t, count = finite("time of a state", state.t, "s"), self.network.vertex_count
        x, v = vertex_rows("positions", state.x, count), vertex_rows("velocities", state.v, count)
        self._state = State(self.system.contacts.begun(x, t), v, t)
        self.steps.recall((1, 1), ())
        self._first_t, self._frame, self._unsolved = self._state.t, 0, 0
        places = np.concatenate([self.network.points, x])
        self._low, self._high = places.min(axis=0), places.max(axis=0)
        self.system.move_pins(self._pins.now, self._pins.now, self._state.t, self.dt)
        self.budget.start(self._state)

    def step(self, pin_targets=None):
        """Advance by dt.

        pin_targets: None leaves the pins where they are. Else their targets [m] at the end of dt, moved to
            in a straight line, or a callable t -> targets that is asked at the end of every substep. Rows
            are all hard pins, all pinned vertices, or all vertices, in index order.

        Raises SimulationDiverged, with the last good state kept, where positions are no longer finite or run away, and
        ValueError for targets of another shape or not finite.
        """
        t = self._first_t + (passed := (self._frame + 1) * self.dt)
        changes = self.changing.of_frame(self.network, self.state.x, t, passed)
        if changes or vary(self.system.contacts, t):
            self._go_on_with(self.network.changed(**changes) if changes else self.network, t)
        memory, budget = self.steps.memory, self.budget.memory
        try:
            state, targets = self._next(pin_targets)
            self.steps.end(state)
            self.budget.close(state)
        except BaseException:
            # The state is still the one before; what the integrator remembers must be of the same time.
            self.steps.recall(*memory)
            self.budget.memory = budget
            raise
        self._state, self._pins.now = state, targets
        self._frame += 1

    def change(self, **quantities):
        """Continue with other springs between the same vertices, as `SpringNetwork.changed` makes them.

        quantities: as there; implicit methods make a new factor for stiffness and broken springs, and for no others.
        Raises ValueError as `SpringNetwork.changed` does, and changes nothing then.
        """
        self._go_on_with(self.network.changed(**quantities))

    def _go_on_with(self, network, t=None):
        history, energy = self.integrator.history, self.budget.energy(self.state)
        self.network = self.system.take_up(network)
        self.system.contacts = contacts_at(self.system.contacts, t)
        self.steps.change()
        self.budget.change(self.state, self.budget.energy(self.state) - energy, started=self._frame > 0)
        self.integrator.restore_history(history)

    def snapshot(self):
        """All that changes with time, as arrays by name: with `restore` it continues bit for bit.

        Keys: x [m] and v [m/s], shape (vertex_count, 3); targets of the pinned vertices [m]; t, first_t [s] and frame;
        low and high [m], the extent that divergence is measured against; ceiling [J] of the energy, and bounded,
        whether the last frame was kept below it; stiffness, rest_lengths and broken of springs that were changed;
        normals and history_0, … of the integrator, where it keeps any.
        """
        arrays = {
            "x": self.state.x,
            "v": self.state.v,
            "t": self.state.t,
            "targets": self._pins.now,
            "first_t": self._first_t,
            "frame": self._frame,
            "low": self._low,
            "high": self._high,
            "ceiling": self.budget.ceiling,
            "bounded": self.budget.acts,
            "parts": self.steps.memory[0],
        }
        arrays |= spring_arrays(self.network, self.body.network)
        arrays |= air_arrays(self.state) | history_arrays(self.integrator.history)
        return {name: np.array(array) for name, array in arrays.items()}

    def restore(self, snapshot):
        """Continue from a `snapshot` of a simulation with the same arguments.

        Raises ValueError, and changes nothing, for arrays that are not of this network and integrator.
        """
        check_complete(snapshot)
        count = self.network.vertex_count
        state, first_t, frames = restored_motion(snapshot, count, self.dt, self.substeps * MOST_PARTS)
        targets = self._pins.restored(snapshot["targets"])
        network = restored_network(snapshot, self.body.network)
        self.steps.recall(restored_parts(snapshot), restored_history(snapshot, count))
        if network is not self.network:
            self._go_on_with(network)
        self._state, self._first_t, self._frame, self._pins.now = state, first_t, frames, targets
        self._low, self._high = (np.array(snapshot[name], dtype=np.float64) for name in ("low", "high"))
        self.budget.memory = float(snapshot["ceiling"]), bool(snapshot.get("bounded", False))

    def frames(self, count, pin_targets=None):
        """Step `count` times and yield the mesh's positions after each [m], shape (vertex_count, 3), float64.

        pin_targets: None or a callable t -> targets, t in s from the start, as in `step`.
        """
        for _ in range(count):
            self.step(pin_targets)
            yield self.vertices

    def diagnostics(self):
        """Energies [J], strains, residuals and stable steps [s] by name, see `diagnostics.diagnostics`."""
        return diagnostics(self.system, self.integrator, self.state, self._unsolved)

    def squeezed(self):
        """Particles without room between two contacts in the last frame, see `WithoutRoom.most`."""
        return self.system.contacts.room.most()

    def _next(self, pin_targets):
        """State and pin targets at the end of dt; arguments as of `step`."""
        steps, parts, bounded, last = self.steps, self.steps.next_parts, self.budget.acts, False
        with np.errstate(over="ignore", invalid="ignore"):
            while True:
                self.system.contacts.begin_frame()
                if parts != steps.parts:
                    last = not self.budget.divide(parts, self.state) or last
                history, at = self.integrator.history, self._pins.path(pin_targets, self._time, steps.count)
                of_frame = self.system, steps, self.budget, self.state, self._pins.now, at, self._time
                state, targets, self._unsolved = frame(*of_frame, bounded=bounded or last, last=last)
                if state is not None:
                    check(self.system, steps, state, (self._low, self._high), self._pins.now)
                    return state, targets
                self.integrator.restore_history(history)
                last, parts = steps.next_parts <= steps.parts, max(steps.parts, steps.next_parts)

    def _time(self, number):
        """Time at the end of a substep: a multiple of dt, so that no rounding adds up over the frames."""
        return self._first_t + (self._frame + number / self.steps.count) * self.dt


def system_of(body, method, gravity, forces, contacts):
    """The System of a Body as an Integrator's class asks for it; see Simulation."""
    kind = PotentialContacts if method.minimises_contacts else SplitContacts
    acting = _sequence("force", forces), _sequence("contact", contacts)
    return System(body, gravity, *acting, kind, method.moves_air, method.bends)


def _method(integrator):
    """Class of a method that is given by class, id or alias, and its id; raises ValueError for anything else."""
    if isinstance(integrator, type) and issubclass(integrator, Integrator):
        known = (name for name, method in INTEGRATORS.items() if method is integrator)
        return integrator, next(known, integrator.__name__)
    name = ALIASES.get(integrator, integrator) if isinstance(integrator, str) else None
    if name not in INTEGRATORS:
        ids = ", ".join((*INTEGRATORS, *ALIASES))
        raise ValueError(f"integrator is {integrator!r}: use one of {ids}, or a subclass of Integrator")
    return INTEGRATORS[name], name


def _in_steps(method, system, dt, options, count):
    """A method in so many steps of a frame of dt [s]."""
    return method(system, dt / count, **options)


# Of steps that are shorter, or longer than one over this, the square has not all digits of a float64 [s].
_SHORTEST = 1e-150


def _check_steps(dt, substeps):
    """Raise ValueError naming what is out of its range."""
    if not (real_array("dt", dt).ndim == 0 and np.isfinite(dt) and dt > 0):
        raise ValueError(f"dt is {dt} s: it must be finite and above 0")
    whole_number("substeps", substeps)
    if not _SHORTEST <= dt / substeps <= 1.0 / _SHORTEST:
        raise ValueError(
            f"a step is {dt / substeps:g} s: dt over substeps must be from {_SHORTEST:g} to {1.0 / _SHORTEST:g} s"
        )


# Attributes that identify a force and a contact.
_ACTS = {
    "force": ("__call__", "give a Force, or a callable (x, v, t) -> forces [N]"),
    "contact": ("resolve", "give a Contact, or an object with resolve(before, after)"),
}


def _sequence(kind, given):
    """One force or contact, or several, as a tuple; raises ValueError for what is none."""
    several = sequence(given)
    name, remedy = _ACTS[kind]
    for number, one in enumerate(several):
        if isinstance(one, type) or not (hasattr(one, name) or isinstance(one, Contact)):
            raise ValueError(f"{kind} {number} is {one!r}: {remedy}")
    return several

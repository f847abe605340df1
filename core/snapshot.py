# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of a simulation, and the checks of their content."""

import numpy as np

from .divided_steps import MOST_PARTS
from .quantities import real_array
from .state import State

# Products of four such numbers are numbers still, as squares of areas are: beyond, nothing can be simulated.
_MOST = float(np.finfo(np.float64).max) ** 0.25

# Share of a substep that a time is rounded by at most.
_ROUNDING = 1e-3

# Quantities of springs that may change: in a snapshot if they did.
_OF_SPRINGS = (
    *("stiffness", "rest_lengths", "damping", "broken", "stencil_stiffness", "stencil_rest_lengths"),
    *(
        "pressure",
        "volume_share",
        "pressure_factor",
        "goal_stiffness",
        "goal_damping",
        "plastic",
        "pleat_angles",
    ),
)
_REQUIRED = ("x", "v", "t", "targets", "first_t", "frame", "low", "high", "ceiling")
_SHAPES: dict[str, tuple] = {"t": (), "first_t": (), "frame": (), "low": (3,), "high": (3,), "ceiling": ()}
# Files of before frames were bounded at once have none.
_LATER: dict[str, tuple] = {"bounded": ()}


def check_complete(snapshot):
    """Raise ValueError where an array is missing, or a scalar or a corner of the extent is none."""
    for name in _REQUIRED:
        if name not in snapshot:
            raise ValueError(f"the snapshot holds no {name!r}: give all that `snapshot` returns")
    later = {name: shape for name, shape in _LATER.items() if name in snapshot}
    for name, shape in (_SHAPES | later).items():
        if np.shape(snapshot[name]) != shape or not np.isfinite(snapshot[name]).all():
            raise ValueError(f"{name} is {snapshot[name]}: give finite numbers of shape {shape}")
    for name in ("targets", "low", "high"):
        _check_moderate(name, snapshot[name])


def _check_moderate(name, values):
    """Raise ValueError for numbers that are not finite, or so large that nothing can be computed with them."""
    if not (np.abs(values) <= _MOST).all():
        raise ValueError(f"{name} holds numbers that are not finite or beyond {_MOST:.0e}: give smaller ones")


def restored_motion(snapshot, vertex_count, dt, steps):
    """State, time at the start [s], and the number of frames of dt [s] since then.

    Raises ValueError where these do not fit together, or leave no room for so many steps in a frame.
    """
    x = _moderate_rows("positions", snapshot["x"], vertex_count)
    v = _moderate_rows("velocities", snapshot["v"], vertex_count)
    t, first_t, frame = float(snapshot["t"]), float(snapshot["first_t"]), np.asarray(snapshot["frame"]).item()
    rounding = _ROUNDING * dt / steps
    fits = frame >= 0 and frame == int(frame) and abs(first_t + frame * dt - t) <= rounding
    if not (fits and np.spacing(max(abs(t), abs(first_t))) <= rounding):
        raise ValueError(f"t is {t} s after {frame} frames from {first_t} s on: give what `snapshot` returns")
    return State(x, v, t, _restored_normals(snapshot, vertex_count)), first_t, int(frame)


def _restored_normals(snapshot, vertex_count):
    """Unit vectors or zeros, one a vertex; None where the snapshot has none."""
    if "normals" not in snapshot:
        return None
    normals = vertex_rows("normals", snapshot["normals"], vertex_count)
    if not (np.abs(normals) <= 1.0 + _ROUNDING).all():
        raise ValueError("normals are longer than 1: give what `snapshot` returns")
    return normals


def vertex_rows(name, values, vertex_count):
    """A copy of an array of finite numbers, one row a vertex, else ValueError."""
    values, shape = real_array(name, values), (vertex_count, 3)
    if values.shape != shape:
        raise ValueError(f"{name} of shape {values.shape}: give finite numbers of shape {shape}")
    if not np.isfinite(values).all():
        vertex = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
        raise ValueError(f"{name} of vertex {vertex} are {values[vertex].tolist()}: give finite numbers")
    return values


def _moderate_rows(name, values, vertex_count):
    """As `vertex_rows`, of numbers that can be computed with."""
    values = vertex_rows(name, values, vertex_count)
    _check_moderate(name, values)
    return values


def spring_arrays(network, first):
    """Quantities of the springs that are others than in the network at the start, by name."""
    pairs = {name: (getattr(network, name), getattr(first, name)) for name in _OF_SPRINGS}
    return {name: now for name, (now, start) in pairs.items() if not np.array_equal(now, start)}


def restored_network(snapshot, first):
    """The network of a snapshot; the one at the start where nothing of its springs was changed."""
    springs = {name: snapshot[name] for name in _OF_SPRINGS if name in snapshot}
    return first.changed(**springs) if springs else first


def air_arrays(state):
    """The normals along which surfaces move air, where a State tells them."""
    return {} if state.normals is None else {"normals": state.normals}


def history_arrays(history):
    """The integrator's history by name."""
    return {f"history_{number}": array for number, array in enumerate(history)}


def restored_history(snapshot, vertex_count):
    """The integrator's history in order, as arrays of one row a vertex."""
    names = sorted((name for name in snapshot if name.startswith("history_")), key=lambda name: int(name[8:]))
    return tuple(_moderate_rows(name, snapshot[name], vertex_count) for name in names)


def restored_parts(snapshot):
    """Parts that substeps were in, and those of the frame to come, see `DividedSteps`: one of what tells none."""
    parts = np.asarray(snapshot.get("parts", (1, 1)))
    if parts.shape != (2,) or not np.isin(parts, range(1, MOST_PARTS + 1)).all():
        raise ValueError(f"parts are {parts}: give two whole numbers from 1 to {MOST_PARTS}")
    return [int(part) for part in parts]

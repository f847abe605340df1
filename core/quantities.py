# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantities of a network as read-only arrays; every error names the first entry that is out of its range."""

import numpy as np


def real_array(name, value):
    """An array of float64 of its own, else ValueError: what text, None, complex numbers or ragged rows would be."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf" or array.size == 0:
            return np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"{name} is {told(value)}: give real numbers")


def index_array(name, value):
    """An array of whole numbers or bool as it is given, else ValueError; of any type where it is empty."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biu" or array.size == 0:
            return array
    except (TypeError, ValueError):
        pass
    raise ValueError(f"{name} is {told(value)}: give whole numbers")


def check_kind(name, value, kind, *, needed=False):
    """Raise ValueError where a value is not of a class; needed: nor is None one that may be given."""
    if not isinstance(value, kind) and (needed or value is not None):
        raise ValueError(f"{name} is {told(value)}: give {kind.__name__}{'' if needed else ' or None'}")


def sequence(given):
    """One, or several, as a tuple."""
    try:
        return tuple(given)
    except TypeError:
        return (given,)


def told(value):
    """A value as it is written, cut where it is long."""
    shown = repr(value)
    return f"{shown[:60]}…" if len(shown) > 60 else shown


def point_array(points):
    """Coordinates [m] as an array of shape (vertex_count, 3)."""
    points = real_array("points", points)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) == 0:
        raise ValueError(f"points have shape {points.shape}: give at least one row of x, y, z")
    if not np.isfinite(points).all():
        bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
        raise ValueError(
            f"vertex {bad[0]} has the coordinates {tuple(points[bad[0]].tolist())}: every coordinate must be "
            f"finite, move or delete it ({len(bad)} such vertices)"
        )
    return frozen(points)


def edge_array(edges, vertex_count):
    """Vertex indices of springs as an array of shape (spring_count, 2)."""
    edges = _rows(edges, "edges")
    if edges.size == 0:
        edges = np.empty((0, 2), dtype=np.intp)
    if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
        raise ValueError(f"edges have shape {edges.shape} of {edges.dtype}: give rows of two vertex indices")
    edges = edges.astype(np.intp)
    check_indices("spring", edges, vertex_count)
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if len(loops):
        raise ValueError(
            f"spring {loops[0]} joins vertex {edges[loops[0], 0]} to itself: its ends must be two vertices"
        )
    return frozen(edges)


def _rows(values, name):
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} are rows of several lengths: give rows of two vertex indices") from error


def check_indices(what, indices, vertex_count):
    """Raise ValueError where an index is no vertex's; what: one of them, in words."""
    bad = np.argwhere((indices < 0) | (indices >= vertex_count))
    if len(bad):
        value = indices[tuple(bad[0])]
        raise ValueError(f"{what} {bad[0][0]} names vertex {value}: indices run from 0 to {vertex_count - 1}")


def pin_weight_array(pins, vertex_count):
    """Pin weights 0..1, shape (vertex_count,), of indices (whole numbers), a mask (bool) or weights (floats)."""
    weights = real_array("pin weight", 0.0 if pins is None else pins)
    pins = np.asarray(0.0 if pins is None else pins)
    if pins.size == 0 or pins.dtype.kind not in "biu":
        return quantity("pin weight", weights if pins.size else 0.0, "vertex", vertex_count, most=1.0)
    if pins.dtype.kind == "b":
        return quantity("pin mask", pins, "vertex", vertex_count, most=1.0)
    if pins.ndim != 1 or (len(pins) == vertex_count and pins.min() >= 0 and pins.max() <= 1):
        raise ValueError(
            f"pins are the whole numbers {_shown(pins)}, which may mean weights or indices: write weights with a point "
            "(1.0), and indices as a list in which no other reading is possible, or as a mask of bool"
        )
    check_indices("pin", pins, vertex_count)
    weights = np.zeros(vertex_count)
    weights[pins] = 1.0
    return frozen(weights)


def quantity(name, value, owner, count, unit="", *, above=None, most=np.inf):
    """Broadcast to shape (count,), read-only; finite, > above or >= 0, <= most, else ValueError."""
    array = real_array(name, value)
    if array.shape not in ((), (count,)):
        raise ValueError(
            f"{name} has shape {array.shape}: give one value, or one per {owner}, {count} in all"
        )
    array = np.array(np.broadcast_to(array, (count,)))
    # In single precision, as values of interfaces are, a limit may be the next number above it.
    array[(array > most) & (array <= np.float32(most))] = most
    low = array <= above if above is not None else array < 0.0
    bad = np.flatnonzero(~np.isfinite(array) | low | (array > most))
    if len(bad):
        limit = f"above {above:g}" if above is not None else "at least 0"
        limit += f" and at most {most:g}" if np.isfinite(most) else ""
        where = f"of {owner} {bad[0]} " if count > 1 else ""
        shown = f"{array[bad[0]]:g} {unit}".strip()
        raise ValueError(f"{name} {where}is {shown}: it must be finite, {limit}")
    return frozen(array)


def number(name, value, unit="", *, above=None, most=np.inf):
    """A float that is finite, > above or >= 0, and <= most, else ValueError."""
    return float(quantity(name, any_number(name, value), "one", 1, unit, above=above, most=most)[0])


def finite(name, value, unit=""):
    """A float of either sign that is finite, else ValueError."""
    value = any_number(name, value)
    if not np.isfinite(value):
        raise ValueError(f"{name} is {f'{value:g} {unit}'.strip()}: it must be finite")
    return value


def varying(check, name, value, *unit):
    """A function of time as it is given, else the number that a check makes of it: `number`, `finite`."""
    return value if callable(value) else check(name, value, *unit)


def any_number(name, value):
    """A float of any size, else ValueError."""
    value = real_array(name, value)
    if value.size != 1:
        raise ValueError(f"{name} has shape {value.shape}: give one number")
    return float(value.ravel()[0])


def vector(name, value):
    """Three finite numbers as an array, else ValueError."""
    array = real_array(name, value)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise ValueError(f"{name} is {value}: give three finite numbers")
    return frozen(array)


def lattice_shape(name, shape, dimensions, spacing):
    """Points along each axis as a tuple of `dimensions` whole numbers; raises ValueError for the spacing too."""
    counts = real_array(f"{name} shape", shape)
    if (
        counts.shape != (dimensions,)
        or not np.isfinite(counts).all()
        or (counts < 1).any()
        or (counts % 1).any()
    ):
        words = {2: "two", 3: "three"}[dimensions]
        raise ValueError(f"{name} shape is {shape}: give {words} whole counts of at least 1 point")
    if not (real_array(f"{name} spacing", spacing).ndim == 0 and np.isfinite(spacing) and spacing > 0):
        raise ValueError(f"{name} spacing is {spacing} m: it must be above 0")
    if counts.prod() > np.iinfo(np.int32).max:
        raise ValueError(
            f"{name} shape is {shape}, {counts.prod():.0f} points: it must have at most {np.iinfo(np.int32).max}"
        )
    return tuple(int(count) for count in counts)


def frozen(array):
    """The array, which can be read only from now on."""
    array.flags.writeable = False
    return array


def _shown(array):
    text = ", ".join(str(value) for value in array.ravel()[:6].tolist())
    return f"[{text}, …]" if array.size > 6 else f"[{text}]"

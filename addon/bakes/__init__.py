# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to keep simulated frames, and back: `MODES` is the catalogue that operators, panels and command line read."""

from . import checks, files, inputs, keys, mesh_cache
from .mesh_cache import MeshCache
from .mode import BakeMode, Options
from .principal_shapes import PrincipalShapes
from .shape_keys import ShapeKeys

MODES: dict[str, BakeMode] = {mode.id: mode for mode in (ShapeKeys(), PrincipalShapes(), MeshCache())}

DEFAULTS = Options()

before_save = files.before_save


def mode_items():
    """The modes as items of an enumeration property, a list."""
    return [(mode.id, mode.label, mode.description) for mode in MODES.values()]


def check(obj, mode, options=DEFAULTS):
    """Raise MeshError if the object has no simulation to bake, or the mode, an id of MODES, cannot hold it."""
    checks.check_simulation(obj)
    MODES[mode].check(obj, options)


def make(obj, mode, frames, frame_start, options=DEFAULTS):
    """Bake frames to the object in a mode, an id of MODES; returns Baked.

    frames: sequence of positions in object space, float32, shape (vertex_count, 3) each, read by index.
    Raises MeshError as `check`, and where the mode cannot keep these frames; then the object is as before.
    """
    check(obj, mode, options)
    record = obj.hooke.bake
    warnings = MODES[mode].warnings(obj)
    try:
        baked = MODES[mode].make(obj, frames, frame_start, options)
    except BaseException:
        # An interrupt is no reason to leave half a bake.
        if record.items:
            record.mode = mode
            clear(obj)
        raise
    record.mode = mode
    record.frame_start, record.frame_end = frame_start, frame_start + len(frames) - 1
    record.shapes, record.largest_error = baked.shapes, baked.largest_error
    record.cache_file = baked.cache_file or record.cache_file
    return baked._replace(warnings=(*warnings, *baked.warnings))


def clear(obj):
    """Remove what the bake added, and bring back what it muted or turned off."""
    record = obj.hooke.bake
    if record.mode == MeshCache.id:
        mesh_cache.remove(obj)
    else:
        keys.remove(obj)
    inputs.bring_back(obj)
    record.items.clear()


def forget(obj):
    """Make the bake the user's own: it stays, and can no longer be cleared."""
    obj.hooke.bake.items.clear()


def summary(obj):
    """What an object's bake came to, in a few words."""
    record = obj.hooke.bake
    if record.mode == MeshCache.id:
        return f"to {record.cache_file}"
    keys_of = "shape key" if record.shapes == 1 else "shape keys"
    return f"to {record.shapes} {keys_of}, largest error {1e3 * record.largest_error:.3g} mm"

# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to keep simulated frames, and back: `MODES` is the catalogue that operators, panels and command line read."""

from ..mesh_io import MeshError
from . import checks, inputs, split_mesh
from .frames import BakeFrames
from .mesh_cache import MeshCache
from .mode import BakeMode, Options, range_size
from .principal_shapes import PrincipalShapes
from .shape_keys import ShapeKeys

# A .blend file stores a mode's number: it stays that mode's for ever.
_NUMBERED: dict[int, BakeMode] = {0: ShapeKeys(), 1: PrincipalShapes(), 2: MeshCache()}

MODES: dict[str, BakeMode] = {mode.id: mode for mode in _NUMBERED.values()}

DEFAULTS = Options()

# Not a mode, but the choice of one; its number is stored as theirs are.
AUTOMATIC, _AUTOMATIC_NUMBER = "AUTOMATIC", 3
# Positions that shape keys may bring into the .blend file, which every save and undo step writes [bytes].
_LIGHT = 10e6


def mode_items():
    """The modes as items of an enumeration property, and their choice, a list."""
    chosen = (
        f"Shape Keys where they take at most {_LIGHT / 1e6:.0f} MB and the object may have them, else a Mesh Cache, as "
        "where Split Mesh is on and it tears"
    )
    modes = [(mode.id, mode.label, mode.description, number) for number, mode in _NUMBERED.items()]
    return [(AUTOMATIC, "Automatic", chosen, _AUTOMATIC_NUMBER), *modes]


def mode_for(obj, choice):
    """Id in MODES of what an object's range would be baked to; choice: that, or AUTOMATIC."""
    if choice != AUTOMATIC:
        return choice
    if obj.hooke.tearing and obj.hooke.bake_split:
        return MeshCache.id
    try:
        ShapeKeys().check(obj, DEFAULTS)
    except MeshError:
        return MeshCache.id
    return ShapeKeys.id if range_size(obj) <= _LIGHT else MeshCache.id


def check(obj, mode, options=DEFAULTS):
    """Raise MeshError if the object has no simulation to bake, or the mode, an id of MODES, cannot hold it."""
    checks.check_simulation(obj)
    MODES[mode].check(obj, options)


def own_files(obj, mode, options):
    """Paths of files that a bake in a mode, an id of MODES, writes where it chooses, a list; raises MeshError."""
    return MODES[mode].own_files(obj, options)


def make(obj, mode, frames, frame_start, options=DEFAULTS):
    """Bake frames to the object in a mode, an id of MODES; returns Baked.

    frames: sequence of positions in object space, float32, shape (vertex_count, 3) each, read by index.
    Raises MeshError as `check`, and where the mode cannot keep these frames; then the object is as before.
    """
    check(obj, mode, options)
    record, warnings = obj.hooke.bake, MODES[mode].warnings(obj)
    if MODES[mode].in_shape_keys:
        warnings = warnings + split_mesh.torn_sentence(obj, options.torn, len(frames))
    record.mode = mode
    try:
        frames = BakeFrames(obj, frames, frame_start, options.stop)
        baked = MODES[mode].make(obj, frames, frame_start, options)
    except BaseException:
        # An interrupt is no reason to leave half a bake.
        if record.exists:
            clear(obj)
        raise
    record.frame_start, record.frame_end = frame_start, frame_start + len(frames) - 1
    record.shapes, record.largest_error = baked.shapes, baked.largest_error
    if baked.cache_file:
        record.cache_file, record.cache_digest = baked.cache_file, baked.cache_digest
    return baked._replace(warnings=(*warnings, *baked.warnings))


def mode_of(obj):
    """The BakeMode of an object's bake; raises MeshError for one that this version does not have."""
    mode = MODES.get(obj.hooke.bake.mode)
    if mode is None:
        raise MeshError(
            f"the bake of '{obj.name}' is of a mode that this version of Hooke does not have: update Hooke, or remove "
            "it from the object to keep what it shows"
        )
    return mode


def clear(obj):
    """Remove what the bake added, and bring back what it muted or turned off; returns sentences about what is left.

    Raises MeshError as `mode_of`, and where the object cannot be written.
    """
    checks.check_editable(obj)
    left = mode_of(obj).clear(obj)
    inputs.bring_back(obj)
    obj.hooke.bake.items.clear()
    return left


def forget(obj):
    """Make the bake the user's own: it stays, and can no longer be cleared; returns sentences about what it leaves."""
    rigs = inputs.turned_off_armatures(obj)
    left = [
        f"'{modifier.name}' of '{obj.name}' stays turned off, without its rig '{rig.name}': exporters would take it "
        "for a skin, and deform the bake again"
        for modifier, rig in rigs
        if rig is not None
    ]
    split_mesh.keep(obj)
    obj.hooke.bake.items.clear()
    return left


def summary(obj, brief=False):
    """The result of an object's bake, in a few words; brief: with the name of a file in place of its path."""
    try:
        return mode_of(obj).summary(obj.hooke.bake, brief)
    except MeshError as error:
        return f"({error})"

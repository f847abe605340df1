# SPDX-License-Identifier: GPL-3.0-or-later
"""Random sequences of what users do: after each of them everything is as it should be, or a Fault says what is not.

A sequence is a list of names of actions with the seed of each, so that any part of one can be run again.
"""

import random
import sys
from typing import NamedTuple

import bpy
import numpy as np

from hooke.addon import cache_files, mesh_io, readout
from hooke.addon.play import sessions

from . import users
from .baked_frames import BakedFrames
from .scenes import fcurves, same_bits
from .true_frames import TrueFrames

ACTIONS = {action.__name__: action for action in (*users.MOVES, *users.EDITS, *users.OTHERS)}


class Fault(NamedTuple):
    """What is wrong, and after how many actions."""

    what: str
    after: int


def drawn(seed, length):
    """A sequence that begins with something to simulate."""
    rng = random.Random(seed)
    kinds = [rng.choices((users.MOVES, users.EDITS, users.OTHERS), (5, 4, 2))[0] for _ in range(length)]
    begun = [("adds", rng.random()), ("plays_from_the_start", rng.random())]
    return begun + [(rng.choice(kind).__name__, rng.random()) for kind in kinds]


def run(sequence, empty_file):
    """Do all of it in an empty file; returns a Fault or None."""
    raised: list = []
    true, baked = TrueFrames(), BakedFrames()
    before, sys.excepthook = sys.excepthook, lambda kind, error, trace: raised.append(error)
    try:
        sessions.drop_all()
        bpy.ops.wm.read_homefile(filepath=empty_file)
        cache_files.forget_unsaved()
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, users.LAST
        bpy.ops.ed.undo_push(message="begin")
        for number, (name, seed) in enumerate(sequence):
            if what := _fault(name, seed, raised, true, baked):
                return Fault(f"{name}: {what}", number + 1)
        return None
    finally:
        sys.excepthook = before


def shrunk(sequence, empty_file, what):
    """A shorter sequence with the same kind of fault, no part of which can be left out."""
    size = max(1, len(sequence) // 2)
    while size:
        place = 1
        while place < len(sequence):
            shorter = sequence[:place] + sequence[place + size :]
            fault = run(shorter, empty_file)
            if fault is not None and _kind(fault.what) == _kind(what):
                sequence = shorter[: fault.after]
            else:
                place += size
        size //= 2
    return sequence


def _kind(what):
    return what.partition(": ")[2][:25]


def _fault(name, seed, raised, true, baked):
    """Do one action, and look at everything; returns what is wrong, or ""."""
    action, scene = ACTIONS[name], bpy.context.scene
    mine = _of_the_user() if action in users.HARMLESS else None
    unused = _unused() if action in users.WITHOUT_REST else None
    if action is users.bakes:
        wrong = baked.noting(action, random.Random(seed), true, _is_evaluated(scene))
    else:
        wrong = action(random.Random(seed)) or ""
    if action not in users.WITHOUT_EDIT:
        true.forget()
    if action not in users.WITHOUT_STEP:
        bpy.ops.ed.undo_push(message=name)
    if raised:
        return f"raised {raised[0]!r}"
    if mine is not None and mine != _of_the_user():
        return "changed what is the user's"
    if unused is not None and (left := _unused() - unused):
        return f"left without a user {sorted(left)}"
    return wrong or _left_over() or _told() or _wrong(true, baked)


def _of_the_user():
    """What only users change: points, shape keys, weights, keyframes, modifiers and settings, by object."""
    return {obj.name: _of_an_object(obj) for obj in bpy.data.objects if obj.type == "MESH"}


def _of_an_object(obj):
    of_the_bake = {item.name for item in obj.hooke.bake.items if item.kind == "KEY"} | {"Basis"}
    shape_keys = obj.data.shape_keys
    keys = [key for key in (shape_keys.key_blocks if shape_keys else ()) if key.name not in of_the_bake]
    curves = [*fcurves(obj), *(fcurves(shape_keys) if shape_keys else ())]
    return (
        mesh_io.read_positions(obj.data).tobytes(),
        [(key.name, mesh_io.read_shape_key(key).tobytes()) for key in keys],
        [(group.name, mesh_io.read_weights(obj, group.name).tobytes()) for group in obj.vertex_groups],
        [
            (curve.data_path, [tuple(point.co) for point in curve.keyframe_points])
            for curve in curves
            if not any(f'"{name}"' in curve.data_path for name in of_the_bake)
        ],
        [modifier.name for modifier in obj.modifiers if not modifier.name.startswith("Hooke")],
        [getattr(obj.hooke, name) for name in users.SETTINGS],
    )


def _unused():
    """Data-blocks that nothing uses, so that Blender does not save them."""
    return {
        (kind, block.name)
        for kind, collection in _collections()
        for block in collection
        if block.users == 0 and not block.use_fake_user
    }


def _collections():
    names = (name for name in dir(bpy.data) if not name.startswith("_"))
    found = ((name, getattr(bpy.data, name)) for name in names)
    return [(name, blocks) for name, blocks in found if isinstance(blocks, bpy.types.bpy_prop_collection)]


def _left_over():
    """What Hooke left in the file that belongs to nothing."""
    if len(bpy.data.scenes) != 1:
        return f"left scenes {[scene.name for scene in bpy.data.scenes]}"
    groups = [group.name for group in bpy.data.node_groups if group.name.startswith("Hooke")]
    return f"left node groups {groups}" if len(groups) > 2 else ""


def _told():
    """What nobody has foreseen."""
    for obj in sessions.simulated_objects(bpy.context.scene):
        running = sessions.find(obj)
        if running is not None and running.problem.startswith("Hooke failed"):
            return f"told {running.problem}"
    return ""


def _is_evaluated(scene):
    """Whether a frame is shown with all that was edited."""
    return not scene.frame_subframe and not any(bpy.context.view_layer.depsgraph.updates)


def _wrong(true, baked):
    """An object that is shown as well simulated or baked and is not, or "".

    Where Blender has yet to evaluate what was edited, nothing is shown of it.
    """
    scene = bpy.context.scene
    if not _is_evaluated(scene):
        return ""
    if wrong := baked.wrong(scene):
        return wrong
    ticked = {obj.name: shown for obj in sessions.simulated_objects(scene) if (shown := _shown(obj, scene))}
    if not ticked:
        return ""
    frames = true.reaching(
        scene, {name: max(place + 1, len(kept)) for name, (place, _, kept) in ticked.items()}
    )
    for name, (place, shown, kept) in ticked.items():
        if not isinstance(frames, dict):
            return f"shown as well '{name}', though a bake says: {frames}"
        place = min(place, len(frames[name]) - 1)
        if not same_bits(shown, frames[name][place]):
            apart = np.abs(shown - frames[name][place]).max()
            return f"shows frame of place {place} of '{name}' {apart:.3g} m off, ticked"
        for index, (positions, again) in enumerate(zip(kept, frames[name], strict=False)):
            if not same_bits(positions, again):
                apart = np.abs(positions - again).max()
                return (
                    f"keeps the frame of place {index} of '{name}' {apart:.3g} m off, ticked at place {place}"
                )
    return ""


def _shown(obj, scene):
    """Place of the shown frame, its positions, and all frames that are said to hold, where the status has no doubt."""
    running, place = sessions.find(obj), scene.frame_current - obj.hooke.frame_start
    report = readout.report(obj)
    stale = (
        running is None or running.tuned is not None or not report.figures or running.hint or running.problem
    )
    if stale or place < 1 or obj.hooke.frame_end <= obj.hooke.frame_start:
        return None
    positions = mesh_io.read_vectors(obj.data.attributes[mesh_io.POSITION])
    return place, positions, list(running.frames)[: running.cached]


def checked(seeds, length, empty_file):
    """Run sequences by seed; returns the first Fault's shortest sequence as text, or ""."""
    for seed in seeds:
        sequence = drawn(seed, length)
        fault = run(sequence, empty_file)
        if fault is not None:
            short = shrunk(sequence[: fault.after], empty_file, fault.what)
            again = run(short, empty_file)
            return f"seed {seed}: {again.what if again else fault.what}\n" + "\n".join(map(str, short))
    return ""

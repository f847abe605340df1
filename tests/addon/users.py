# SPDX-License-Identifier: GPL-3.0-or-later
"""What users do to a file, each a function of a random.Random; where no object has Hooke an edit adds one."""

import contextlib
import sys
from pathlib import Path

import bpy

from hooke.addon.play import sessions

from .colliding import collider
from .moving import LAST, MOVES
from .scenes import activate, add_hooke, clear_bake, fcurves, grid, link, pin

# Position-based dynamics has the cheapest frames of those that hold at one substep.
METHODS = ("POSITION_BASED", "PROJECTIVE_DYNAMICS")
# Settings by name, and values that make a difference.
SETTINGS = {
    "integrator": METHODS,
    "measure": ("SPRING", "AREA"),
    "self_collision": (True, False),
    "stiffness": (500.0, 2000.0),
    "bending": (0.0, 1.0),
    "mass": (0.5, 2.0),
    "damping": (0.0, 0.1),
    "pin_stiffness": (5.0, 500.0),
    "time_scale": (0.5, 1.0),
    "pre_roll": (0, 2),
    "loop_blend": (0, 3),
    "frame_start": (1, 2),
    "frame_end": (LAST, LAST - 2),
    "substeps": (1, 2),
    "collisions": (True, False),
    "pin_group": ("Pin", "", "Other"),
    "rest_scale": (0.9, 1.0),
}
MODES = ("SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE")


def simulated(rng, baked=False):
    """One of the objects with Hooke, or None."""
    found = [obj for obj in bpy.context.scene.objects if obj.type == "MESH" and obj.hooke.enabled]
    found = [obj for obj in found if obj.hooke.bake.exists == baked]
    return rng.choice(found) if found else None


def updated(rng):
    """After an edit Blender updates at once, as in the window, or with the next frame, as in a script."""
    if rng.random() < 0.7:
        bpy.context.view_layer.update()


def on_simulated(change):
    """An edit of one of the objects with Hooke; where there is none, one is added."""

    def edit(rng):
        obj = simulated(rng)
        if obj is None:
            adds(rng)
        else:
            change(rng, obj)
            updated(rng)

    edit.__name__ = change.__name__
    return edit


@contextlib.contextmanager
def refused():
    """What an operator refuses in a sentence; a traceback of it is a fault."""
    try:
        yield
    except RuntimeError as error:
        if "Traceback" in str(error):
            sys.excepthook(type(error), error, error.__traceback__)


def adds(rng):
    if len(bpy.context.scene.objects) < 3:
        obj = grid(side=4, name=rng.choice(("Cloth", "Coat")))
        obj.location = 0.1 * len(bpy.context.scene.objects), 0.0, rng.choice((0.0, 0.3))
        method = rng.choice((*METHODS, *METHODS[:1] * 2))
        add_hooke(obj, substeps=1, measure="SPRING", self_collision=False, integrator=method)


def removes_hooke(rng):
    obj = simulated(rng)
    if obj is not None:
        activate(obj)
        bpy.ops.hooke.remove()


def duplicates(rng):
    obj = simulated(rng)
    if obj is not None and len(bpy.context.scene.objects) < 4:
        activate(obj)
        bpy.ops.object.duplicate()
        bpy.context.object.location.z += 0.15
        updated(rng)


def deletes(rng):
    obj = simulated(rng, baked=rng.random() < 0.3)
    if obj is not None and len(bpy.context.scene.objects) > 1:
        activate(obj)
        bpy.ops.object.delete()


@on_simulated
def renames(rng, obj):
    obj.name = rng.choice(("Cape", "Cloth", "Ärmel"))


@on_simulated
def renames_a_group(rng, obj):
    if len(obj.vertex_groups):
        obj.vertex_groups[0].name = rng.choice(("Hold", "Pin"))


@on_simulated
def sets(rng, obj):
    name = rng.choice(list(SETTINGS))
    setattr(obj.hooke, name, rng.choice(SETTINGS[name]))


@on_simulated
def moves_a_vertex(rng, obj):
    obj.data.vertices[rng.randrange(len(obj.data.vertices))].co.z += rng.choice((-0.2, 0.1))
    obj.data.update()


@on_simulated
def moves(rng, obj):
    obj.location.x += rng.choice((-0.2, 0.1))


@on_simulated
def keys(rng, obj):
    obj.location.y = rng.choice((0.0, 0.2))
    obj.keyframe_insert("location", index=1, frame=rng.randint(1, LAST))


@on_simulated
def moves_a_key(rng, obj):
    for curve in fcurves(obj)[:1]:
        curve.keyframe_points[rng.randrange(len(curve.keyframe_points))].co.y += 0.1
        curve.update()


@on_simulated
def adds_a_modifier(rng, obj):
    if len(obj.modifiers) < 4:
        modifier = obj.modifiers.new("Cast", "CAST")
        modifier.factor = 0.2
        obj.modifiers.move(len(obj.modifiers) - 1, rng.choice((0, len(obj.modifiers) - 1)))


@on_simulated
def paints(rng, obj):
    name = rng.choice(("Pin", "Other"))
    pin(obj, {rng.randrange(len(obj.data.vertices)): rng.choice((0.5, 1.0))}, name=name)


@on_simulated
def unpaints(rng, obj):
    if len(obj.vertex_groups):
        obj.vertex_groups[0].remove([rng.randrange(len(obj.data.vertices))])


@on_simulated
def adds_a_shape_key(rng, obj):
    if obj.data.shape_keys is None:
        obj.shape_key_add(name="Basis")
        key = obj.shape_key_add(name="Lift")
        key.data[0].co.z = 0.3
        key.value = 0.5


@on_simulated
def keys_a_shape_key(rng, obj):
    if obj.data.shape_keys is not None and "Lift" in obj.data.shape_keys.key_blocks:
        key = obj.data.shape_keys.key_blocks["Lift"]
        key.value = rng.choice((0.0, 1.0))
        key.keyframe_insert("value", frame=rng.randint(1, LAST))


def makes_a_collider(rng):
    if "Floor" not in bpy.context.scene.objects:
        floor = collider(grid(side=2, name="Floor", pins={}))
        floor.location.z = -0.3
        updated(rng)


def moves_the_collider(rng):
    if floor := bpy.context.scene.objects.get("Floor"):
        floor.location.z = rng.choice((-0.3, -0.2))
        if rng.random() < 0.5:
            floor.keyframe_insert("location", index=2, frame=rng.randint(1, LAST))
        updated(rng)


@on_simulated
def makes_it_collide(rng, obj):
    if not any(modifier.type == "COLLISION" for modifier in obj.modifiers):
        collider(obj)


@on_simulated
def parents(rng, obj):
    if obj.parent is None:
        obj.parent = link(bpy.data.objects.new("Parent", None))
    else:
        obj.parent.location.z += 0.1


def changes_the_scene(rng):
    scene = bpy.context.scene
    if rng.random() < 0.5:
        scene.render.fps = rng.choice((24, 30))
    else:
        scene.gravity.z = rng.choice((-9.81, -5.0))
    updated(rng)


def bakes(rng):
    obj = simulated(rng)
    if obj is not None:
        activate(obj)
        with refused():
            bpy.ops.hooke.bake(mode=rng.choice(MODES))


def clears_a_bake(rng):
    obj = simulated(rng, baked=True)
    if obj is not None:
        clear_bake(obj)


def resets(rng):
    obj = simulated(rng)
    if obj is not None:
        activate(obj)
        bpy.ops.hooke.reset()


def undoes(rng):
    for _ in range(rng.randint(1, 2)):
        with contextlib.suppress(RuntimeError):
            bpy.ops.ed.undo()


def redoes(rng):
    with contextlib.suppress(RuntimeError):
        bpy.ops.ed.redo()


def saves(rng):
    if bpy.data.filepath and rng.random() < 0.8:
        bpy.ops.wm.save_mainfile()
    else:
        name = rng.choice(("one.blend", "two.blend"))
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(bpy.app.tempdir) / name))


def opens(rng):
    if bpy.data.filepath and Path(bpy.data.filepath).exists():
        bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)


def drops_sessions(rng):
    """As after Blender was closed and opened with the file as it is."""
    sessions.drop_all()


EDITS = (
    *(adds, removes_hooke, duplicates, deletes, renames, renames_a_group, sets, moves_a_vertex, moves, keys),
    *(moves_a_key, adds_a_modifier, paints, unpaints, adds_a_shape_key, keys_a_shape_key),
    *(makes_a_collider, moves_the_collider, makes_it_collide, parents, changes_the_scene),
)
OTHERS = (bakes, clears_a_bake, resets, undoes, redoes, saves, opens, drops_sessions)
# None of these changes what is the user's.
HARMLESS = {*MOVES, bakes, clears_a_bake, resets, saves, drops_sessions}
# These make no undo step of their own.
WITHOUT_STEP = {*MOVES, undoes, redoes, saves, opens, drops_sessions}
# Hooke's own, which leave no data-block behind that nothing uses.
WITHOUT_REST = {*MOVES, bakes, clears_a_bake, resets, removes_hooke, saves, drops_sessions}
# After these a bake has the same frames as before.
WITHOUT_EDIT = {*MOVES, resets, saves, drops_sessions}

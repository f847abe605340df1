# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes to simulate, and what they show."""

import bpy
import numpy as np

from hooke.addon import readout
from hooke.addon.mesh_io import POSITION


def mesh_object(points, edges=(), faces=(), name="Cloth"):
    """A mesh object in the scene, active and selected."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, point)) for point in points], list(edges), list(faces))
    obj = link(bpy.data.objects.new(name, mesh))
    activate(obj)
    return obj


def grid(side=5, name="Cloth", pins=None):
    """A square sheet of 2 m with side x side vertices in the xy plane, pinned at two corners of its first row.

    pins: None, or a dict of vertex index -> weight; an empty one makes no vertex group.
    """
    along = np.linspace(-1.0, 1.0, side)
    points = [(x, y, 0.0) for y in along for x in along]
    corners = [row * side + column for row in range(side - 1) for column in range(side - 1)]
    faces = [(i, i + 1, i + side + 1, i + side) for i in corners]
    obj = mesh_object(points, faces=faces, name=name)
    pin(obj, {0: 1.0, side - 1: 1.0} if pins is None else pins)
    return obj


def link(obj):
    """Put the object into the scene and return it."""
    bpy.context.scene.collection.objects.link(obj)
    return obj


def pin(obj, weights, name="Pin"):
    """Put vertices into the object's vertex group; weights: dict of vertex index -> weight."""
    for index, weight in weights.items():
        group = obj.vertex_groups.get(name) or obj.vertex_groups.new(name=name)
        group.add([index], weight, "REPLACE")


def activate(obj):
    """Make the object the active and only selected one."""
    # A view layer lists removed objects until it is updated.
    bpy.context.view_layer.update()
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def add_hooke(obj, **settings):
    """Add Hooke to the object as its user would, then change settings; returns the object."""
    activate(obj)
    assert bpy.ops.hooke.add() == {"FINISHED"}
    for name, value in settings.items():
        setattr(obj.hooke, name, value)
    return obj


def bake(obj, mode="SHAPE_KEYS", **options):
    """Bake the object, to shape keys unless another mode is given."""
    activate(obj)
    assert bpy.ops.hooke.bake(mode=mode, **options) == {"FINISHED"}


def clear_bake(obj):
    """Clear the object's bake."""
    activate(obj)
    assert bpy.ops.hooke.clear_bake() == {"FINISHED"}


def swing(obj, frames=(1, 12), distance=0.5):
    """Animate the object along x, linearly."""
    rest = obj.location.x
    for share, frame in enumerate(frames):
        obj.location.x = rest + share * distance
        obj.keyframe_insert("location", index=0, frame=frame)
    for curve in fcurves(obj):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def turn(obj, frames=(1, 12), angle=1.0):
    """Animate the object's rotation about z, angle in rad."""
    for share, frame in enumerate(frames):
        obj.rotation_euler.z = share * angle
        obj.keyframe_insert("rotation_euler", index=2, frame=frame)


def fcurves(animated):
    """Animation curves of a data-block's action, wherever this version of Blender keeps them; may be empty."""
    animation = animated.animation_data
    action = animation.action if animation is not None else None
    if action is None:
        return []
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    bags = [
        strip.channelbag(animation.action_slot)
        for layer in action.layers
        for strip in layer.strips
        if animation.action_slot is not None
    ]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def play(obj, frames):
    """Go to the frames in turn; returns dict frame -> shown positions."""
    shown = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown[frame] = evaluated_positions(obj)
    return shown


def evaluated_positions(obj):
    """All positions of the evaluated mesh as the viewport shows it, object space, float32, shape (n, 3)."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return vectors(obj.evaluated_get(depsgraph).data.attributes["position"])


def evaluated_world_positions(obj):
    """The same in world space, float64."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    matrix = np.array(obj.evaluated_get(depsgraph).matrix_world, dtype=np.float64)
    return evaluated_positions(obj).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def simulated_positions(obj):
    """What the running simulation last wrote for Hooke's modifier to show, object space, float32."""
    return vectors(obj.data.attributes[POSITION])


def key_positions(key):
    """Points of a shape key, float32, shape (n, 3)."""
    points = np.empty(3 * len(key.data), dtype=np.float32)
    key.data.foreach_get("co", points)
    return points.reshape(-1, 3)


def baked_keys(obj):
    """The shape keys of the bake, in frame order."""
    names = [item.name for item in obj.hooke.bake.items if item.kind == "KEY"]
    return [obj.data.shape_keys.key_blocks[name] for name in names]


def vectors(attribute):
    """A vector attribute as float32, shape (n, 3)."""
    values = np.empty(3 * len(attribute.data), dtype=np.float32)
    attribute.data.foreach_get("vector", values)
    return values.reshape(-1, 3)


def status(obj):
    """What the sidebar says about the object's simulation."""
    return readout.status(obj)[0]


def same_bits(a, b):
    """Whether two arrays, or two dicts of arrays, are the same to the last bit."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_bits(a[key], b[key]) for key in a)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside Blender: some frames of a baked file, side by side in one small picture."""

import contextlib
import tempfile
from math import radians
from pathlib import Path

import bpy
from mathutils import Vector

from . import strip

_SAMPLES = 16
# A sky that cloth stands out from, and how bright Blender's own default is, with some room [radiance].
_SKY, _DIM = (0.13, 0.14, 0.16), 0.06


def picture(request):
    """Render frames of a file into one PNG; returns the exit status.

    request: "file", "object", "frames", "start" (frame by which a camera is placed where there is none), "picture",
    "size" (width and height of a frame at most [px]), "threads".
    """
    bpy.ops.wm.open_mainfile(filepath=request["file"])
    obj = bpy.data.objects[request["object"]]
    scene = next(scene for scene in bpy.data.scenes if obj.name in scene.objects)
    _render_quickly(scene, request["threads"])
    scene.frame_set(request["start"])
    if scene.camera is None:
        _add_camera(scene, obj)
    _set_size(scene, request["size"])
    _light(scene)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for frame in request["frames"]:
            paths.append(Path(folder, f"{frame}.png"))
            scene.frame_set(frame)
            scene.render.filepath = str(paths[-1])
            bpy.ops.render.render(write_still=True, scene=scene.name)
        strip.join(paths, request["picture"])
    return 0


def _render_quickly(scene, threads):
    """Cycles with few samples: the one engine that renders without a graphics card."""
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.max_bounces = "CPU", _SAMPLES, 2
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = True
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.use_motion_blur = scene.render.use_border = False
    scene.render.use_compositing = scene.render.use_sequencer = False
    scene.render.use_persistent_data = True
    image = scene.render.image_settings
    # Since Blender 5.0 a scene that makes films offers their formats alone.
    with contextlib.suppress(AttributeError):
        image.media_type = "IMAGE"
    image.file_format, image.color_mode = "PNG", "RGB"


def _set_size(scene, most):
    """The scene's own shape, as large as fits."""
    width, height = scene.render.resolution_x, scene.render.resolution_y
    scale = min(most[0] / width, most[1] / height)
    scene.render.resolution_x, scene.render.resolution_y = (
        max(8, round(scale * side)) for side in (width, height)
    )
    scene.render.resolution_percentage = 100


def _add_camera(scene, obj):
    """A camera that sees the object where it is now and a length of its own below: the same for every variant."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    corners = [evaluated.matrix_world @ Vector(corner) for corner in evaluated.bound_box]
    low, high = (Vector([of(corner[axis] for corner in corners) for axis in range(3)]) for of in (min, max))
    size = max((high - low).length, 1e-3)
    middle = (low + high) / 2 - Vector((0.0, 0.0, 0.25 * size))
    data = bpy.data.cameras.new("Farm")
    data.angle = radians(30)
    data.clip_start, data.clip_end = 0.01 * size, 100.0 * size
    camera = bpy.data.objects.new("Farm", data)
    scene.collection.objects.link(camera)
    away = Vector((0.7, -2.2, 0.8)).normalized()
    camera.location = middle + 2.2 * size * away
    camera.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    scene.camera = camera
    # A square shows what falls and what swings alike.
    scene.render.resolution_x = scene.render.resolution_y = 512


def _light(scene):
    """Light enough to see by where the scene has none: a sun, and a sky where no picture of one shines."""
    if not any(other.type == "LIGHT" and not other.hide_render for other in scene.objects):
        sun = bpy.data.objects.new("Farm", bpy.data.lights.new("Farm", "SUN"))
        sun.data.energy, sun.data.angle = 4.0, radians(20)
        sun.rotation_euler = (radians(40), radians(-20), radians(30))
        scene.collection.objects.link(sun)
    if not _sky_shines(scene.world):
        sky = scene.world = bpy.data.worlds.new("Farm")
        sky.color = _SKY
        if sky.node_tree is None:
            sky.use_nodes = True
        sky.node_tree.nodes["Background"].inputs["Color"].default_value = (*_SKY, 1.0)


def _sky_shines(world):
    """Whether a world is somebody's own: a picture or other nodes, or a colour brighter than Blender's default."""
    if world is None:
        return False
    tree = world.node_tree
    if tree is None or not world.use_nodes:
        return max(world.color) > _DIM
    backgrounds = [node for node in tree.nodes if node.type == "BACKGROUND"]
    if len(backgrounds) != 1 or backgrounds[0].inputs["Color"].is_linked:
        return True
    color, strength = (backgrounds[0].inputs[name].default_value for name in ("Color", "Strength"))
    return max(color[:3]) * strength > _DIM

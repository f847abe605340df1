# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendered frames show what the viewport showed."""

import bpy
import numpy as np
import pytest

from .scenes import (
    add_hooke,
    bake,
    evaluated_positions,
    grid,
    link,
    mesh_object,
    pin,
    play,
    same_bits,
    status,
    swing,
    turn,
)

FRAMES = range(1, 7)
SIDE = 32


@pytest.fixture
def scene(tmp_path):
    """A scene that renders an animation of 32 x 32 pixels with one sample on the processor."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    assert hasattr(scene, "cycles"), "the bpy module is built with Cycles"
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.seed = "CPU", 1, 3
    scene.cycles.use_denoising = False
    scene.render.resolution_x = scene.render.resolution_y = SIDE
    scene.render.resolution_percentage = 100
    # A plain file a test can read pixel by pixel.
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.filepath = str(tmp_path / "frame-####")
    camera = link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 4.0
    camera.location, camera.rotation_euler = (0.3, -8.7, 5.0), (np.pi / 3, 0.0, 0.0)
    scene.camera = camera
    return scene


@pytest.fixture
def cloth(scene):
    """A swinging, turning sheet that shines by itself, so that a picture is its outline."""
    obj = grid()
    swing(obj)
    turn(obj)
    material = bpy.data.materials.new("Light")
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    tree = material.node_tree
    light = tree.nodes.new("ShaderNodeEmission")
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    tree.links.new(light.outputs[0], output.inputs["Surface"])
    obj.data.materials.append(material)
    return add_hooke(obj)


def pictures(scene, tmp_path):
    """Render the animation; returns frame -> pixel brightness."""
    assert bpy.ops.render.render(animation=True) == {"FINISHED"}
    found = {}
    for frame in FRAMES:
        image = bpy.data.images.load(str(tmp_path / f"frame-{frame:04d}.exr"))
        pixels = np.empty(4 * SIDE * SIDE, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
        found[frame] = pixels.reshape(SIDE, SIDE, 4)[:, :, 0]
    return found


def two_bags(material):
    """A mesh of two balls side by side that float, the one at the right with weight 1 in the group Right."""
    points, faces = [], []
    for x in (-0.6, 0.6):
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.35)
        one = bpy.context.object
        faces += [[index + len(points) for index in face.vertices] for face in one.data.polygons]
        points += [(x + vertex.co.x, vertex.co.y, vertex.co.z) for vertex in one.data.vertices]
        bpy.data.objects.remove(one)
    bags = mesh_object(points, faces=faces, name="Bags")
    bags.data.materials.append(material)
    pin(bags, {index: 1.0 for index, point in enumerate(points) if point[0] > 0.0}, name="Right")
    return add_hooke(bags, pin_group="", gravity_weight=0.0, stretch_stiffness=150.0)


@pytest.fixture
def shown_while_rendering(cloth):
    """Filled while rendering: frame -> positions that Hooke shows once the frame's picture is done."""
    found = {}

    def record(scene, *_):
        found[scene.frame_current] = evaluated_positions(cloth)

    bpy.app.handlers.render_post.append(record)
    yield found
    bpy.app.handlers.render_post.remove(record)


def test_rendering_shows_the_live_positions(cloth, scene, tmp_path, shown_while_rendering):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    pictures(scene, tmp_path)
    assert same_bits({frame: shown_while_rendering[frame] for frame in FRAMES}, live)
    # Nothing was disturbed by it.
    assert same_bits(play(cloth, FRAMES), live)


def test_rendering_what_was_simulated_shows_it(cloth, scene, tmp_path, shown_while_rendering):
    live = play(cloth, FRAMES)
    pictures(scene, tmp_path)
    assert same_bits({frame: shown_while_rendering[frame] for frame in FRAMES}, live)


def test_pictures_of_the_simulation_and_of_its_bake_are_the_same(cloth, scene, tmp_path):
    live = pictures(scene, tmp_path)
    # The sheet is seen, and it moves.
    assert all((picture > 0.5).sum() > 20 for picture in live.values())
    assert (np.abs(live[6] - live[1]) > 0.5).sum() > 10
    bake(cloth)
    baked = pictures(scene, tmp_path)
    for frame in FRAMES:
        # Rounding of the bake may turn a sample on the outline.
        assert (np.abs(baked[frame] - live[frame]) > 0.5).sum() <= 2


def test_a_painted_pressure_is_seen_in_the_picture_where_it_is_painted(cloth, scene, tmp_path):
    # Seen from the front, the sheet's left half at the left: two closed bags, of which the right one is blown up.
    cloth.hide_render = True
    scene.camera.location, scene.camera.rotation_euler = (0.0, -5.0, 0.0), (np.pi / 2, 0.0, 0.0)
    scene.camera.data.ortho_scale = 2.4
    bags = two_bags(cloth.data.materials[0])
    plain = pictures(scene, tmp_path)[FRAMES[-1]]
    bags.hooke.pressure, bags.hooke.pressure_group = 200.0, "Right"
    blown = pictures(scene, tmp_path)[FRAMES[-1]]
    bags.hooke.pressure_group = ""
    both = pictures(scene, tmp_path)[FRAMES[-1]]
    left, right = (slice(None), slice(0, SIDE // 2)), (slice(None), slice(SIDE // 2, SIDE))
    assert (plain > 0.5).any() and (blown[left] == plain[left]).all()
    # Grown by a tenth or more.
    assert (blown[right] > 0.5).sum() > 1.1 * (plain[right] > 0.5).sum()
    assert (both[right] == blown[right]).all() and (both[left] > 0.5).sum() > 1.1 * (plain[left] > 0.5).sum()


def test_motion_blur_does_not_change_the_simulation(cloth, scene, tmp_path, shown_while_rendering):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = 1.0
    pictures(scene, tmp_path)
    assert sorted(shown_while_rendering) == list(FRAMES)
    assert same_bits(play(cloth, FRAMES), live)
    assert "strain" in status(cloth)


def test_a_single_picture_in_the_middle(cloth, scene, tmp_path, shown_while_rendering):
    live = play(cloth, FRAMES)
    scene.frame_set(4)
    bpy.ops.render.render()
    assert same_bits(shown_while_rendering[4], live[4])
    assert scene.frame_current == 4


def test_a_modifier_that_only_the_render_has_changes_no_simulated_frame(
    cloth, scene, tmp_path, shown_while_rendering
):
    smooth = cloth.modifiers.new("Smooth", "SMOOTH")
    smooth.show_viewport, smooth.show_render = False, True
    cloth.modifiers.move(1, 0)
    live = play(cloth, FRAMES)
    pictures(scene, tmp_path)
    assert same_bits({frame: shown_while_rendering[frame] for frame in FRAMES}, live)
    assert same_bits(play(cloth, FRAMES), live)


@pytest.mark.parametrize("locked", [False, True])
def test_the_interface_is_locked_while_rendering_and_as_it_was_after(locked, cloth, scene, tmp_path):
    scene.render.use_lock_interface = locked
    seen = []
    bpy.app.handlers.render_pre.append(lambda scene, *_: seen.append(scene.render.use_lock_interface))
    try:
        pictures(scene, tmp_path)
    finally:
        bpy.app.handlers.render_pre.pop()
    assert seen == [True] * len(FRAMES)
    assert scene.render.use_lock_interface is locked


def test_a_render_that_cannot_begin_leaves_the_interface_s_lock_alone(cloth, scene):
    scene.camera = None
    scene.render.use_lock_interface = False
    with pytest.raises(RuntimeError, match=r"[Cc]amera"):
        bpy.ops.render.render(animation=True)
    assert scene.render.use_lock_interface is False
    # And what follows is playback again, not rendering.
    play(cloth, FRAMES)
    cloth.animation_data_clear()
    cloth.location.x += 1.0
    play(cloth, [4])
    assert "go to frame 1" in status(cloth)

# SPDX-License-Identifier: GPL-3.0-or-later
"""One sheet whose pins an armature moves: every way to see a frame shows the same positions."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.mesh_io import POSITION, TARGET

from .scenes import activate, add_hooke, bake, clear_bake, grid, play, same_bits, vectors
from .test_pins import by_armature

FRAMES = range(1, 13)
# Blender keeps the basis and the difference of a key in float32: two roundings of positions up to 4 m.
ROUNDING = 4 * np.finfo(np.float32).eps
TOLERANCE = 2e-3


@pytest.fixture
def cloth(scene):
    obj = grid()
    by_armature(obj)
    return add_hooke(obj)


@pytest.fixture
def live(cloth):
    """What playing forward shows."""
    return play(cloth, FRAMES)


def rendered(obj, folder):
    """What a render of the animation evaluates, by frame."""
    scene = bpy.context.scene
    scene.render.engine, scene.render.filepath = "CYCLES", str(folder / "image")
    scene.cycles.samples = 1
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    seen = {}

    def look(scene, depsgraph):
        # What the frame handler wrote is evaluated after the handlers: until then it is on the original mesh, and
        # where there is none the pose that enters is shown.
        evaluated = obj.evaluated_get(depsgraph).data.attributes
        if obj.hooke.bake.exists:
            shown = evaluated["position"]
        else:
            shown = obj.data.attributes.get(POSITION) or evaluated[TARGET]
        # Hooke goes to a frame itself before Blender does: what Blender evaluates for the picture comes last.
        seen[scene.frame_current] = vectors(shown)

    bpy.app.handlers.frame_change_post.append(look)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.remove(look)
    return seen


def test_scrubbed_in_any_order(cloth, live):
    order = [int(frame) for frame in np.random.default_rng(7).permutation(FRAMES)]
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})


@pytest.mark.nightly
def test_rendered_from_the_cache(cloth, live, tmp_path):
    assert same_bits(rendered(cloth, tmp_path), live)


@pytest.mark.newest
def test_rendered_without_having_been_played(cloth, tmp_path):
    seen = rendered(cloth, tmp_path)
    assert same_bits(seen, play(cloth, FRAMES))
    bpy.context.scene.frame_set(1)
    activate(cloth)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), seen)


def test_the_file_on_disk(cloth, live):
    content = Path(cache_files.path_of(cloth)).read_bytes()
    assert content[32:] == b"".join(live[frame].tobytes() for frame in FRAMES)


@pytest.mark.sampled(3)
@pytest.mark.newest
@pytest.mark.parametrize(
    ("mode", "limit"), [("SHAPE_KEYS", ROUNDING), ("PRINCIPAL_SHAPES", TOLERANCE), ("MESH_CACHE", 0.0)]
)
def test_baked(mode, limit, cloth, live, tmp_path):
    bake(cloth, mode, **({"tolerance": TOLERANCE} if mode == "PRINCIPAL_SHAPES" else {}))
    baked = play(cloth, FRAMES)
    errors = [np.linalg.norm(baked[frame] - live[frame], axis=1).max() for frame in FRAMES]
    assert max(errors) <= limit
    if mode != "SHAPE_KEYS":
        assert max(errors) <= max(cloth.hooke.bake.largest_error, 0.0) + ROUNDING
    assert same_bits(rendered(cloth, tmp_path), baked)
    clear_bake(cloth)
    assert same_bits(play(cloth, FRAMES), live)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Live, scrubbed and baked frames, in this process and another, are the same numbers."""

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.core import INTEGRATORS

from .scenes import (
    add_hooke,
    bake,
    baked_keys,
    clear_bake,
    evaluated_positions,
    grid,
    key_positions,
    play,
    same_bits,
    simulated_positions,
    status,
    swing,
    turn,
)

LAST = 9
FRAMES = range(1, LAST + 1)
# Bits are the same or not whatever the motion; two substeps have an end within a frame as three have.
SUBSTEPS = 2


def plain():
    return grid()


def without_pins():
    return grid(pins={})


def softly_pinned():
    return grid(pins={0: 1.0, 4: 0.5, 12: 0.3})


def moving():
    obj = grid()
    swing(obj)
    turn(obj)
    return obj


def parented():
    obj, parent = grid(), bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.scale = (3.0, -2.0, 1.0), (1.0, 2.0, 0.5)
    obj.parent, obj.rotation_euler.x = parent, 0.7
    turn(parent)
    return obj


def scaled():
    obj = grid()
    obj.scale, obj.rotation_euler = (0.5, 2.0, 1.5), (0.3, 0.4, 0.5)
    return obj


def mirrored():
    obj = grid()
    obj.scale, obj.location = (-1.0, -2.0, -0.5), (1.0, 2.0, 3.0)
    return obj


def subdivided():
    obj = grid()
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 1
    return obj


def solidified():
    obj = moving()
    obj.modifiers.new("Solidify", "SOLIDIFY").thickness = 0.05
    return obj


SCENES = (plain, without_pins, softly_pinned, moving, parented, scaled, mirrored, subdivided, solidified)


@pytest.fixture(params=SCENES, ids=lambda build: build.__name__)
def cloth(request, scene):
    """Each of the scenes with Hooke, not yet simulated."""
    scene.frame_end = LAST
    return add_hooke(request.param(), substeps=SUBSTEPS)


@pytest.mark.sampled(3)
def test_the_scenes_move(cloth):
    shown = play(cloth, FRAMES)
    assert np.abs(shown[LAST] - shown[1]).max() > 0.05
    assert "strain" in status(cloth)


@pytest.mark.sampled(6)
def test_scrubbing_shows_what_playback_showed(cloth):
    live = play(cloth, FRAMES)
    order = np.random.default_rng(3).permutation(np.repeat(FRAMES, 2))
    for frame in order:
        assert same_bits(play(cloth, [int(frame)])[frame], live[frame])


@pytest.mark.sampled(6)
def test_simulating_again_gives_the_same_bits(cloth):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), live)


@pytest.mark.sampled(3)
def test_baked_keys_are_the_live_positions(cloth):
    live = {}
    for frame in FRAMES:
        play(cloth, [frame])
        # The first frame is the start pose itself: Hooke lets it pass.
        live[frame] = simulated_positions(cloth) if frame > 1 else key_positions_of_mesh(cloth)
    bake(cloth)
    keys = baked_keys(cloth)
    assert len(keys) == len(FRAMES)
    for frame, key in zip(FRAMES, keys, strict=True):
        assert same_bits(key_positions(key), live[frame])


def key_positions_of_mesh(obj):
    """Base positions of the object's mesh, float32."""
    return np.array([vertex.co for vertex in obj.data.vertices], dtype=np.float32)


@pytest.mark.sampled(4)
def test_the_bake_shows_the_live_positions(cloth):
    live = play(cloth, FRAMES)
    base = key_positions_of_mesh(cloth)
    count = len(base)
    bake(cloth)
    baked = play(cloth, FRAMES)
    for frame in FRAMES:
        if len(cloth.modifiers) == 1:
            # Blender shows basis + (key - basis): two roundings, each half a unit in the last place of its result.
            limit = np.finfo(np.float32).eps * (np.abs(live[frame]) + np.abs(base))
        else:
            # Averages and normals of the modifiers below amplify that by their few neighbours.
            limit = np.full_like(live[frame], 2e-6)
        assert (np.abs(baked[frame] - live[frame]) <= limit).all()
    assert evaluated_positions(cloth).shape[0] >= count


@pytest.mark.sampled(9)
def test_live_again_after_clearing_the_bake(cloth):
    live = play(cloth, FRAMES)
    bake(cloth)
    clear_bake(cloth)
    assert same_bits(play(cloth, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), live)


@pytest.mark.sampled(4)
def test_baking_without_playing_first_gives_the_same_keys(cloth):
    bake(cloth)
    fresh = [key_positions(key) for key in baked_keys(cloth)]
    clear_bake(cloth)
    play(cloth, FRAMES)
    bake(cloth)
    for key, positions in zip(baked_keys(cloth), fresh, strict=True):
        assert same_bits(key_positions(key), positions)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_integrator(integrator, scene):
    # Soft and finely stepped, so that the explicit ones are stable as well.
    scene.frame_end = LAST
    obj = add_hooke(grid(), integrator=integrator, stiffness=1.0, substeps=6)
    live = play(obj, FRAMES)
    assert "strain" in status(obj)
    assert same_bits(play(obj, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, FRAMES), live)
    bake(obj)
    assert all(
        same_bits(key_positions(key), live[frame]) for frame, key in zip(FRAMES, baked_keys(obj), strict=True)
    )


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("build", [moving, solidified], ids=lambda build: build.__name__)
def test_another_process_gives_the_same_bits(build, scene, tmp_path):
    obj = add_hooke(build())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    live = play(obj, FRAMES)
    command = [sys.executable, Path(__file__).with_name("playback.py"), tmp_path / "cloth.blend", obj.name]
    command += [f"{FRAMES[0]}-{FRAMES[-1]}", tmp_path / "shown.npz"]
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, encoding="utf-8", errors="replace"
    )
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "shown.npz") as other:
        assert same_bits({frame: other[str(frame)] for frame in FRAMES}, live)

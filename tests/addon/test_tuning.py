# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes while it plays: the simulation goes on from the shown frame, and none of that is taken for the true one."""

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files, readout
from hooke.addon.drawing import timeline
from hooke.addon.play import sessions

from . import changes
from .scenes import (
    add_hooke,
    bake,
    clear_bake,
    evaluated_positions,
    evaluated_world_positions,
    grid,
    pin,
    play,
    same_bits,
    status,
    swing,
)

FRAMES = range(1, 13)
# Of no effect on a sheet, which has no strands: what goes on with it is to go on as before.
NO_EFFECT = {"line_stiffness": 123.0}
# One-step: its history is positions and velocities, all there is in a kept frame, as air without inertia has it.
PLAIN = {
    "air_inertia": 0.0,
    "effort": "STANDARD",
    "time_stepping": "BACKWARD_EULER",
    "acceleration": "NONE",
    "carried_stiffness": "ALL",
}


@pytest.fixture
def cloth(scene):
    """A swinging sheet."""
    obj = grid()
    swing(obj)
    return add_hooke(obj, **PLAIN)


def set_and_update(obj, **settings):
    """Change settings as the interface does, after which Blender updates the view layer."""
    for name, value in settings.items():
        setattr(obj.hooke, name, value)
    bpy.context.view_layer.update()


def set_only(obj, **settings):
    """Change settings as a script does."""
    for name, value in settings.items():
        setattr(obj.hooke, name, value)


@pytest.mark.combined
@pytest.mark.parametrize("change", [set_and_update, set_only])
@pytest.mark.parametrize(
    "settings",
    [
        {"stretch_stiffness": 50.0},
        {"area_density": 5.0, "damping_ratio": 0.5},
        {"effort": "FINE"},
        {"integrator": "POSITION_BASED"},
        {"air_drag": 1.5},
        {"time_scale": 0.5},
        {"pin_group": ""},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_it_goes_on_with_the_changed_value_and_keeps_nothing_of_it(settings, change, cloth):
    untouched = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    shown = play(cloth, range(1, 9))
    change(cloth, **settings)
    assert same_bits(evaluated_positions(cloth), shown[8])
    tuned = play(cloth, range(9, 13))
    assert np.abs(tuned[9] - shown[8]).max() > 1e-3
    assert np.abs(tuned[12] - untouched[12]).max() > 1e-4
    running = sessions.find(cloth)
    assert running.cached == 0
    assert cache_files.count(cloth) == 8
    assert "tuned live" in status(cloth) and readout.status(cloth)[1] != "CHECKMARK"
    assert timeline.spans(cloth) == {"STALE": (1, 8), "TUNED": (8, 12)}


def test_it_goes_on_from_positions_and_velocities(cloth):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    play(cloth, range(1, 9))
    set_and_update(cloth, **NO_EFFECT)
    tuned = play(cloth, range(9, 13))
    # One rounding to float32 in what is shown; the simulation goes on with all digits.
    assert all(np.abs(tuned[frame] - live[frame]).max() <= 1e-6 for frame in tuned)


def test_it_goes_on_from_a_kept_frame(cloth):
    live = play(cloth, FRAMES)
    play(cloth, range(4, 7))
    set_and_update(cloth, **NO_EFFECT)
    tuned = play(cloth, range(7, 9))
    # Mean velocities over the frame before lag half a frame behind: g dt^2 / 2 in a frame of free fall, and the sheet's
    # other accelerations are of that size.
    assert np.abs(tuned[7] - live[7]).max() < 2 * 9.81 / 24**2 / 2
    assert np.abs(tuned[7] - live[6]).max() > 2 * np.abs(tuned[7] - live[7]).max()


def test_every_change_while_it_plays_is_followed(cloth):
    play(cloth, range(1, 6))
    lengths = []
    for frame in range(6, 13):
        set_and_update(cloth, stretch_stiffness=10.0 * 10.0 ** (frame / 4))
        play(cloth, [frame])
        lengths.append(sessions.find(cloth).simulation.network.stiffness.max())
    assert lengths == sorted(lengths) and lengths[-1] > 10 * lengths[0]
    assert timeline.spans(cloth)["TUNED"] == (5, 12)


def test_the_next_pass_from_the_start_is_the_true_one(cloth):
    play(cloth, range(1, 9))
    set_and_update(cloth, stretch_stiffness=50.0)
    play(cloth, range(9, 13))
    true = play(cloth, FRAMES)
    assert "tuned" not in status(cloth)
    assert timeline.spans(cloth) == {"CACHED": (1, 12)}
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), true)


def test_scrubbing_away_leaves_the_tuned_frames(cloth):
    play(cloth, range(1, 9))
    set_and_update(cloth, stretch_stiffness=50.0)
    play(cloth, range(9, 11))
    play(cloth, [5, 10, 11])
    assert status(cloth) == "The settings changed: go to frame 1, and play"


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "MESH_CACHE"])
def test_a_bake_of_tuned_frames_is_of_the_true_ones(mode, cloth):
    play(cloth, range(1, 9))
    set_and_update(cloth, stretch_stiffness=50.0)
    play(cloth, range(9, 13))
    bake(cloth, mode=mode)
    baked = play(cloth, FRAMES)
    clear_bake(cloth)
    bpy.ops.hooke.reset()
    live = play(cloth, FRAMES)
    assert all(np.abs(baked[frame] - live[frame]).max() <= 2e-6 for frame in live)


def test_simulate_makes_the_true_frames(cloth):
    play(cloth, range(1, 9))
    set_and_update(cloth, stretch_stiffness=50.0)
    play(cloth, range(9, 11))
    assert bpy.ops.hooke.simulate() == {"FINISHED"}
    assert timeline.spans(cloth) == {"CACHED": (1, 12)}
    shown = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), shown)


def test_what_is_set_back_is_true_again(cloth):
    live = play(cloth, FRAMES)
    play(cloth, range(5, 8))
    set_and_update(cloth, stretch_stiffness=50.0)
    play(cloth, [8])
    assert "tuned live" in status(cloth)
    set_and_update(cloth, stretch_stiffness=5e3)
    assert same_bits(play(cloth, [9])[9], live[9])
    assert timeline.spans(cloth) == {"CACHED": (1, 12)}


@pytest.mark.parametrize("change", [changes.vertices_moved, changes.vertices_added, changes.faces_removed])
def test_another_mesh_cannot_be_gone_on_with(change, cloth, scene):
    play(cloth, range(1, 9))
    change(cloth, scene)
    bpy.context.view_layer.update()
    play(cloth, [8, 9])
    assert "go to frame 1" in status(cloth)
    assert sessions.find(cloth).tuned is None


def test_what_is_grabbed_while_it_plays_takes_its_pins_along(scene):
    obj = add_hooke(grid(), **PLAIN)
    play(obj, range(1, 9))
    obj.location.x += 0.5
    bpy.context.view_layer.update()
    play(obj, range(9, 13))
    assert "tuned live" in status(obj)
    moved = evaluated_world_positions(obj)
    assert np.abs(moved[[0, 4]] - [[-0.5, -1.0, 0.0], [1.5, -1.0, 0.0]]).max() < 1e-6
    assert moved[12, 2] < -0.1


def test_other_pins_come_from_where_they_are(cloth):
    play(cloth, range(1, 9))
    pin(cloth, {0: 1.0, 4: 1.0, 24: 1.0}, name="More")
    set_and_update(cloth, pin_group="More")
    play(cloth, [9])
    rest = np.array(cloth.data.vertices[24].co)
    assert np.abs(evaluated_positions(cloth)[24] - rest).max() < 1e-6
    play(cloth, range(10, 13))
    assert np.isfinite(evaluated_positions(cloth)).all() and "tuned live" in status(cloth)


def test_after_the_range_the_last_tuned_frame_stays(cloth):
    play(cloth, range(1, 9))
    set_and_update(cloth, stretch_stiffness=50.0)
    tuned = play(cloth, range(9, 16))
    assert all(same_bits(tuned[frame], tuned[12]) for frame in range(12, 16))
    assert timeline.spans(cloth)["TUNED"] == (8, 12)


def test_a_tuned_simulation_that_diverges_says_so(cloth):
    play(cloth, range(1, 9))
    set_and_update(cloth, integrator="EXPLICIT_EULER", substeps=10, stretch_stiffness=1e7)
    shown = play(cloth, range(9, 13))
    assert "diverged" in status(cloth)
    assert np.isfinite(shown[12]).all()
    play(cloth, FRAMES[:1])
    cloth.hooke.integrator = "PROJECTIVE_DYNAMICS"
    play(cloth, FRAMES)
    assert "frame 12" in status(cloth)


def test_colliders_that_come_and_go_while_it_plays_are_followed(scene):
    obj = add_hooke(grid(pins={}), air_drag=0.0, **PLAIN)
    play(obj, range(1, 5))
    bpy.ops.mesh.primitive_plane_add(size=20.0, location=(0.0, 0.0, -0.4))
    floor = bpy.context.object
    floor.modifiers.new("Collision", "COLLISION")
    bpy.context.view_layer.update()
    play(obj, range(5, 13))
    assert "tuned live" in status(obj)
    lying = evaluated_world_positions(obj)[:, 2]
    # A free fall of 11 frames: 1 m; the floor is at 0.4 m.
    assert lying.min() > -0.45
    bpy.data.objects.remove(floor)
    obj.hooke.frame_end = 20
    bpy.context.view_layer.update()
    play(obj, range(13, 21))
    assert evaluated_world_positions(obj)[:, 2].max() < -0.6


def test_what_is_tuned_is_no_part_of_another_s_bake(scene):
    one, other = add_hooke(grid(name="One"), **PLAIN), add_hooke(grid(name="Other"), **PLAIN)
    for frame in range(1, 9):
        scene.frame_set(frame)
    set_and_update(one, stretch_stiffness=50.0)
    scene.frame_set(9)
    assert "tuned live" in status(one) and "tuned" not in status(other)
    other.hooke.frame_start = 9
    bake(other)
    assert sessions.find(one).tuned is None

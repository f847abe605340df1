# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-Collision in Blender: what it changes, the same numbers on all ways, stale when its settings change."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    key_positions,
    mesh_object,
    pin,
    play,
    same_bits,
    status,
)

# The upper one is on the lower one after a tenth of a second.
LAST = 7
FRAMES = range(1, LAST + 1)
SIDE, SPACING = 7, 0.05
SETTINGS = {"self_collision": True, "self_distance": 0.02}


@pytest.fixture
def plies(scene):
    """One mesh of two sheets of 0.3 m, the upper one free and 5 cm over the lower one, which is held at its border."""
    row, column = np.divmod(np.arange(SIDE**2), SIDE)
    sheet = SPACING * np.column_stack([row, column, np.zeros(SIDE**2)])
    corners = [SIDE * i + j for i in range(SIDE - 1) for j in range(SIDE - 1)]
    faces = [(i, i + 1, i + SIDE + 1, i + SIDE) for i in corners]
    points = [*sheet, *(sheet + np.array([0.013, 0.017, 0.05]))]
    both = [*faces, *((np.array(face) + SIDE**2).tolist() for face in faces)]
    obj = mesh_object([tuple(map(float, point)) for point in points], faces=both)
    border = (row % (SIDE - 1) == 0) | (column % (SIDE - 1) == 0)
    pin(obj, dict.fromkeys(np.flatnonzero(border).tolist(), 1.0))
    return add_hooke(obj, **SETTINGS)


def heights(shown):
    """Mean heights of the middles of both sheets [m]."""
    middle = SIDE**2 // 2
    return shown[middle, 2], shown[middle + SIDE**2, 2]


@pytest.mark.newest
def test_what_falls_on_another_piece_of_the_mesh_lies_on_it(plies):
    lower, upper = heights(play(plies, FRAMES)[LAST])
    assert upper > lower + 0.01
    assert "strain" in status(plies)
    plies.hooke.self_collision = False
    lower, upper = heights(play(plies, FRAMES)[LAST])
    assert upper < lower - 0.05


@pytest.mark.newest
def test_scrubbed_simulated_again_baked_and_opened_again_it_is_what_playback_showed(plies, tmp_path):
    live = play(plies, FRAMES)
    order = np.random.default_rng(5).permutation(FRAMES).tolist()
    assert same_bits(play(plies, order), {frame: live[frame] for frame in order})
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    bpy.ops.hooke.reset()
    play(plies, range(1, 5))
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    plies = bpy.data.objects["Cloth"]
    assert same_bits(play(plies, FRAMES[4:]), {frame: live[frame] for frame in FRAMES[4:]})
    assert sessions.find(plies).take.simulated == LAST - 4
    activate(plies)
    bake(plies)
    keys = [key_positions(key) for key in baked_keys(plies)]
    assert all(same_bits(keys[frame - 1], live[frame]) for frame in FRAMES[1:])


@pytest.mark.newest
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("self_collision", False),
        ("self_distance", 0.03),
        ("self_friction", 0.0),
    ],
)
def test_a_changed_setting_makes_frames_stale(plies, name, value):
    live = play(plies, FRAMES)
    setattr(plies.hooke, name, value)
    shown = play(plies, FRAMES)
    assert sessions.find(plies).take.simulated == 2 * (LAST - 1)
    assert not same_bits(shown[LAST], live[LAST])


@pytest.mark.newest
def test_the_distance_is_painted(plies):
    everywhere = heights(play(plies, FRAMES)[LAST])
    thin = plies.vertex_groups.new(name="Thin")
    thin.add(list(range(2 * SIDE**2)), 0.5, "REPLACE")
    plies.hooke.self_distance_group = "Thin"
    painted = heights(play(plies, FRAMES)[LAST])
    assert painted[1] - painted[0] < everywhere[1] - everywhere[0] - 0.005
    plies.hooke.self_distance_group, plies.hooke.self_distance = "", 0.01
    half = play(plies, FRAMES)[LAST]
    np.testing.assert_allclose(heights(half), painted, atol=1e-6)


@pytest.mark.newest
def test_a_distance_painted_away_is_not_nothing(plies):
    plies.vertex_groups.new(name="None").add(list(range(2 * SIDE**2)), 0.0, "REPLACE")
    plies.hooke.self_distance_group = "None"
    shown = play(plies, FRAMES)[LAST]
    assert "strain" in status(plies)
    assert np.isfinite(shown).all()


def test_a_group_that_is_missing_is_named(plies):
    plies.hooke.self_distance_group = "Gone"
    found = sessions.findings(plies, bpy.context.scene, bpy.context.evaluated_depsgraph_get())
    said = "'Cloth' has no vertex group or attribute 'Gone', so that Self-Distance is the same everywhere"
    assert found == ([], [f"{said}: choose another"])


@pytest.mark.newest
def test_vertices_without_edges_keep_off_each_other(scene):
    # Above each other: the upper one slips off the lower, which is held. An object has one edge at least.
    edge = [(1.0, 0.0, 0.0), (1.1, 0.0, 0.0)]
    dust = mesh_object([(0.0, 0.0, 0.0), (0.0, 0.002, 0.1), (0.3, 0.0, 0.1), *edge], edges=[(3, 4)])
    pin(dust, {0: 1.0, 3: 1.0, 4: 1.0})
    shown = play(add_hooke(dust, **SETTINGS), range(1, 13))
    assert min(np.linalg.norm(x[1] - x[0]) for x in shown.values()) > 0.95 * SETTINGS["self_distance"]
    # Beside it another falls as if there were nothing.
    assert shown[12][1, 2] > shown[12][2, 2] + 0.05

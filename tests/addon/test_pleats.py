# SPDX-License-Identifier: GPL-3.0-or-later
"""Pleats: set with one button, folded to their side, keyed, and the same bits whichever way a frame is reached."""

import bpy
import numpy as np
import pytest

from hooke.addon import sections
from hooke.addon.play import sessions

from .directing import LAST, keyed
from .resuming import assert_resumed_and_baked_alike
from .scenes import add_hooke, grid, play, same_bits, status

SIDE = 5
FRAMES = range(1, LAST + 1)


def pleated(angle=120.0, **settings):
    """A sheet with a pleat along its middle column, set as people do."""
    obj = add_hooke(grid(SIDE, pins={}), measure="AREA", gravity_weight=0.0, air_drag=0.0, **settings)
    obj.hooke.stretch_stiffness, obj.hooke.pleat_stiffness = 500.0, 1000.0
    middle = {vertex.index for vertex in obj.data.vertices if abs(vertex.co.x) < 1e-6}
    assert len(middle) == SIDE
    set_pleat(obj, lambda edge: set(edge.vertices) <= middle, angle=angle)
    return obj


def set_pleat(obj, chosen, **how):
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    for edge in obj.data.edges:
        edge.select = chosen(edge)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.tool_settings.mesh_select_mode = (False, True, False)
    found = bpy.ops.hooke.set_pleat(**how)
    bpy.ops.object.mode_set(mode="OBJECT")
    return found


def angles(obj):
    """Of the pleats in the frame that is shown [degrees]."""
    simulation = sessions.find(obj).simulation
    return np.degrees(simulation.network.pleats.found(simulation.state.x))


@pytest.mark.parametrize("angle", [120.0, -120.0])
def test_the_selected_edges_fold_to_their_angle_and_side(angle, scene):
    scene.frame_end = 60
    obj = pleated(angle)
    obj.hooke.frame_end = 60
    assert obj.hooke.pleats == "Pleat"
    play(obj, range(1, 61))
    assert "stopped" not in status(obj)
    assert len(angles(obj)) == SIDE - 1
    assert np.sign(angles(obj)).tolist() == [np.sign(angle)] * (SIDE - 1)
    np.testing.assert_allclose(angles(obj).mean(), angle, atol=20.0)


def test_as_modelled_keeps_the_fold_that_there_is(scene):
    obj = add_hooke(grid(SIDE, pins={}), measure="AREA", gravity_weight=0.0)
    for vertex in obj.data.vertices:
        if vertex.co.x > 1e-6:
            vertex.co.z, vertex.co.x = vertex.co.x, 0.0
    assert set_pleat(obj, lambda edge: True, as_modelled=True) == {"FINISHED"}
    own = sections.read_pleats(obj)
    assert sorted(set(np.round(np.abs(own)).tolist())) == [0.0, 90.0]
    play(obj, FRAMES)
    # It is at rest as it is, on the side where it is.
    np.testing.assert_allclose(angles(obj), own[own != 0.0].mean(), atol=1e-3)


def test_without_a_selection_nothing_is_set(scene):
    obj = add_hooke(grid(SIDE))
    with pytest.raises(RuntimeError, match="select some"):
        set_pleat(obj, lambda edge: False)
    assert obj.hooke.pleats == ""


def test_edited_angles_make_frames_stale(scene):
    obj = pleated()
    before = play(obj, FRAMES)
    values = obj.data.attributes["Pleat"].data
    values.foreach_set("value", -np.array(sections.read_pleats(obj)))
    obj.data.update()
    after = play(obj, FRAMES)
    np.testing.assert_allclose(after[LAST][:, 2], -before[LAST][:, 2], atol=1e-5)
    assert np.abs(after[LAST][:, 2]).max() > 0.01


@pytest.fixture
def keys(scene):
    obj = pleated()
    obj.hooke.frame_end = scene.frame_end = LAST
    keyed(obj.hooke, "pleat_share", (0.0, 1.0))
    return obj


def test_keys_fold_it_and_every_way_has_the_same_bits(keys):
    live = play(keys, FRAMES)
    assert np.abs(live[2][:, 2]).max() < np.abs(live[LAST][:, 2]).max()
    assert same_bits(play(keys, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    assert same_bits(play(keys, FRAMES), live)


@pytest.mark.newest
def test_it_is_baked_and_resumed_to_the_same_bits(keys, tmp_path):
    assert_resumed_and_baked_alike(keys, play(keys, FRAMES), tmp_path)

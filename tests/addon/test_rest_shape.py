# SPDX-License-Identifier: GPL-3.0-or-later
"""Another shape at rest than the pose of the start frame: a shape key, or a mesh of the same vertices and faces."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .directing import FRAMES, LAST
from .pairs import all_same, play_all, sheets
from .scenes import activate, add_hooke, grid, play, same_bits, status


def sheet(**settings):
    obj = add_hooke(grid(5, pins={}), air_drag=0.0, gravity_weight=0.0, **settings)
    obj.hooke.frame_end = bpy.context.scene.frame_end = LAST
    return obj


def by_key(obj, factor):
    if obj.data.shape_keys is None:
        obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Tailored", from_mix=False)
    for vertex in obj.data.vertices:
        key.data[vertex.index].co = factor * vertex.co
    key.value = 0.0
    obj.hooke.rest_key = "Tailored"


def by_object(obj, factor):
    other = grid(5, name="Pattern", pins={})
    for vertex in other.data.vertices:
        vertex.co *= factor
    # Where it is does not matter: its own coordinates are those of the object.
    other.location, other.scale = (5.0, 0.0, 0.0), (3.0, 3.0, 3.0)
    obj.hooke.rest_object = other


WAYS = [by_key, by_object]


@pytest.mark.parametrize("choose", WAYS)
def test_lengths_masses_and_springs_are_those_of_the_shape(choose, scene):
    obj, other = sheet(), sheet()
    other.scale = (0.8, 0.8, 0.8)
    choose(obj, 0.8)
    play(obj, FRAMES[:2]), play(other, FRAMES[:2])
    own, expected = (sessions.find(each).network for each in (obj, other))
    for name in ("rest_lengths", "masses", "stiffness"):
        np.testing.assert_allclose(getattr(own, name), getattr(expected, name), rtol=1e-6)
    np.testing.assert_allclose(own.stencils.stiffness, expected.stencils.stiffness, rtol=1e-5)
    np.testing.assert_allclose(own.points, 1.25 * expected.points, rtol=1e-6)


@pytest.mark.newest
@pytest.mark.parametrize("choose", WAYS)
def test_it_shrinks_to_the_shape_and_is_the_same_every_way(choose, scene, tmp_path):
    obj = sheet(damping_ratio=0.5)
    plain = play(obj, FRAMES)
    choose(obj, 0.8)
    live = play(obj, FRAMES)
    assert "stopped" not in status(obj)
    assert np.ptp(plain[LAST][:, 0]) == pytest.approx(2.0)
    assert np.ptp(live[LAST][:, 0]) < 1.8
    assert same_bits(play(obj, reversed(FRAMES)), live)
    activate(obj)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rest.blend"))
    called = obj.name
    play(obj, FRAMES[:7])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rest.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rest.blend"))
    assert same_bits(play(bpy.data.objects[called], FRAMES), live)


@pytest.mark.parametrize("choose", WAYS)
def test_an_edit_of_the_shape_makes_frames_stale(choose, scene):
    obj = sheet()
    choose(obj, 0.9)
    before = play(obj, FRAMES)
    if choose is by_key:
        obj.data.shape_keys.key_blocks["Tailored"].data[12].co.x = 0.2
    else:
        obj.hooke.rest_object.data.vertices[12].co.x = 0.2
        obj.hooke.rest_object.data.update()
    after = play(obj, FRAMES)
    assert not same_bits(after, before)
    obj.hooke.rest_key, obj.hooke.rest_object = "", None
    plain = play(obj, FRAMES)
    np.testing.assert_allclose(plain[LAST], plain[1], atol=1e-5)


def test_folds_of_the_shape_are_what_it_bends_back_to(scene):
    obj = sheet(bending_rigidity=1e5)
    other = grid(5, name="Bent", pins={})
    for begun, bent in zip(obj.data.vertices, other.data.vertices, strict=True):
        # What is flat knows no side to bend to.
        begun.co.z, bent.co.z = 0.01 * begun.co.x**2, 0.1 * bent.co.x**2
    plain = play(obj, FRAMES)
    obj.hooke.rest_object = other
    shown = play(obj, FRAMES)
    assert np.ptp(plain[LAST][:, 2]) == pytest.approx(0.01, rel=0.01)
    assert max(np.ptp(positions[:, 2]) for positions in shown.values()) > 0.05


def test_what_does_not_fit_is_told_with_the_remedy(scene):
    obj = sheet()
    obj.hooke.rest_key = "Gone"
    play(obj, FRAMES[:3])
    assert "'Cloth' has no shape key 'Gone' to rest in: choose another Rest Shape Key, or none" in status(obj)
    obj.hooke.rest_key, obj.hooke.rest_object = "", grid(4, name="Other", pins={})
    play(obj, FRAMES[:3])
    assert "'Other' has other vertices and faces than 'Cloth'" in status(obj)
    obj.hooke.rest_object = None
    play(obj, FRAMES[:3])
    assert "stopped" not in status(obj)


def test_its_size_and_maps_are_of_the_shape(scene):
    obj = sheet(rest_scale=0.5)
    by_object(obj, 0.8)
    play(obj, FRAMES[:2])
    network = sessions.find(obj).network
    np.testing.assert_allclose(network.rest_lengths, 0.4 * network.spring_lengths(network.points), rtol=1e-6)


@pytest.mark.nightly
def test_what_collides_with_each_other_has_its_shape_too(scene, tmp_path):
    scene.frame_end = LAST
    pair = sheets()
    pattern = grid(9, name="Pattern", pins={})
    for vertex in pattern.data.vertices:
        vertex.co *= 0.9
    pair[0].hooke.rest_object = pattern
    live = play_all(pair, FRAMES)
    assert np.ptp(live["Cloth"][LAST][:, 0]) < 1.95
    for obj in pair:
        activate(obj)
        bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rest.blend"))
    play_all(pair, FRAMES[:7])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rest.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rest.blend"))
    assert all_same(play_all([bpy.data.objects[name] for name in live], FRAMES), live)

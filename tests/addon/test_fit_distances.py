# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances larger than those that an object begins with are told without taking the tick, and fitted by a click."""

import bpy
import pytest

from hooke.addon import readout
from hooke.addon.readout import before_flight

from .colliding import block, collider
from .scenes import activate, add_hooke, grid, mesh_object, play

# Sides of 0.05 m: no less than a twentieth of that is kept.
SIDE = 41


def above_a_block(height, outer=0.02):
    """A sheet at height 0 that lies so far above a block [m], which is wider."""
    under = collider(block(size=3.0, height=-1.5 - height))
    under.collision.thickness_outer = outer
    return add_hooke(grid(side=SIDE, pins={}), effort="DRAFT"), under


def two_plies(apart):
    """Two sheets of one object above each other [m], the lower one pinned."""
    one = grid(side=SIDE, pins={})
    points = [vertex.co.copy() for vertex in one.data.vertices]
    faces = [tuple(face.vertices) for face in one.data.polygons]
    bpy.data.objects.remove(one)
    both = [*points, *((x, y, z + apart) for x, y, z in points)]
    obj = mesh_object(both, faces=[*faces, *(tuple(k + len(points) for k in face) for face in faces)])
    obj.vertex_groups.new(name="Pin").add(range(len(points)), 1.0, "REPLACE")
    return add_hooke(obj, self_collision=True, self_distance=0.005)


def hints(obj):
    return [each for each in readout.report(obj).complaints if each.hint]


def test_it_is_told_keeps_its_tick_and_is_put_away(scene):
    obj, _ = above_a_block(0.005)
    play(obj, range(1, 4))
    (told,) = hints(obj)
    assert told.text.startswith("100 % begins nearer to 'Block' than the 30 mm kept (half of it within 5 mm)")
    assert readout.report(obj).complaints == [told] and readout.report(obj).icon == "CHECKMARK"
    activate(obj)
    bpy.ops.hooke.put_away(key=readout.dismissed_remarks.key(told))
    assert readout.report(obj).complaints == []


def test_the_click_sets_what_is_the_object_s_and_another_what_is_the_collider_s(scene):
    obj, under = above_a_block(0.005)
    activate(obj)
    bpy.ops.hooke.pre_flight()
    (told,) = before_flight.told(obj)
    assert len(told.vertices) == SIDE**2 and told.remedy == "FIT"
    assert dict(told.others) == {"OUTER": "Fit Outer Thickness: Block"}
    assert bpy.ops.hooke.mend(remedy="FIT") == {"FINISHED"}
    assert obj.hooke.collision_thickness == 0.0 and under.collision.thickness_outer == pytest.approx(0.02)
    (told,) = before_flight.told(obj)
    assert told.remedy == "OUTER"
    assert bpy.ops.hooke.mend(remedy="OUTER") == {"FINISHED"}
    assert under.collision.thickness_outer == pytest.approx(0.005, rel=0.03)
    assert before_flight.told(obj) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("height", "outer", "thickness"), [(0.005, 0.001, 0.004), (0.008, 0.005, 0.003), (0.1, 0.02, 0.01)]
)
def test_thickness_is_what_is_left_beside_the_outer_one_and_is_never_raised(height, outer, thickness, scene):
    obj, under = above_a_block(height, outer)
    activate(obj)
    assert bpy.ops.hooke.fit_distances(outer=True) == {"FINISHED"}
    assert obj.hooke.collision_thickness == pytest.approx(thickness, rel=0.04)
    assert under.collision.thickness_outer == pytest.approx(outer)


def test_plies_keep_what_they_begin_with(scene):
    obj = two_plies(0.003)
    activate(obj)
    bpy.ops.hooke.pre_flight()
    assert any("nearer to itself" in finding.complaint.text for finding in before_flight.told(obj))
    assert bpy.ops.hooke.fit_distances() == {"FINISHED"}
    assert obj.hooke.self_distance == pytest.approx(0.003, rel=0.04)
    bpy.ops.hooke.pre_flight()
    assert not any("nearer to itself" in finding.complaint.text for finding in before_flight.told(obj))


def test_it_is_told_as_soon_as_hooke_is_added(scene, capfd):
    above_a_block(0.005)
    assert "100 % begins nearer to 'Block'" in capfd.readouterr().out

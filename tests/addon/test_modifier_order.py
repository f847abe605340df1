# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that stand below Hooke or below Collision and move what stands above: told, and moved by one click."""

import bpy
import numpy as np
import pytest

from hooke.addon import output_nodes, readout
from hooke.addon.colliders import add_collision
from hooke.addon.readout import before_flight

from .colliding import block, collider
from .scenes import activate, add_hooke, evaluated_positions, grid, link, play, simulated_positions

FRAMES = range(1, 6)


def rig():
    """An armature of one bone that stands 0.2 m above where it rests."""
    obj = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    activate(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = obj.data.edit_bones.new("Bone")
    bone.tail = (0.0, 1.0, 0.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.pose.bones["Bone"].location.z = 0.2
    return obj


def armature(obj):
    modifier = obj.modifiers.new("Armature", "ARMATURE")
    modifier.object, modifier.use_vertex_groups = rig(), False
    modifier.use_bone_envelopes = True
    obj.id_data.update_tag()
    return modifier


def bend(obj):
    modifier = obj.modifiers.new("Bend", "SIMPLE_DEFORM")
    modifier.deform_method, modifier.angle = "BEND", 0.5
    return modifier


def lattice(obj):
    cage = link(bpy.data.objects.new("Cage", bpy.data.lattices.new("Cage")))
    cage.scale = (3.0, 3.0, 3.0)
    for point in cage.data.points:
        point.co_deform.z += 0.2
    modifier = obj.modifiers.new("Lattice", "LATTICE")
    modifier.object = cage
    return modifier


def names(obj):
    return [modifier.name for modifier in obj.modifiers]


@pytest.mark.parametrize("add", [armature, bend, lattice])
def test_what_moves_the_simulated_shape_again_is_told_and_moved_above(add, scene):
    obj = add_hooke(grid(), effort="CONVERGED")
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 0
    name = add(obj).name
    activate(obj)
    play(obj, FRAMES)
    told = readout.report(obj).complaints
    assert [f"'{name}'" in complaint.text and "below Hooke" in complaint.text for complaint in told] == [True]
    assert told[0].remedies == ("MODIFIERS",)
    bpy.ops.hooke.pre_flight()
    (found,) = before_flight.told(obj)
    assert found.remedy == "MODIFIERS" and name in found.label
    assert bpy.ops.hooke.mend(remedy="MODIFIERS") == {"FINISHED"}
    assert names(obj) == [name, "Hooke", "Subdivision"]
    assert before_flight.told(obj) == []
    play(obj, FRAMES)
    assert readout.report(obj).complaints == []
    # Shown is what was simulated.
    assert (evaluated_positions(obj) == simulated_positions(obj)).all()


def test_several_keep_their_order(scene):
    obj = add_hooke(grid(), effort="CONVERGED")
    bend(obj), lattice(obj)
    activate(obj)
    play(obj, FRAMES)
    assert bpy.ops.hooke.mend(remedy="MODIFIERS") == {"FINISHED"}
    assert names(obj) == ["Bend", "Lattice", "Hooke"]


def test_a_second_simulation_below_is_turned_off(scene):
    obj = add_hooke(grid(), effort="CONVERGED")
    obj.modifiers.new("Cloth", "CLOTH")
    activate(obj)
    play(obj, FRAMES)
    assert any("'Cloth' below Hooke" in complaint.text for complaint in readout.report(obj).complaints)
    assert bpy.ops.hooke.mend(remedy="MODIFIERS") == {"FINISHED"}
    assert not obj.modifiers["Cloth"].show_viewport and not obj.modifiers["Cloth"].show_render
    play(obj, FRAMES)
    assert (evaluated_positions(obj) == simulated_positions(obj)).all()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "kind", ["SUBSURF", "SOLIDIFY", "SMOOTH", "CORRECTIVE_SMOOTH", "ARMATURE", "LATTICE"]
)
def test_what_only_finishes_the_shape_or_does_nothing_is_fine(kind, scene):
    obj = add_hooke(grid(), effort="CONVERGED")
    # Of an armature or a lattice that is not chosen nothing is moved.
    obj.modifiers.new("Finish", kind)
    play(obj, FRAMES)
    assert readout.report(obj).complaints == []


def test_what_moves_a_collider_below_its_collision_is_told_and_moved_above(scene):
    body = collider(block(size=2.0, height=-1.5))
    bend(body)
    obj = add_hooke(grid(), effort="CONVERGED")
    play(obj, FRAMES)
    told = readout.report(obj).complaints
    assert ["'Bend' of 'Block'" in complaint.text for complaint in told] == [True]
    activate(obj)
    assert bpy.ops.hooke.mend(remedy="COLLIDER_MODIFIERS") == {"FINISHED"}
    assert names(body) == ["Bend", "Collision"]
    play(obj, FRAMES)
    assert readout.report(obj).complaints == []


def test_a_new_collider_is_as_it_is_below_its_mask(scene):
    body = block()
    for kind in ("SIMPLE_DEFORM", "MASK", "SUBSURF"):
        body.modifiers.new(kind, kind)
    add_collision(body)
    assert names(body) == ["SIMPLE_DEFORM", "Collision", "MASK", "SUBSURF"]
    add_collision(body)
    assert len(body.modifiers) == 4


def test_hooke_goes_below_what_only_deforms(scene):
    obj = grid()
    bend(obj)
    add_hooke(obj)
    assert names(obj) == ["Bend", output_nodes.NAME] and np.isfinite(play(obj, FRAMES)[5]).all()

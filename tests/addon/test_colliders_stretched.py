# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider whose size follows from constraints collides as it is in every frame; one whose size stays is rigid."""

import bpy
import pytest

from hooke.addon import colliders

from .colliding import block, collider, dropped
from .scenes import link, play, same_bits, status

FRAMES = range(1, 13)


def follower(constrain):
    """A block with a constraint to an empty that grows and moves."""
    target = link(bpy.data.objects.new("Target", None))
    for frame, scale, place in ((1, 1.0, 1.0), (12, 1.5, 1.3)):
        target.scale, target.location.z = (scale,) * 3, place
        target.keyframe_insert("scale", frame=frame)
        target.keyframe_insert("location", frame=frame)
    obj = collider(block())
    constrain(obj, target)
    return obj


def constraint(obj, target, kind, **settings):
    made = obj.constraints.new(kind)
    made.target = target
    for name, value in settings.items():
        setattr(made, name, value)


def parent_with_a_constraint(obj, target):
    obj.parent = link(bpy.data.objects.new("Parent", None))
    constraint(obj.parent, target, "COPY_SCALE")


STRETCHED = {
    "copied": lambda obj, target: constraint(obj, target, "COPY_SCALE"),
    "child": lambda obj, target: constraint(obj, target, "CHILD_OF"),
    "stretched": lambda obj, target: constraint(obj, target, "STRETCH_TO", rest_length=1.0),
    "mapped": lambda obj, target: constraint(
        obj, target, "TRANSFORM", map_to="SCALE", from_max_z=2.0, to_max_z_scale=2.0
    ),
    "parented": parent_with_a_constraint,
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("constrain", STRETCHED.values(), ids=STRETCHED)
def test_a_collider_that_constraints_stretch_collides_as_it_is(constrain, scene):
    cloth = dropped(lambda _: follower(constrain))
    shown = play(cloth, FRAMES)
    assert "strain" in status(cloth)
    bpy.data.objects["Block"].hooke_collider.shape = "DEFORMING"
    assert same_bits(play(cloth, FRAMES), shown)


def test_a_collider_with_constraints_that_keep_its_size_is_rigid(scene):
    obj = follower(lambda obj, target: constraint(obj, target, "COPY_LOCATION"))
    still = link(bpy.data.objects.new("Still", None))
    constraint(obj, still, "CHILD_OF")
    constraint(obj, bpy.data.objects["Target"], "COPY_SCALE", mute=True)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    assert "rigid shape of 'Block'" in colliders.read(obj, depsgraph)

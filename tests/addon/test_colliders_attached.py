# SPDX-License-Identifier: GPL-3.0-or-later
"""A collider that is attached to the simulated mesh itself does not collide with it: frames stay what they are."""

import bpy
import pytest

from hooke.addon.play import sessions

from .colliding import block, collider, dropped
from .scenes import play, same_bits, status

FRAMES = range(1, 13)


def parented(obj, cloth, kind="VERTEX"):
    obj.parent, obj.parent_type, obj.parent_vertices = cloth, kind, (40, 41, 49)
    obj.location = 0.0, 0.0, -0.3


def wrapped(obj, cloth):
    obj.modifiers.new("Wrap", "SHRINKWRAP").target = cloth
    obj.modifiers.move(1, 0)


def held_by_a_constraint(obj, cloth):
    cloth.vertex_groups.new(name="Middle").add([40], 1.0, "REPLACE")
    held = obj.constraints.new("COPY_LOCATION")
    held.target, held.subtarget, held.use_offset = cloth, "Middle", True


ATTACHED = {
    "parented": parented,
    "parented to three": lambda obj, cloth: parented(obj, cloth, "VERTEX_3"),
    "wrapped": wrapped,
    "held": held_by_a_constraint,
}


def build(attach):
    """A sheet above a block that is attached to it, and another block which is not."""

    def with_blocks(cloth):
        attach(collider(block()), cloth)
        collider(block("Free", height=-0.4)).location.x = 0.7

    return dropped(with_blocks)


@pytest.mark.parametrize("attach", ATTACHED.values(), ids=ATTACHED)
def test_what_is_attached_to_the_mesh_does_not_collide_with_it_and_is_told(attach, scene):
    cloth = build(attach)
    found, problems = sessions.findings(cloth, scene, bpy.context.evaluated_depsgraph_get())
    assert found == ["1 collider: 'Free'"]
    assert len(problems) == 1 and problems[0].startswith("'Block' is attached to the mesh of 'Cloth'")
    live = play(cloth, FRAMES)
    order = (7, 3, 12, 1, 9)
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})
    assert "strain" in status(cloth)


def test_what_follows_the_object_alone_collides(scene):
    def child(cloth):
        obj = collider(block())
        obj.parent = cloth
        obj.constraints.new("COPY_ROTATION").target = cloth

    cloth = dropped(child)
    found, problems = sessions.findings(cloth, scene, bpy.context.evaluated_depsgraph_get())
    assert (found, problems) == (["1 collider: 'Block'"], [])

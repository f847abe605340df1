# SPDX-License-Identifier: GPL-3.0-or-later
"""What is attached to the simulated mesh itself does not act on it, however indirectly: frames stay what they are."""

import bpy
import pytest

from hooke.addon.play import sessions

from .blowing import field
from .colliding import block, collider, dropped
from .scenes import link, play, same_bits, status

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


def vertex_parented(cloth, name="Handle"):
    """An empty that a vertex of the cloth carries."""
    empty = link(bpy.data.objects.new(name, None))
    empty.parent, empty.parent_type, empty.parent_vertices = cloth, "VERTEX", (40, 0, 0)
    return empty


def on_an_empty(obj, cloth):
    obj.parent = vertex_parented(cloth)


def on_an_empty_by_a_constraint(obj, cloth):
    between = link(bpy.data.objects.new("Between", None))
    between.parent = vertex_parented(cloth)
    obj.constraints.new("CHILD_OF").target = between


def hooked(obj, cloth):
    obj.modifiers.new("Hook", "HOOK").object = vertex_parented(cloth)
    obj.modifiers["Hook"].vertex_indices_set(range(4))
    obj.modifiers.move(1, 0)


def rigged(cloth):
    """An armature whose bone is where a vertex group of the cloth is."""
    bpy.ops.object.armature_add(location=(0.0, 0.0, -1.0))
    rig = bpy.context.object
    cloth.vertex_groups.new(name="Middle").add([40], 1.0, "REPLACE")
    held = rig.pose.bones[0].constraints.new("COPY_LOCATION")
    held.target, held.subtarget = cloth, "Middle"
    return rig


def on_a_bone(obj, cloth):
    obj.parent, obj.parent_type, obj.parent_bone = rigged(cloth), "BONE", "Bone"


def skinned(obj, cloth):
    obj.vertex_groups.new(name="Bone").add(range(8), 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rigged(cloth)
    obj.modifiers.move(1, 0)


def nodes(obj, given=None, fixed=None, output="Geometry"):
    """Geometry nodes with Object Info of an object, which the modifier or the node names."""
    tree = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    socket = tree.interface.new_socket("Object", in_out="INPUT", socket_type="NodeSocketObject")
    entering, leaving, info, moved = (
        tree.nodes.new(kind)
        for kind in ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeObjectInfo", "GeometryNodeSetPosition")
    )
    if given is not None:
        tree.links.new(entering.outputs["Object"], info.inputs["Object"])
    info.inputs["Object"].default_value = fixed
    if output == "Geometry":
        tree.links.new(info.outputs["Geometry"], leaving.inputs["Geometry"])
    else:
        tree.links.new(entering.outputs["Geometry"], moved.inputs["Geometry"])
        tree.links.new(info.outputs["Location"], moved.inputs["Offset"])
        tree.links.new(moved.outputs["Geometry"], leaving.inputs["Geometry"])
    modifier = obj.modifiers.new("Nodes", "NODES")
    modifier.node_group = tree
    if given is not None and bpy.app.version >= (5, 2):
        getattr(modifier.properties.inputs, socket.identifier).value = given
    elif given is not None:
        modifier[socket.identifier] = given
    obj.modifiers.move(1, 0)


def driven(obj, cloth):
    curve = obj.driver_add("location", 2)
    variable = curve.driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id, variable.targets[0].transform_type = vertex_parented(cloth), "LOC_Z"
    curve.driver.expression = variable.name


def keyed_by_a_driver(obj, cloth):
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Up")
    curve = key.driver_add("value")
    variable = curve.driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = vertex_parented(cloth)
    curve.driver.expression = variable.name


def cut_by_a_collection(obj, cloth):
    sheets = bpy.data.collections.new("Sheets")
    sheets.objects.link(cloth)
    cut = obj.modifiers.new("Cut", "BOOLEAN")
    cut.operation, cut.operand_type, cut.collection = "UNION", "COLLECTION", sheets
    obj.modifiers.move(1, 0)


ATTACHED = {
    "on an empty": on_an_empty,
    "on an empty by a constraint": on_an_empty_by_a_constraint,
    "hooked": hooked,
    "on a bone": on_a_bone,
    "skinned": skinned,
    "object info of an input": lambda obj, cloth: nodes(obj, given=cloth),
    "object info": lambda obj, cloth: nodes(obj, fixed=cloth),
    "location of an empty": lambda obj, cloth: nodes(obj, given=vertex_parented(cloth), output="Location"),
    "driven": driven,
    "keyed by a driver": keyed_by_a_driver,
    "cut": cut_by_a_collection,
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


@pytest.mark.sampled(15)
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


def child(obj, cloth):
    obj.parent = cloth
    obj.constraints.new("COPY_ROTATION").target = cloth


def hook_to_the_object(obj, cloth):
    obj.modifiers.new("Hook", "HOOK").object = cloth
    obj.modifiers.move(1, 0)


def mirrored(obj, cloth):
    obj.modifiers.new("Mirror", "MIRROR").mirror_object = cloth
    obj.modifiers.move(1, 0)


def child_of_what_bends(obj, cloth):
    bent = block("Bent", height=-3.0)
    bent.modifiers.new("Wrap", "SHRINKWRAP").target = cloth
    obj.parent = bent


def driven_by_the_object(obj, cloth):
    curve = obj.driver_add("location", 2)
    variable = curve.driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = cloth, "location.z"
    curve.driver.expression = f"{variable.name} - 0.5"


def in_a_collection_with_it(obj, cloth):
    sheets = bpy.data.collections.new("Sheets")
    sheets.objects.link(cloth)
    sheets.objects.link(obj)
    obj.hooke.collision_collection = cloth.hooke.collision_collection = sheets


def coloured_by_it(obj, cloth):
    material = bpy.data.materials.new("Colour")
    if not material.use_nodes:
        material.use_nodes = True
    material.node_tree.nodes.new("ShaderNodeTexCoord").object = cloth
    obj.data.materials.append(material)


FREE = {
    "child": child,
    "hooked to the object": hook_to_the_object,
    "mirrored": mirrored,
    "child of what bends": child_of_what_bends,
    "driven by the object": driven_by_the_object,
    "location of the object": lambda obj, cloth: nodes(obj, given=cloth, output="Location"),
    "in a collection with it": in_a_collection_with_it,
    "coloured by it": coloured_by_it,
}


@pytest.mark.parametrize("attach", FREE.values(), ids=FREE)
def test_what_follows_the_object_alone_collides(attach, scene):
    cloth = dropped(lambda cloth: attach(collider(block()), cloth))
    found, problems = sessions.findings(cloth, scene, bpy.context.evaluated_depsgraph_get())
    assert (found, problems) == (["1 collider: 'Block'"], [])


def test_a_force_field_that_is_attached_to_the_mesh_does_not_act_on_it_and_is_told(scene):
    def build(cloth):
        field("FORCE", 30.0, name="Carried").parent = vertex_parented(cloth)
        field("FORCE", 5.0, name="Free")

    cloth = dropped(build)
    found, problems = sessions.findings(cloth, scene, bpy.context.evaluated_depsgraph_get())
    assert found == ["1 force field: 'Free'"]
    assert problems == [
        "Force field 'Carried' (Force) is attached to the mesh of 'Cloth' and does not act on it: detach it"
    ]
    live = play(cloth, FRAMES)
    order = (7, 3, 12, 1, 9)
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})

# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot collide is told by its name: left out with a sentence, or refused with one."""

import tracemalloc

import bpy
import numpy as np
import pytest

from hooke.addon import readout, sections
from hooke.addon.play import sessions
from hooke.addon.play.inputs import Where

from .colliding import ball, block, collider, dropped, floor, mesh, still_block, tube
from .scenes import activate, add_hooke, grid, link, play, same_bits, status

FRAMES = range(1, 13)


def findings(obj):
    """What is said about colliders."""
    return sections.findings(Where(obj, bpy.context.scene, bpy.context.evaluated_depsgraph_get()))


def hidden_block(cloth):
    collider(block()).hide_set(True)


def off_in_the_viewport(cloth):
    collider(block()).modifiers["Collision"].show_viewport = False


def without_faces(cloth):
    collider(mesh("Block", [(0, 0, 0), (1, 0, 0)], []))


def flattened(cloth):
    collider(block()).scale.z = 0.0


def nowhere(cloth):
    collider(block()).location.x = np.nan


def an_empty_collection(cloth):
    cloth.hooke.collision_collection = bpy.data.collections.new("Block")


def not_in_the_chosen_collection(cloth):
    collider(block("Other"))
    an_empty_collection(cloth)


def in_a_collection_that_is_not_in_the_scene(cloth):
    an_empty_collection(cloth)
    obj = collider(block())
    cloth.hooke.collision_collection.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)


def alone_in_its_collection(cloth):
    an_empty_collection(cloth)
    cloth.hooke.collision_collection.objects.link(collider(cloth))


def in_edit_mode(cloth):
    activate(collider(block()))
    bpy.ops.object.mode_set(mode="EDIT")


def an_instance(cloth):
    kept = bpy.data.collections.new("Kept")
    inside = collider(block("Inside"))
    bpy.context.scene.collection.objects.unlink(inside)
    kept.objects.link(inside)
    empty = link(bpy.data.objects.new("Block", None))
    empty.instance_type, empty.instance_collection = "COLLECTION", kept


LEFT_OUT = {
    an_instance: "is an instance of the collection 'Kept', whose 'Inside' does not collide there",
    in_edit_mode: "is in Edit Mode and does not collide",
    hidden_block: "is hidden and does not collide",
    off_in_the_viewport: "its Collision modifier is off in the viewport",
    without_faces: "has no faces and does not collide",
    flattened: "scale 1, 1, 0 flattens it",
    nowhere: "its place is no number",
    in_a_collection_that_is_not_in_the_scene: "of the collection 'Block' is not in this scene",
    alone_in_its_collection: "no other object of the collection",
    an_empty_collection: "has Collision physics",
    not_in_the_chosen_collection: "has Collision physics",
}


@pytest.mark.sampled(14)
@pytest.mark.parametrize(("build", "said"), LEFT_OUT.items(), ids=lambda of: getattr(of, "__name__", ""))
def test_what_does_not_collide_is_told_and_left_out(build, said, scene):
    cloth = dropped(build)
    found, problems = findings(cloth)
    assert not found
    assert len(problems) == 1 and "'Block'" in problems[0] and said in problems[0]
    shown = play(cloth, FRAMES)
    if said != "has Collision physics":
        assert readout.report(cloth).complaints[0].text == f"Falls freely: {problems[0]}"
    cloth.hooke.collisions = False
    assert same_bits(play(cloth, FRAMES), shown)
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def self_intersecting(cloth):
    a, b = block("One"), block("Two")
    b.location = 0.2, 0.1, -0.4
    bpy.context.view_layer.update()
    activate(a)
    b.select_set(True)
    bpy.ops.object.join()
    collider(a).name = "Block"


def ball_below(cloth):
    collider(ball(height=-0.45))


def open_mesh(cloth):
    collider(tube("Block"))


def one_triangle(cloth):
    collider(mesh("Block", [(0, 0, -0.1), (1, 0, -0.1), (0, 1, -0.1)], [(0, 1, 2)]))


def without_area(cloth):
    collider(mesh("Block", [(0, 0, -0.1), (1, 0, -0.1), (2, 0, -0.1)], [(0, 1, 2)]))


def around_the_cloth(cloth):
    collider(block(size=3.0, height=0.0))


def infinite(cloth):
    collider(block()).data.vertices[0].co.x = np.inf


UNUSUAL = (self_intersecting, open_mesh, one_triangle, without_area, around_the_cloth, infinite)
# A grid of distances takes a second to make: for two of them.
SHAPED = [
    *(
        (build, shape)
        for build in UNUSUAL
        for shape in ("AUTO", "PLANE", "SPHERE", "CAPSULE", "BOX", "DEFORMING")
    ),
    (one_triangle, "MESH"),
    (without_area, "MESH"),
]


@pytest.mark.sampled(30)
@pytest.mark.parametrize(
    ("build", "shape"), SHAPED, ids=lambda value: value if isinstance(value, str) else value.__name__
)
def test_an_unusual_mesh_collides_or_is_refused_with_its_name(build, shape, scene):
    cloth = dropped(build)
    bpy.data.objects["Block"].hooke_collider.shape = shape
    shown = play(cloth, range(1, 7))
    assert np.isfinite(np.array(list(shown.values()))).all()
    assert "strain" in status(cloth) or "'Block'" in status(cloth)
    if "strain" not in status(cloth):
        assert same_bits(shown[6], shown[1])


def test_a_flat_mesh_in_a_box_is_told_its_size_and_what_else_to_choose(scene):
    cloth = dropped(one_triangle)
    bpy.data.objects["Block"].hooke_collider.shape = "BOX"
    play(cloth, range(1, 3))
    told = "'Block' cannot collide as it is set: the box's size is 1 × 1 × 0 m: every side must be above 0, or choose"
    assert status(cloth).startswith(f"{told} Automatic as its Shape")


def test_a_rigid_collider_that_grows_is_refused_with_a_remedy(scene):
    cloth = dropped(still_block)
    obj = bpy.data.objects["Block"]
    obj.hooke_collider.shape = "MESH"
    for frame, scale in ((1, 1.0), (12, 2.0)):
        obj.scale.x = scale
        obj.keyframe_insert("scale", index=0, frame=frame)
    play(cloth, FRAMES)
    assert "'Block' changes its size" in status(cloth) and "Deforming" in status(cloth)


def test_a_rigid_collider_that_bends_is_never_shown_as_valid(scene):
    cloth = dropped(still_block)
    obj = bpy.data.objects["Block"]
    obj.hooke_collider.shape = "MESH"
    wave = obj.modifiers.new("Wave", "WAVE")
    wave.height, wave.time_offset, said = 0.2, -10.0, []
    obj.modifiers.move(1, 0)
    for frame in FRAMES:
        play(cloth, [frame])
        said.append(status(cloth))
    told = "The rigid shape of 'Block' changed: keep it the same in all frames, or choose Deforming Mesh as its Shape"
    assert said[1:] == [told] * (len(FRAMES) - 1)


def test_an_object_is_no_collider_of_its_own(scene):
    cloth = collider(add_hooke(grid(pins={})))
    assert findings(cloth) == ([], [])
    play(cloth, range(1, 4))
    assert "strain" in status(cloth)


def test_groups_that_are_not_there_are_told(scene):
    cloth = dropped(floor)
    cloth.hooke.friction_group = "Rough"
    assert findings(cloth) == (
        ["1 collider: 'Floor'"],
        [
            "'Cloth' has no vertex group or attribute 'Rough', so that Friction is the same everywhere: "
            "choose another"
        ],
    )


def test_files_from_before_collide_with_nothing(scene):
    cloth = dropped(still_block)
    for name in ("collisions", "friction", "collision_thickness"):
        cloth.hooke.property_unset(name)
    assert not cloth.hooke.collisions
    assert findings(cloth) == ([], [])
    assert readout.status(cloth)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", ["AUTO", "SPHERE", "BOX"])
def test_what_begins_inside_a_collider_is_told(shape, scene):
    cloth = dropped(around_the_cloth)
    block = bpy.data.objects["Block"]
    block.hooke_collider.shape = shape
    told = "81 vertices begin inside 'Block' and come out of it slowly: move them apart"
    play(cloth, range(1, 3))
    complaints = [complaint.text for complaint in readout.report(cloth).complaints]
    # It comes before what comes of it.
    assert told in complaints and not any(
        "Stretched" in text for text in complaints[: complaints.index(told)]
    )
    # A container is something else.
    block.hooke_collider.inside = True
    scene.frame_set(1)
    play(cloth, range(1, 3))
    assert told not in [complaint.text for complaint in readout.report(cloth).complaints]


@pytest.mark.nightly
@pytest.mark.parametrize("shape", ["AUTO", "MESH"])
def test_a_collider_of_many_triangles_takes_no_more_memory_than_there_is(shape, scene):
    def fine_ball(cloth):
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=7, radius=0.4, location=(0.0, 0.0, -0.42))
        collider(bpy.context.object, shape=shape)

    cloth = dropped(fine_ball)
    assert len(bpy.data.objects["Icosphere"].data.polygons) == 81_920
    tracemalloc.start()
    # It is struck in the third.
    shown = play(cloth, range(1, 5))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Twenty times what the positions and the corners of the triangles need.
    assert most < 21 * 81_920 * (3 * 3 * 8 + 3 * 8)
    assert np.linalg.norm(shown[4] + [0.0, 0.0, 0.42], axis=1).min() > 0.4
    assert shown[4][40, 2] > shown[4][0, 2] + 0.01


def test_a_thickness_beyond_the_object_itself_is_told(scene):
    cloth = dropped(still_block, collision_thickness=2.5)
    bpy.data.objects["Block"].collision.thickness_outer = 0.02
    play(cloth, range(1, 3))
    told = [complaint.text for complaint in readout.report(cloth).complaints]
    assert (
        "'Block' keeps it 2.52 m away, and the whole object is 2 m wide: lower its Thickness or that of 'Block'"
        in told
    )
    cloth.hooke.collision_thickness = 0.01
    play(cloth, range(1, 3))
    assert not any("keeps it" in complaint.text for complaint in readout.report(cloth).complaints)


def test_one_vertex_that_begins_inside_is_told_as_one(scene):
    cloth = dropped(lambda _: collider(block(size=0.1, height=0.0)))
    play(cloth, range(1, 3))
    told = "1 vertex begins inside 'Block' and comes out of it slowly: move them apart"
    assert told in [complaint.text for complaint in readout.report(cloth).complaints]


@pytest.mark.nightly
@pytest.mark.parametrize("friction", [1e4, 1e6, 1e9])
def test_no_friction_makes_it_fly_apart(friction, scene):
    scene.frame_end = 20
    cloth = dropped(ball_below, side=13, friction=friction)
    play(cloth, range(1, 21))
    assert "strain" in status(cloth) and sessions.find(cloth).strain < 0.2

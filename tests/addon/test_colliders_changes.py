# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing stale is shown as valid: a collider that moves, changes, joins or leaves; and what cannot collide is told."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout, sections
from hooke.addon.play import sessions
from hooke.addon.play.inputs import Where

from .colliding import another_sheet, block, collider, dropped, floor, mesh, still_block, tube
from .scenes import activate, add_hooke, fcurves, grid, play, same_bits, status, swing

FRAMES = range(1, 13)


def moved(scene):
    bpy.data.objects["Block"].location.z = -0.4


def turned(scene):
    bpy.data.objects["Block"].rotation_euler.x = 0.3


def scaled(scene):
    bpy.data.objects["Block"].scale.z = 1.3


def mesh_edited(scene):
    for vertex in bpy.data.objects["Block"].data.vertices:
        vertex.co.z *= 1.3
    bpy.data.objects["Block"].data.update()


def faces_removed(scene):
    """As in Edit Mode: the block becomes an open box."""
    import bmesh

    data = bpy.data.objects["Block"].data
    edited = bmesh.new()
    edited.from_mesh(data)
    edited.faces.ensure_lookup_table()
    bmesh.ops.delete(
        edited, geom=[face for face in edited.faces if face.calc_center_median().z > 0.2], context="FACES"
    )
    edited.to_mesh(data)
    edited.free()


def modifier_added(scene):
    bpy.data.objects["Block"].modifiers.new("Subdivision", "SUBSURF").levels = 1


def thicker(scene):
    bpy.data.objects["Block"].collision.thickness_outer = 0.1


def rougher(scene):
    bpy.data.objects["Block"].collision.cloth_friction = 20.0


def other_shape(scene):
    bpy.data.objects["Block"].hooke_collider.shape = "SPHERE"


def bouncier(scene):
    bpy.data.objects["Block"].hooke_collider.restitution = 0.9


def removed(scene):
    bpy.data.objects.remove(bpy.data.objects["Block"])


def hidden(scene):
    bpy.data.objects["Block"].hide_set(True)


def hidden_everywhere(scene):
    bpy.data.objects["Block"].hide_viewport = True


def turned_off(scene):
    bpy.data.objects["Block"].collision.use = False


def modifier_removed(scene):
    obj = bpy.data.objects["Block"]
    obj.modifiers.remove(obj.modifiers["Collision"])


def one_more(scene):
    collider(block("More", height=-0.4)).location.x = 0.7


def another_collection(scene):
    other = bpy.data.collections.new("Other")
    scene.collection.children.link(other)
    bpy.data.objects["Cloth"].hooke.collision_collection = other


CHANGES = (
    moved,
    turned,
    scaled,
    mesh_edited,
    faces_removed,
    modifier_added,
    thicker,
    rougher,
    other_shape,
    bouncier,
    removed,
    hidden,
    hidden_everywhere,
    turned_off,
    modifier_removed,
    one_more,
    another_collection,
)


@pytest.fixture
def cloth(scene):
    """A sheet above a block."""
    return dropped(still_block)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_of_a_collider_makes_frames_stale(change, cloth, scene):
    before = play(cloth, FRAMES)
    scene.frame_set(6)
    change(scene)
    bpy.context.view_layer.update()
    # At once, in the frame that is shown.
    assert "waits for frame 1" in status(cloth)
    again = play(cloth, FRAMES)
    assert "strain" in status(cloth)
    assert np.abs(again[12] - before[12]).max() > 1e-5
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), again)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_while_it_plays_stops_it(change, cloth, scene):
    play(cloth, range(1, 7))
    with sessions.paused():
        change(scene)
        bpy.context.view_layer.update()
    scene.frame_set(7)
    if change is moved or change is turned:
        # It moved from one frame to the next: so it may; the frames before are found stale when they are shown.
        scene.frame_set(5)
    assert "waits for frame 1" in status(cloth).lower() or "'Block' changes its size" in status(cloth)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_whose_colliders_changed_does_not_take_up_its_frames(change, cloth, scene, tmp_path):
    play(cloth, FRAMES)
    scene.frame_set(6)
    with sessions.paused():
        change(scene)
        bpy.context.view_layer.update()
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    cloth = bpy.data.objects["Cloth"]
    play(cloth, [7])
    assert "aits for frame 1" in status(cloth)
    assert sessions.find(cloth).cached == 0


def test_a_collider_that_comes_back_makes_its_frames_good_again(cloth, scene):
    live = play(cloth, FRAMES)
    bpy.data.objects["Block"].location.z = -0.4
    bpy.context.view_layer.update()
    assert "The colliders changed: waits for frame 1" in status(cloth)
    bpy.data.objects["Block"].location.z = -0.5
    bpy.context.view_layer.update()
    assert same_bits(play(cloth, [1, 12]), {1: live[1], 12: live[12]})
    assert sessions.find(cloth).take.simulated == 11


def test_another_name_is_no_change(cloth, scene):
    live = play(cloth, range(1, 7))
    bpy.data.objects["Block"].name = "Aardvark"
    bpy.context.view_layer.update()
    assert "strain" in status(cloth)
    shown = play(cloth, FRAMES)
    assert same_bits({frame: shown[frame] for frame in live}, live)
    assert sessions.find(cloth).take.simulated == 11


def test_what_changed_is_named(scene):
    cloth = add_hooke(grid(side=9))
    still_block(cloth)
    swing(cloth)
    swing(bpy.data.objects["Block"])
    play(cloth, FRAMES)
    for name, said in (
        ("Block", "The colliders changed"),
        ("Cloth", "The object's motion and the pins' motion"),
    ):
        point = fcurves(bpy.data.objects[name])[0].keyframe_points[-1]
        place = tuple(point.co)
        point.co.y += 1.0
        play(cloth, [6])
        assert status(cloth).startswith(said)
        point.co = place
        play(cloth, FRAMES)


def findings(obj):
    """What is said about colliders."""
    return sections.findings(Where(obj, bpy.context.scene, bpy.context.evaluated_depsgraph_get()))


def hidden_block(cloth):
    collider(block()).hide_set(True)


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


LEFT_OUT = {
    hidden_block: "is hidden and does not collide",
    without_faces: "has no faces and does not collide",
    flattened: "scale 1, 1, 0 flattens it",
    nowhere: "its place is no number",
    an_empty_collection: "has Collision physics",
    not_in_the_chosen_collection: "has Collision physics",
}


@pytest.mark.parametrize(
    ("build", "said"), LEFT_OUT.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_what_does_not_collide_is_told_and_left_out(build, said, scene):
    cloth = dropped(build)
    found, problems = findings(cloth)
    assert not found
    assert len(problems) == 1 and "'Block'" in problems[0] and said in problems[0]
    shown = play(cloth, FRAMES)
    cloth.hooke.collisions = False
    assert same_bits(play(cloth, FRAMES), shown)


def self_intersecting(cloth):
    a, b = block("One"), block("Two")
    b.location = 0.2, 0.1, -0.4
    bpy.context.view_layer.update()
    activate(a)
    b.select_set(True)
    bpy.ops.object.join()
    collider(a).name = "Block"


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


@pytest.mark.parametrize("shape", ["AUTO", "PLANE", "SPHERE", "CAPSULE", "BOX", "MESH", "DEFORMING"])
@pytest.mark.parametrize(
    "build",
    [self_intersecting, open_mesh, one_triangle, without_area, around_the_cloth, infinite],
    ids=lambda build: build.__name__,
)
def test_an_unusual_mesh_collides_or_is_refused_with_its_name(build, shape, scene):
    cloth = dropped(build)
    bpy.data.objects["Block"].hooke_collider.shape = shape
    shown = play(cloth, range(1, 7))
    assert np.isfinite(np.array(list(shown.values()))).all()
    assert "strain" in status(cloth) or "'Block'" in status(cloth)
    if "strain" not in status(cloth):
        assert same_bits(shown[6], shown[1])


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
    wave.height, wave.time_offset = 0.2, -10.0
    said = []
    for frame in FRAMES:
        play(cloth, [frame])
        said.append(status(cloth))
    assert "The rigid shape of 'Block' changed: waits for frame 1 to start again" in said
    assert "strain" not in said[-1]


def test_two_simulated_objects_that_wait_for_each_other_are_refused(scene):
    cloth = dropped(another_sheet)
    below = bpy.data.objects["Below"]
    collider(cloth)
    below.hooke.collisions = True
    bpy.context.view_layer.update()
    play(cloth, range(1, 4))
    for obj in (cloth, below):
        assert "'Cloth'" in status(obj) and "'Below'" in status(obj) and "Collisions" in status(obj)
    below.hooke.collisions = False
    play(cloth, range(1, 4))
    assert "strain" in status(cloth) and "strain" in status(below)


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
        ["'Cloth' has no vertex group 'Rough', so that friction is the same everywhere"],
    )


def test_files_from_before_collide_with_nothing(scene):
    cloth = dropped(still_block)
    for name in ("collisions", "friction", "collision_thickness"):
        cloth.hooke.property_unset(name)
    assert not cloth.hooke.collisions
    assert findings(cloth) == ([], [])
    assert readout.status(cloth)

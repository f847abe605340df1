# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing stale is shown as valid: a collider that moves, changes, joins or leaves; and what cannot collide is told."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .colliding import another_sheet, assert_no_frames_are_taken_up, block, collider, dropped, still_block
from .scenes import add_hooke, fcurves, grid, play, same_bits, status, swing

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
    modifiers = bpy.data.objects["Block"].modifiers
    modifiers.new("Subdivision", "SUBSURF").levels = 1
    # Below Collision it would change nothing of what collides.
    modifiers.move(1, 0)


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


# It touches the block from the fourth on.
EARLY = range(1, 8)

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
    """A sheet 5 cm above a block, in two substeps a frame: what is asked is what is noticed."""
    cloth = dropped(still_block, air_drag=0.0, substeps=2)
    cloth.location.z = -0.15
    bpy.context.view_layer.update()
    return cloth


@pytest.mark.sampled(15)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_of_a_collider_makes_frames_stale(change, cloth, scene):
    before = play(cloth, EARLY)
    scene.frame_set(4)
    change(scene)
    bpy.context.view_layer.update()
    # At once, in the frame that is shown.
    assert "Tuned live since frame 4" in status(cloth)
    assert sessions.find(cloth).cached == 0
    again = play(cloth, EARLY)
    assert "strain" in status(cloth)
    assert np.abs(again[EARLY[-1]] - before[EARLY[-1]]).max() > 1e-5
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, EARLY), again)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("change", [removed, hidden, turned_off], ids=lambda change: change.__name__)
def test_what_leaves_is_named_at_once(change, cloth, scene):
    play(cloth, EARLY)
    change(scene)
    bpy.context.view_layer.update()
    said = "is hidden and does not collide" if change is hidden else "was removed"
    assert status(cloth).startswith(f"'Block' {said}. Tuned live since frame")


@pytest.mark.sampled(12)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_while_it_plays_is_told_of(change, cloth, scene):
    play(cloth, range(1, 5))
    with sessions.paused():
        change(scene)
        bpy.context.view_layer.update()
    scene.frame_set(5)
    if change is moved or change is turned:
        # It moved from one frame to the next: so it may; the frames before are found stale when they are shown.
        scene.frame_set(3)
    told = ("go to frame 1", "tuned live", "'block' changes its size")
    assert any(words in status(cloth).lower() for words in told)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_whose_colliders_changed_does_not_take_up_its_frames(change, cloth, scene, tmp_path):
    play(cloth, EARLY)
    scene.frame_set(4)
    assert_no_frames_are_taken_up(change, scene, tmp_path / "cloth.blend", EARLY[-1])


def test_a_collider_that_comes_back_makes_its_frames_good_again(cloth, scene):
    live = play(cloth, FRAMES)
    bpy.data.objects["Block"].location.z = -0.4
    bpy.context.view_layer.update()
    assert "Tuned live since frame 12" in status(cloth)
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


# The sheet below has caught it by the sixth.
CAUGHT = range(1, 10)


def below_moved(below):
    below.location.z -= 0.1


def below_weightless(below):
    below.hooke.gravity_weight = 0.0


def below_edited(below):
    below.data.vertices[12].co.z += 0.1
    below.data.update()


def below_hidden(below):
    below.hide_set(True)


@pytest.mark.nightly
@pytest.mark.parametrize("change", [below_moved, below_weightless, below_edited, below_hidden])
def test_a_change_of_a_simulated_collider_makes_frames_stale(change, scene):
    cloth = dropped(another_sheet, air_drag=0.0, substeps=1)
    before = play(cloth, CAUGHT)
    scene.frame_set(1)
    change(bpy.data.objects["Below"])
    bpy.context.view_layer.update()
    again = play(cloth, CAUGHT)
    assert sessions.find(cloth).take.simulated == 2 * 8
    assert np.abs(again[9] - before[9]).max() > 1e-4
    for obj in sessions.simulated_objects(scene):
        sessions.reset(obj)
    assert same_bits(play(cloth, CAUGHT), again)


@pytest.mark.nightly
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

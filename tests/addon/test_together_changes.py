# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that collide with each other are stale together, and what hinders one is told by its name."""

import bpy
import pytest

from hooke.addon.play import inventory, sessions

from .colliding import assert_no_frames_are_taken_up, block, collider
from .pairs import FRAMES, play_all, sheets, simulated
from .scenes import (
    activate,
    add_hooke,
    bake,
    grid,
    play,
    same_bits,
    status,
)


def a_collider_of_one_moved(scene):
    bpy.data.objects["Block"].location.x += 0.1


def a_setting(scene):
    bpy.data.objects["Below"].hooke.friction = 0.9


def another_thickness(scene):
    bpy.data.objects["Below"].collision.thickness_outer = 0.1


def moved(scene):
    bpy.data.objects["Below"].location.z = -0.3


def mesh_edited(scene):
    data = bpy.data.objects["Below"].data
    data.vertices[20].co.z += 0.05
    data.update()


def pins_painted(scene):
    obj = bpy.data.objects["Below"]
    obj.vertex_groups["Pin"].add([10], 1.0, "REPLACE")
    obj.data.update()


def removed(scene):
    bpy.data.objects.remove(bpy.data.objects["Below"])


def hidden(scene):
    bpy.data.objects["Below"].hide_set(True)


def baked(scene):
    bake(bpy.data.objects["Below"])


def hooke_removed(scene):
    activate(bpy.data.objects["Below"])
    bpy.ops.hooke.remove()


def collisions_off(scene):
    bpy.data.objects["Below"].hooke.collisions = False


def physics_off(scene):
    bpy.data.objects["Below"].collision.use = False


def one_more(scene):
    more = add_hooke(grid(side=4, name="More", pins={}), substeps=1)
    more.location.z = 0.2
    collider(more)


def another_collection(scene):
    other = bpy.data.collections.new("Other")
    scene.collection.children.link(other)
    bpy.data.objects["Below"].hooke.collision_collection = other


# They touch in the last.
LAST = 3
EARLY = range(1, LAST + 1)


@pytest.fixture
def near_pair(scene):
    """Two sheets nearer to each other than elsewhere, and in one substep a frame: what is asked is who notices what."""
    cloth, below = sheets(substeps=1)
    below.location.z = -0.06
    bpy.context.view_layer.update()
    return cloth, below


CHANGES = (
    a_collider_of_one_moved,
    a_setting,
    another_thickness,
    moved,
    mesh_edited,
    pins_painted,
    removed,
    hidden,
    baked,
    hooke_removed,
    collisions_off,
    physics_off,
    one_more,
    another_collection,
)


@pytest.mark.sampled(6)
@pytest.mark.newest
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_of_one_makes_frames_of_the_other_stale(change, near_pair, scene):
    cloth, _ = near_pair
    collider(block(height=-0.7))
    bpy.context.view_layer.update()
    play_all(near_pair, EARLY)
    scene.frame_set(LAST - 1)
    change(scene)
    bpy.context.view_layer.update()
    scene.frame_set(LAST)
    assert "go to frame 1" in status(cloth).lower(), status(cloth)
    play(cloth, EARLY)
    again = play(cloth, EARLY)
    assert "strain" in status(cloth), status(cloth)
    for obj in sessions.simulated_objects(scene):
        sessions.reset(obj)
    assert same_bits(play(cloth, EARLY), again)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "change", [change for change in CHANGES if change is not baked], ids=lambda change: change.__name__
)
def test_a_file_where_one_changed_does_not_take_up_frames(change, near_pair, scene, tmp_path):
    collider(block(height=-0.7))
    bpy.context.view_layer.update()
    play_all(near_pair, EARLY)
    scene.frame_set(LAST - 1)
    assert_no_frames_are_taken_up(change, scene, tmp_path / "cloth.blend", LAST)


def test_what_changed_is_named(pair, scene):
    cloth, below = pair
    play_all(pair, range(1, 4))
    below.data.vertices[20].co.z += 0.05
    below.data.update()
    bpy.context.view_layer.update()
    assert status(cloth) == "'Below' changed: go to frame 1, and play"
    assert status(below) == "The mesh changed: go to frame 1, and play"
    below.data.vertices[20].co.z -= 0.05
    below.data.update()
    bpy.context.view_layer.update()


@pytest.mark.newest
def test_another_name_is_no_change(pair):
    live = play_all(pair, EARLY)
    for obj, name in zip(pair, ("Zebra", "Aardvark"), strict=True):
        obj.name = name
    bpy.context.view_layer.update()
    assert all("strain" in status(obj) for obj in pair)
    shown = play_all(pair, FRAMES)
    assert same_bits({frame: shown["Zebra"][frame] for frame in EARLY}, live["Cloth"])
    assert simulated(pair) == [11, 11]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("frame_start", 3, "the first frame is 1 of 'Cloth' and 3 of 'Below'"),
        ("frame_end", 90, "the last frame is 12 of 'Cloth' and 90 of 'Below'"),
        ("time_scale", 0.5, "Time Scale is 1 of 'Cloth' and 0.5 of 'Below'"),
        ("pre_roll", 4, "Pre-Roll is 0 of 'Cloth' and 4 of 'Below'"),
        ("gravity_weight", 0.0, "Gravity is 1 of 'Cloth' and 0 of 'Below'"),
        ("integrator", "VERLET", "Integrator is Projective Dynamics of 'Cloth' and Verlet of 'Below'"),
        ("effort", "FINE", "Quality is Draft of 'Cloth' and Fine of 'Below'"),
    ],
)
def test_what_must_be_the_same_is_told_with_its_values(name, value, said, pair):
    setattr(pair[1].hooke, name, value)
    play_all(pair, range(1, 5))
    for obj in pair:
        assert said in status(obj) and "give both the same, or turn off Collisions of one" in status(obj)
    activate(pair[0])
    with pytest.raises(RuntimeError, match=said):
        bpy.ops.hooke.bake()
    setattr(pair[1].hooke, name, getattr(pair[0].hooke, name))
    play_all(pair, range(1, 4))
    assert all("strain" in status(obj) for obj in pair)


def test_what_is_tuned_live_is_no_longer_where_it_collides_with_another(pair):
    """The tuned frames are of one alone; those of both wait for the start."""
    cloth, below = pair
    below.hooke.collisions = False
    play_all(pair, EARLY)
    cloth.hooke.friction = 0.9
    play_all(pair, [LAST + 1])
    assert "uned live" in status(cloth)
    below.hooke.collisions = True
    play_all(pair, [LAST + 2])
    assert all("go to frame 1" in status(obj) for obj in pair)
    play_all(pair, EARLY)
    assert all("strain" in status(obj) for obj in pair)


def test_what_is_stale_is_told_without_simulating(pair, scene):
    _cloth, below = pair
    play_all(pair, range(1, 4))
    told = {entry["object"]: entry["cache"] for entry in inventory.inventory()["objects"]}
    assert [told[obj.name]["stale"] for obj in pair] == [[], []]
    below.data.vertices[20].co.z += 0.05
    below.data.update()
    told = {entry["object"]: entry["cache"] for entry in inventory.inventory()["objects"]}
    assert [told[obj.name]["stale"] for obj in pair] == [["'Below'"], ["the mesh", "the pose that enters"]]


def test_a_broken_one_hinders_those_it_collides_with_by_its_name(pair):
    below = pair[1]
    below.data.vertices[3].co.x = float("nan")
    play_all(pair, range(1, 4))
    for obj in pair:
        assert "'Below' has a vertex without finite coordinates" in status(obj)

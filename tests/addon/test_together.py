# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated objects that collide with each other: simulated as one, each with its own frames, stale together."""

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import ranges, sessions

from .colliding import block, collider, floor, mesh
from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    clear_bake,
    evaluated_world_positions,
    grid,
    key_positions,
    play,
    same_bits,
    simulated_positions,
    status,
    swing,
)

FRAMES = range(1, 13)


def sheets(**settings):
    """A free sheet that falls onto a moving one which is pinned at its corners, each a collider of the other."""
    cloth = add_hooke(grid(side=9, pins={}), **settings)
    below = grid(side=7, name="Below", pins={0: 1.0, 6: 1.0, 42: 1.0, 48: 1.0, 24: 0.5})
    below.location.z = -0.2
    swing(below, distance=0.2)
    add_hooke(below, pin_stiffness=5.0, **settings)
    for obj in (cloth, below):
        collider(obj)
    bpy.context.view_layer.update()
    return cloth, below


@pytest.fixture
def pair(scene):
    """The free sheet and the one below it, not yet simulated."""
    return sheets()


def play_all(objects, frames):
    """Shown positions of each object by frame."""
    shown = {obj.name: {} for obj in objects}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        for obj in objects:
            shown[obj.name] |= play(obj, [frame])
    return shown


def all_same(one, other):
    return all(same_bits(one[name], other[name]) for name in one)


def some(shown, frames):
    return {name: {frame: of[frame] for frame in frames} for name, of in shown.items()}


def reset_all(objects):
    for obj in objects:
        sessions.reset(obj)


def simulated(objects):
    return [sessions.find(obj).take.simulated for obj in objects]


def test_each_is_moved_by_the_other(pair):
    shown = play_all(pair, FRAMES)
    assert all("strain" in status(obj) for obj in pair)
    # Nothing passes: in the middle the upper one lies on the lower one.
    upper, lower = (evaluated_world_positions(obj) for obj in pair)
    assert upper[40, 2] > lower[24, 2]
    cloth, below = pair
    below.hooke.collisions = False
    assert np.abs(play_all(pair, FRAMES)["Below"][12] - shown["Below"][12]).max() > 0.02
    cloth.hooke.collisions = False
    assert np.abs(play_all(pair, FRAMES)["Cloth"][12] - shown["Cloth"][12]).max() > 0.05


def test_they_share_one_simulation(pair):
    play_all(pair, FRAMES[:-1])
    one, other = (sessions.find(obj).simulation for obj in pair)
    assert one._group is other._group
    steps = []
    step = one._group.simulation.step
    one._group.simulation.step = lambda targets: steps.append(1) or step(targets)
    bpy.context.scene.frame_set(12)
    assert len(steps) == 1
    assert simulated(pair) == [11, 11]


def test_momentum_goes_from_one_to_the_other(scene):
    """Two free sheets in no air and no gravity: the momentum of both is that of the one that moved."""
    scene.use_gravity = False
    flying = add_hooke(grid(side=7, name="Flying", pins={}), air_drag=0.0)
    resting = add_hooke(grid(side=6, name="Resting", pins={}), air_drag=0.0, density=0.3)
    flying.location.z = 0.05
    for obj in (flying, resting):
        collider(obj)
    bpy.context.view_layer.update()
    scene.frame_set(1)
    scene.frame_set(2)
    whole = sessions.find(flying).simulation._group.simulation
    masses = whole.network.masses
    # Nothing moves yet; from here on, without a past, the upper one flies down.
    assert np.abs(whole.state.v).max() < 1e-9
    snapshot = sessions.find(flying).simulation.snapshot()
    snapshot = {name: array for name, array in snapshot.items() if not name.startswith("history_")}
    snapshot["v"] = np.where(whole.bodies[:, None] == 0, (0.1, 0.0, -1.0), 0.0)
    for obj in (flying, resting):
        sessions.find(obj).simulation._at = snapshot
    momentum = masses @ snapshot["v"]
    for frame in range(3, 9):
        scene.frame_set(frame)
        np.testing.assert_allclose(masses @ whole.state.v, momentum, atol=1e-6 * np.linalg.norm(momentum))
    assert whole.state.v[whole.bodies == 1, 2].mean() < -0.1


def test_scrubbing_and_simulating_again_show_what_playback_showed(pair):
    live = play_all(pair, FRAMES)
    order = np.random.default_rng(5).permutation(FRAMES).tolist()
    assert all_same(play_all(pair, order), some(live, order))
    assert simulated(pair) == [11, 11]
    reset_all(pair)
    assert all_same(play_all(pair, FRAMES), live)


def test_each_alone_simulates_what_both_showed(pair):
    """Frames of one that is kept do not hinder those of the other, which goes on by itself."""
    live = play_all(pair, FRAMES)
    for obj in pair:
        sessions.reset(obj)
        assert all_same(play_all(pair, FRAMES), live)
    assert sorted(simulated(pair)) == [22, 22]


def cached(obj):
    """The object's cache files by their content."""
    path = cache_files.path_of(obj)
    return {file: file.read_bytes() for file in path.parent.glob(f"{path.stem}.*")}


@pytest.mark.parametrize("kept", [(7, 7), (5, 8), (8, 5), (12, 4)])
def test_a_file_that_is_opened_again_goes_on_bit_for_bit(kept, pair, tmp_path):
    """Also where Blender was killed before the frames of one were written."""
    live = play_all(pair, FRAMES)
    reset_all(pair)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    files = {}
    for obj, count in zip(pair, kept, strict=True):
        reset_all(pair)
        play_all(pair, range(1, count + 1))
        files |= cached(obj)
    bpy.ops.wm.save_mainfile()
    sessions.drop_all()
    for path, content in files.items():
        path.write_bytes(content)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    pair = [bpy.data.objects[name] for name in ("Cloth", "Below")]
    rest = range(min(kept) + 1, 13)
    assert all_same(play_all(pair, rest), some(live, rest))
    assert simulated(pair) == [12 - count for count in kept]


def test_another_process_gives_the_same_bits(pair, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    live = play_all(pair, FRAMES)
    script = Path(__file__).with_name("playback.py")
    for name in ("Cloth", "Below"):
        command = [sys.executable, script, tmp_path / "cloth.blend", name, "1-12", tmp_path / "shown.npz"]
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        with np.load(tmp_path / "shown.npz") as shown:
            assert same_bits({frame: shown[str(frame)] for frame in FRAMES}, live[name])


def test_a_render_without_a_cache_shows_the_same(pair, tmp_path):
    live = play_all(pair, FRAMES)
    reset_all(pair)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    script = Path(__file__).with_name("rendering.py")
    command = [sys.executable, script, tmp_path / "cloth.blend", "Below", "9-12", tmp_path / "shown.npz"]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "shown.npz") as shown:
        assert same_bits({f: shown[str(f)] for f in range(9, 13)}, some(live, range(9, 13))["Below"])


def test_baked_keys_are_the_live_positions(pair):
    """Of one as well as of all that are selected."""
    live = {obj.name: {} for obj in pair}
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        for obj in pair if frame > 1 else ():
            live[obj.name][frame] = simulated_positions(obj)
    reset_all(pair)
    cloth, below = pair
    bake(cloth)
    keys = [key_positions(key) for key in baked_keys(cloth)]
    assert all(same_bits(keys[frame - 1], live["Cloth"][frame]) for frame in FRAMES[1:])
    clear_bake(cloth)
    reset_all(pair)
    activate(below)
    cloth.select_set(True)
    assert bpy.ops.hooke.bake(mode="SHAPE_KEYS", selected=True) == {"FINISHED"}
    for obj in pair:
        keys = [key_positions(key) for key in baked_keys(obj)]
        assert all(same_bits(keys[frame - 1], live[obj.name][frame]) for frame in FRAMES[1:])


def test_where_the_range_of_another_begins_later_no_frame_is_lost(pair):
    """What only one of them is asked for in a render, the other one has too."""
    live = play_all(pair, FRAMES)
    reset_all(pair)
    bpy.data.objects["Below"].hide_render = True
    bpy.context.scene.frame_set(12)
    ranges.complete(bpy.context.scene)
    assert same_bits(sessions.find(pair[0]).shown.at(11), live["Cloth"][12])


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
    more = add_hooke(grid(side=4, name="More", pins={}))
    more.location.z = 0.2
    collider(more)


def another_collection(scene):
    other = bpy.data.collections.new("Other")
    scene.collection.children.link(other)
    bpy.data.objects["Below"].hooke.collision_collection = other


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


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_of_one_makes_frames_of_the_other_stale(change, pair, scene):
    cloth, _ = pair
    collider(block(height=-0.7))
    bpy.context.view_layer.update()
    play_all(pair, FRAMES)
    scene.frame_set(6)
    change(scene)
    bpy.context.view_layer.update()
    scene.frame_set(7)
    assert "waits for frame 1" in status(cloth).lower(), status(cloth)
    play(cloth, FRAMES)
    again = play(cloth, FRAMES)
    assert "strain" in status(cloth), status(cloth)
    for obj in sessions.simulated_objects(scene):
        sessions.reset(obj)
    assert same_bits(play(cloth, FRAMES), again)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_where_one_changed_does_not_take_up_frames(change, pair, scene, tmp_path):
    collider(block(height=-0.7))
    bpy.context.view_layer.update()
    play_all(pair, FRAMES)
    scene.frame_set(6)
    with sessions.paused():
        change(scene)
        bpy.context.view_layer.update()
    if change is baked:
        return
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    cloth = bpy.data.objects["Cloth"]
    play(cloth, [7])
    assert "aits for frame 1" in status(cloth)
    assert sessions.find(cloth).cached == 0


def test_what_changed_is_named(pair, scene):
    cloth, below = pair
    play_all(pair, FRAMES)
    below.data.vertices[20].co.z += 0.05
    below.data.update()
    bpy.context.view_layer.update()
    assert status(cloth) == "'Below' changed: waits for frame 1 to start from"
    assert status(below) == "The mesh changed: waits for frame 1 to start from"
    below.data.vertices[20].co.z -= 0.05
    below.data.update()
    bpy.context.view_layer.update()


def test_another_name_is_no_change(pair):
    live = play_all(pair, range(1, 7))
    for obj, name in zip(pair, ("Zebra", "Aardvark"), strict=True):
        obj.name = name
    bpy.context.view_layer.update()
    assert all("strain" in status(obj) for obj in pair)
    shown = play_all(pair, FRAMES)
    assert same_bits({frame: shown["Zebra"][frame] for frame in range(1, 7)}, live["Cloth"])
    assert simulated(pair) == [11, 11]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("frame_start", 3, "the first frame is 1 of 'Cloth' and 3 of 'Below'"),
        ("frame_end", 90, "the last frame is 12 of 'Cloth' and 90 of 'Below'"),
        ("time_scale", 0.5, "Time Scale is 1 of 'Cloth' and 0.5 of 'Below'"),
        ("pre_roll", 4, "Pre-Roll is 0 of 'Cloth' and 4 of 'Below'"),
        ("gravity_weight", 0.0, "Gravity is 1 of 'Cloth' and 0 of 'Below'"),
        ("integrator", "VERLET", "Integrator is Projective Dynamics of 'Cloth' and Verlet of 'Below'"),
        ("effort", "FINE", "Effort is Standard of 'Cloth' and Fine of 'Below'"),
    ],
)
def test_what_must_be_the_same_is_told_with_its_values(name, value, said, pair):
    setattr(pair[1].hooke, name, value)
    play_all(pair, range(1, 6))
    for obj in pair:
        assert said in status(obj) and "give both the same, or turn off Collisions of one" in status(obj)
    activate(pair[0])
    with pytest.raises(RuntimeError, match=said):
        bpy.ops.hooke.bake()
    setattr(pair[1].hooke, name, getattr(pair[0].hooke, name))
    play_all(pair, FRAMES)
    assert all("strain" in status(obj) for obj in pair)


def test_a_pre_roll_and_a_saved_pose_are_of_all(pair):
    for obj in pair:
        obj.hooke.pre_roll = 3
    rolled = play_all(pair, FRAMES)
    for obj in pair:
        obj.hooke.pre_roll = 0
    shown = play_all(pair, range(1, 16))
    # Three frames later, but that the pins moved.
    assert np.abs(rolled["Cloth"][1] - shown["Cloth"][4]).max() < 0.02
    assert np.abs(rolled["Cloth"][1] - shown["Cloth"][1]).max() > 0.02
    bpy.context.scene.frame_set(6)
    activate(pair[0])
    assert bpy.ops.hooke.save_pose() == {"FINISHED"}
    pair[0].hooke.use_saved_pose = True
    posed = play_all(pair, FRAMES)
    assert same_bits(posed["Cloth"][1], shown["Cloth"][6])
    assert same_bits(posed["Below"][1], shown["Below"][1])
    assert all("strain" in status(obj) for obj in pair)


def test_each_has_its_own_colliders_forces_and_material(scene):
    """Two that are far from each other move as they do alone, step by step without a solver to the last bit."""
    cloth, below = sheets(integrator="VERLET", substeps=50, stiffness=30.0)
    cloth.location.x = 5.0
    cloth.hooke.air_drag, cloth.hooke.density, cloth.hooke.friction = 0.5, 0.4, 0.1
    floor(cloth)
    together = play_all((cloth, below), FRAMES)
    cloth.hooke.collisions = False
    below.hooke.collisions = False
    bpy.context.view_layer.update()
    without = play_all((cloth, below), FRAMES)
    assert np.abs(together["Cloth"][12] - without["Cloth"][12]).max() > 0.05
    below.hooke.collisions = cloth.hooke.collisions = True
    for obj in (cloth, below):
        obj.modifiers.remove(obj.modifiers["Collision"])
    bpy.context.view_layer.update()
    alone = play_all((cloth, below), FRAMES)
    for obj in (cloth, below):
        assert same_bits(together[obj.name], alone[obj.name])


def test_three_of_which_two_never_meet(scene):
    """The third collides with the second alone, by their collections, and falls through the first."""
    objects = []
    for k in range(3):
        obj = grid(side=5, name="ABC"[k], pins={0: 1.0, 4: 1.0, 20: 1.0, 24: 1.0} if k == 0 else {})
        obj.location.z = 0.0 if k == 0 else 0.1 if k == 1 else 0.05
        collider(add_hooke(obj, air_drag=0.0))
        objects.append(obj)
    for name, members in (("A", "B"), ("B", "AC"), ("C", "B")):
        chosen = bpy.data.collections.new(name)
        for member in members:
            chosen.objects.link(bpy.data.objects[member])
        bpy.data.objects[name].hooke.collision_collection = chosen
    scene.collection.children.link(bpy.data.collections["B"])
    bpy.context.view_layer.update()
    play_all(objects, FRAMES)
    assert all("strain" in status(obj) for obj in objects)
    low, middle, high = (evaluated_world_positions(obj)[12, 2] for obj in objects)
    assert high < low < middle


def test_what_they_both_fall_on_is_simulated_before_them(pair, scene):
    """A net that is simulated too, collides with nothing, and was made after them."""
    net = grid(side=6, name="Net", pins={0: 1.0, 5: 1.0, 30: 1.0, 35: 1.0})
    net.location.z = -0.5
    collider(add_hooke(net, collisions=False))
    bpy.context.view_layer.update()
    order = sessions.in_turn(sessions.simulated_objects(scene), scene, bpy.context.evaluated_depsgraph_get())
    assert [obj.name for obj in order] == ["Net", "Cloth", "Below"]
    live = play_all((*pair, net), FRAMES)
    assert all("strain" in status(obj) for obj in pair)
    reset_all((*pair, net))
    activate(pair[1])
    bake(pair[1])
    assert same_bits(key_positions(baked_keys(pair[1])[11]), live["Below"][12])


def test_a_broken_one_hinders_those_it_collides_with_by_its_name(pair):
    below = pair[1]
    below.data.vertices[3].co.x = float("nan")
    play_all(pair, range(1, 4))
    for obj in pair:
        assert "'Below' has 1 vertices without finite coordinates" in status(obj)


def test_what_is_far_apart_may_still_be_mesh_and_rope(scene):
    """A rope has no faces: it collides with nothing, and says so."""
    rope = mesh("Rope", [(0, 0, 0.1 * k) for k in range(5)], [])
    rope.data.edges.add(4)
    for k in range(4):
        rope.data.edges[k].vertices = (k, k + 1)
    collider(add_hooke(rope))
    cloth = collider(add_hooke(grid(side=5)))
    bpy.context.view_layer.update()
    play_all((rope, cloth), range(1, 4))
    assert "strain" in status(cloth)
    problems = sessions.findings(cloth, scene, bpy.context.evaluated_depsgraph_get())[1]
    assert len(problems) == 1 and "'Rope' has no faces" in problems[0]

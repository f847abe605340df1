# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated objects that collide with each other move each other, each as itself."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .colliding import ball, collider, floor, mesh
from .pairs import FRAMES, pierced, play_all, reset_all, sheets, simulated
from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    evaluated_world_positions,
    grid,
    key_positions,
    same_bits,
    status,
)


@pytest.mark.newest
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


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("both", [False, True], ids=["the outer alone collides", "each with the other"])
def test_layers_on_a_ball_do_not_pass_through_each_other(both, scene):
    """An inner sheet on a ball, and an outer one that falls onto it, as they are added."""
    scene.frame_end = 16
    collider(ball(radius=0.6, height=-0.7))
    inner, outer = (add_hooke(grid(side=13, name=name, pins={})) for name in ("Inner", "Outer"))
    outer.location.z, outer.rotation_euler.z = 0.1, 0.4
    for obj in (inner, outer) if both else (inner,):
        collider(obj)
    bpy.context.view_layer.update()
    for frame in range(1, 17):
        scene.frame_set(frame)
        if both:
            assert pierced(inner, outer) == pierced(outer, inner) == 0
        # Where one alone is moved by the other, corners of that one poke through its wide faces.
        low, high = (evaluated_world_positions(obj)[84, 2] for obj in (inner, outer))
        assert high > low + 0.005
    assert all("strain" in status(obj) for obj in (inner, outer))
    # They hang over it, and have not slid off.
    assert all(-0.2 < evaluated_world_positions(obj)[84, 2] < 0.1 for obj in (inner, outer))


@pytest.mark.newest
def test_they_share_one_simulation(pair):
    play_all(pair, FRAMES[:-1])
    one, other = (sessions.find(obj).simulation for obj in pair)
    assert one.group is other.group
    steps = []
    step = one.group.simulation.step
    one.group.simulation.step = lambda targets: steps.append(1) or step(targets)
    bpy.context.scene.frame_set(12)
    assert len(steps) == 1
    assert simulated(pair) == [11, 11]


@pytest.mark.newest
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
    whole = sessions.find(flying).simulation.group.simulation
    masses = whole.network.masses
    # Nothing moves yet; from here on, without a past, the upper one flies down.
    assert np.abs(whole.state.v).max() < 1e-9
    snapshot = sessions.find(flying).simulation.snapshot()
    snapshot = {name: array for name, array in snapshot.items() if not name.startswith("history_")}
    snapshot["v"] = np.where(whole.bodies[:, None] == 0, (0.1, 0.0, -1.0), 0.0)
    for obj in (flying, resting):
        sessions.find(obj).simulation.now = snapshot
    momentum = masses @ snapshot["v"]
    for frame in range(3, 9):
        scene.frame_set(frame)
        np.testing.assert_allclose(masses @ whole.state.v, momentum, atol=1e-6 * np.linalg.norm(momentum))
    assert whole.state.v[whole.bodies == 1, 2].mean() < -0.1


def test_a_pre_roll_and_a_saved_pose_are_of_all(pair):
    for obj in pair:
        obj.hooke.pre_roll = 3
    rolled = play_all(pair, [1])
    for obj in pair:
        obj.hooke.pre_roll = 0
    shown = play_all(pair, range(1, 7))
    # Three frames later, but that the pins moved.
    assert np.abs(rolled["Cloth"][1] - shown["Cloth"][4]).max() < 0.02
    assert np.abs(rolled["Cloth"][1] - shown["Cloth"][1]).max() > 0.02
    bpy.context.scene.frame_set(6)
    activate(pair[0])
    assert bpy.ops.hooke.save_pose() == {"FINISHED"}
    pair[0].hooke.use_saved_pose = True
    posed = play_all(pair, [1, 2])
    assert same_bits(posed["Cloth"][1], shown["Cloth"][6])
    assert same_bits(posed["Below"][1], shown["Below"][1])
    assert all("strain" in status(obj) for obj in pair)


@pytest.mark.nightly
def test_each_has_its_own_colliders_forces_and_material(scene):
    """Two that are far from each other move as they do alone, as closely as contacts of both are solved."""
    # It is on the floor after a quarter of a second.
    cloth, below = sheets(integrator="VERLET", substeps=50, stiffness=30.0)
    cloth.location.x = 5.0
    cloth.hooke.air_drag, cloth.hooke.density, cloth.hooke.friction = 0.5, 0.4, 0.1
    floor(cloth)
    together = play_all((cloth, below), range(1, 10))
    cloth.hooke.collisions = False
    below.hooke.collisions = False
    bpy.context.view_layer.update()
    without = play_all((cloth, below), range(1, 10))
    assert np.abs(together["Cloth"][9] - without["Cloth"][9]).max() > 0.05
    below.hooke.collisions = cloth.hooke.collisions = True
    for obj in (cloth, below):
        obj.modifiers.remove(obj.modifiers["Collision"])
    bpy.context.view_layer.update()
    alone = play_all((cloth, below), range(1, 10))
    for obj in (cloth, below):
        np.testing.assert_allclose(together[obj.name][9], alone[obj.name][9], atol=2e-4)


@pytest.mark.newest
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


@pytest.mark.newest
def test_what_they_both_fall_on_is_simulated_before_them(pair, scene):
    """A net that is simulated too, collides with nothing, and was made after them."""
    # They meet from the sixth frame on.
    scene.frame_end = last = 8
    net = grid(side=6, name="Net", pins={0: 1.0, 5: 1.0, 30: 1.0, 35: 1.0})
    net.location.z = -0.5
    collider(add_hooke(net, collisions=False))
    bpy.context.view_layer.update()
    order = sessions.in_turn(sessions.simulated_objects(scene), scene, bpy.context.evaluated_depsgraph_get())
    assert [obj.name for obj in order] == ["Net", "Cloth", "Below"]
    live = play_all((*pair, net), range(1, last + 1))
    assert all("strain" in status(obj) for obj in pair)
    reset_all((*pair, net))
    activate(pair[1])
    bake(pair[1])
    assert same_bits(key_positions(baked_keys(pair[1])[last - 1]), live["Below"][last])


def test_a_rope_has_no_faces_and_hinders_nobody(scene):
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

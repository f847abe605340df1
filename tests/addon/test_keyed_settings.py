# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that keys and drivers change: they act from frame to frame, and every way to a frame shows the same bits."""

import bpy
import numpy as np
import pytest

from hooke.addon import sections
from hooke.addon.bakes.curves import all_fcurves
from hooke.addon.play import sessions

from .blowing import field
from .resuming import assert_resumed_and_baked_alike
from .scenes import add_hooke, grid, play, same_bits, status
from .test_all_routes_agree import rendered

LAST = 12
FRAMES = range(1, LAST + 1)


def sheet(**settings):
    return add_hooke(grid(7), air_drag=0.0, **settings)


def floating(**settings):
    return add_hooke(grid(7, pins={}), air_drag=0.0, gravity_weight=0.0, **settings)


def ball(**settings):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=0.25)
    return add_hooke(bpy.context.object, gravity_weight=0.0, **settings)


def blown():
    field("WIND", strength=20.0, flow=1.0)
    return floating(field_weight=1.0)


def thrown():
    return add_hooke(grid(7, pins={}), gravity_weight=1.0, air_drag=0.0, air_law="FLOW")


def kept():
    return ball(keep_volume=True)


def pleated():
    obj = floating()
    points = np.array([vertex.co for vertex in obj.data.vertices])
    middle = [np.abs(points[list(edge.vertices), 0]).max() < 1e-6 for edge in obj.data.edges]
    angles = obj.data.attributes.new("Pleat", "FLOAT", "EDGE")
    angles.data.foreach_set("value", np.where(middle, 120.0, 0.0).astype(np.float32))
    obj.hooke.pleats, obj.hooke.pleat_stiffness = "Pleat", 1000.0
    return obj


def jiggling():
    obj = grid(5, pins={})
    obj.location.x = 0.0
    obj.keyframe_insert("location", frame=1)
    obj.location.x = 1.0
    obj.keyframe_insert("location", frame=6)
    return add_hooke(obj, air_drag=0.0, gravity_weight=0.0, jiggle=True)


def size(positions):
    return np.ptp(positions, axis=0).max()


def height(positions):
    return positions[:, 2].mean()


def way(positions):
    return positions[:, 0].mean()


# Setting -> scene, values at the first key and at the second, and what is then true of the last frame, beside the one
# where the first value stays.
CASES = {
    "stretch_stiffness": (sheet, 5000.0, 1.0, lambda own, plain: height(own) < height(plain) - 0.01),
    "shear_stiffness": (sheet, 100.0, 5000.0, lambda own, plain: np.abs(own - plain).max() > 1e-3),
    "bending_rigidity": (sheet, 1.0, 1e5, lambda own, plain: np.abs(own - plain).max() > 1e-3),
    "damping_ratio": (sheet, 0.0, 1.0, lambda own, plain: np.abs(own - plain).max() > 1e-4),
    "rest_scale": (floating, 1.0, 0.7, lambda own, plain: size(own) < 0.8 * size(plain)),
    "pressure": (ball, 0.0, 4000.0, lambda own, plain: size(own) > 1.02 * size(plain)),
    "volume_share": (kept, 1.0, 0.5, lambda own, plain: size(own) != size(plain)),
    "jiggle_frequency": (jiggling, 1.0, 4.0, lambda own, plain: np.abs(own - plain).max() > 0.01),
    "jiggle_damping": (jiggling, 0.0, 1.0, lambda own, plain: np.abs(own - plain).max() > 0.01),
    "pleat_share": (pleated, 0.0, 1.0, lambda own, plain: np.ptp(own[:, 2]) > np.ptp(plain[:, 2]) + 0.02),
    "pin_strength": (sheet, 1.0, 0.0, lambda own, plain: own[0, 2] < plain[0, 2] - 0.1),
    "gravity_weight": (sheet, 1.0, -1.0, lambda own, plain: height(own) > height(plain) + 0.1),
    "air_drag": (thrown, 0.0, 5.0, lambda own, plain: height(own) > height(plain) + 0.05),
    "field_weight": (blown, 1.0, 0.0, lambda own, plain: way(own) < way(plain) - 0.05),
    "weight_wind": (blown, 0.0, 1.0, lambda own, plain: way(own) > way(plain) + 0.05),
}


def key(obj, name, values, frames=(1, 6)):
    for value, frame in zip(values, frames, strict=True):
        setattr(obj.hooke, name, value)
        obj.keyframe_insert(f"hooke.{name}", frame=frame)


@pytest.fixture(params=CASES)
def case(request, scene):
    """Object, setting, values, and what is true: nothing is keyed yet."""
    build, first, second, holds = CASES[request.param]
    obj = build()
    obj.hooke.frame_end = scene.frame_end = LAST
    return obj, request.param, (first, second), holds


@pytest.mark.sampled(15)
def test_what_is_keyed_acts_and_is_the_same_scrubbed_and_simulated_again(case):
    obj, name, values, holds = case
    setattr(obj.hooke, name, values[0])
    plain = play(obj, FRAMES)[LAST]
    key(obj, name, values)
    live = play(obj, FRAMES)
    assert "stopped" not in status(obj) and "tuned" not in status(obj)
    assert holds(live[LAST], plain)
    assert same_bits(play(obj, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, FRAMES), live)


@pytest.mark.nightly
def test_what_is_keyed_is_baked_and_resumed_to_the_same_bits(case, tmp_path):
    obj, name, values, _ = case
    key(obj, name, values)
    assert_resumed_and_baked_alike(obj, play(obj, FRAMES), tmp_path)


@pytest.mark.nightly
def test_what_is_keyed_is_rendered_as_it_is_live(scene, tmp_path):
    obj = ball()
    obj.hooke.frame_end = scene.frame_end = LAST
    key(obj, "pressure", (0.0, 4000.0))
    seen = rendered(obj, tmp_path)
    assert same_bits(seen, play(obj, FRAMES))


def test_every_animatable_setting_is_tried_or_a_weight_like_the_wind_s():
    others = {name for name in sections.animatable() if name.startswith("weight_")} | {"line_stiffness"}
    assert set(sections.animatable()) <= set(CASES) | others


def test_other_keys_make_frames_stale(scene):
    obj = sheet()
    key(obj, "gravity_weight", (1.0, 1.0))
    before = play(obj, FRAMES)
    key(obj, "gravity_weight", (1.0, -1.0))
    after = play(obj, FRAMES)
    assert height(after[LAST]) > height(before[LAST]) + 0.1


def test_a_driver_acts_as_keys_do(scene):
    obj = floating()
    obj.hooke.frame_end = LAST
    driver = obj.driver_add("hooke.rest_scale").driver
    driver.expression = "1 - 0.05 * min(frame - 1, 6)"
    scene.frame_set(1)
    live = play(obj, FRAMES)
    assert size(live[LAST]) < 0.8 * size(live[1])
    assert same_bits(play(obj, reversed(FRAMES)), live)


def test_gravity_keyed_to_nothing_lets_go_on_evenly(scene):
    obj = thrown()
    obj.hooke.frame_end = LAST
    curve = [(1, 1.0), (5, 1.0), (6, 0.0)]
    for frame, value in curve:
        obj.hooke.gravity_weight = value
        obj.keyframe_insert("hooke.gravity_weight", frame=frame)
    shown = play(obj, FRAMES)
    steps = np.diff([height(shown[frame]) for frame in FRAMES])
    # Free fall for four frames, and then straight on.
    fall = -9.81 * (np.arange(1, 5) - 0.5) / 24.0**2
    # The first substep is of first order.
    np.testing.assert_allclose(steps[1:4], fall[1:], rtol=0.01)
    np.testing.assert_allclose(steps[6:], steps[6], rtol=1e-3)


def test_what_is_let_go_by_a_key_falls_at_g_from_that_frame(scene):
    obj = add_hooke(grid(5, pins=dict.fromkeys(range(25), 1.0)), air_drag=0.0)
    obj.hooke.frame_end = LAST
    for frame, value in ((1, 1.0), (5, 1.0), (6, 0.0)):
        obj.hooke.pin_strength = value
        obj.keyframe_insert("hooke.pin_strength", frame=frame)
    step_keys(obj)
    shown = play(obj, FRAMES)
    heights = np.array([height(shown[frame]) for frame in FRAMES])
    assert (heights[:6] == 0.0).all()
    t = np.arange(LAST - 5) / 24.0
    np.testing.assert_allclose(heights[5:], -0.5 * 9.81 * t**2, atol=9.81 / 72.0**2)


def test_what_is_taken_hold_of_stays_where_it_is(scene):
    obj = add_hooke(grid(5, pins=dict.fromkeys(range(25), 1.0)), air_drag=0.0, pin_time=0.0)
    obj.hooke.frame_end = LAST
    for frame, value in ((1, 0.0), (6, 1.0)):
        obj.hooke.pin_strength = value
        obj.keyframe_insert("hooke.pin_strength", frame=frame)
    step_keys(obj)
    shown = play(obj, FRAMES)
    assert height(shown[6]) < -0.1
    np.testing.assert_allclose(shown[LAST], shown[6], atol=1e-6)


def test_keyed_pins_of_what_is_filled_are_refused(scene):
    obj = ball()
    obj.hooke.fill_stiffness = 100.0
    key(obj, "pin_strength", (1.0, 0.0))
    play(obj, range(1, 4))
    assert "is filled, so keys on its Pin Strength cannot act" in status(obj)


def step_keys(obj):
    for curve in all_fcurves(obj.animation_data):
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"


def test_pressure_keyed_makes_no_new_factor(scene):
    obj = ball()
    key(obj, "pressure", (100.0, 1000.0), (1, LAST))
    play(obj, range(1, 4))
    factor = sessions.find(obj).simulation.integrator.matrix
    play(obj, range(4, 8))
    assert sessions.find(obj).simulation.integrator.matrix is factor


def test_what_collides_with_another_is_keyed_by_itself(scene):
    one, other = ball(), grid(5)
    other.location.z = 3.0
    add_hooke(other)
    for obj in (one, other):
        obj.modifiers.new("Collision", "COLLISION")
        obj.hooke.gravity_weight = 0.0
        obj.hooke.frame_end = LAST
    key(one, "pressure", (0.0, 4000.0))
    for frame in FRAMES:
        scene.frame_set(frame)
    assert sessions.find(one).simulation.system.network.pressure.max() == pytest.approx(4000.0)
    assert "stopped" not in status(one)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that are mapped: they differ from place to place, from a minimum to a maximum, together with their keys."""

import bpy
import numpy as np
import pytest

from hooke.addon import mesh_io, sections
from hooke.addon.play import sessions
from hooke.addon.sections.maps import MAPPED, factor

from .directing import FRAMES, LAST
from .scenes import add_hooke, grid, pin, play, same_bits, status

SIDE = 5
# Weights of the sheet's vertices: 0 in the first column and 1 in the last.
WEIGHTS = np.tile(np.linspace(0.0, 1.0, SIDE), SIDE)


def painted(obj, name="Painted"):
    pin(obj, dict(enumerate(WEIGHTS.tolist())), name)
    return obj


def attribute(obj, name="Painted"):
    values = obj.data.attributes.new(name, "FLOAT", "POINT")
    values.data.foreach_set("value", WEIGHTS)
    return obj


def sheet(**settings):
    return add_hooke(grid(SIDE), air_drag=0.0, **settings)


def mapped_sheet(mapped, paint=painted, least=2.0, most=4.0, **settings):
    obj = paint(sheet(**settings))
    for name, value in zip((mapped.group, *mapped.factors), ("Painted", least, most), strict=True):
        setattr(obj.hooke, name, value)
    return obj


def network(obj):
    play(obj, FRAMES[:2])
    assert "stopped" not in status(obj)
    return sessions.find(obj).network


def over_edges(values, edges):
    return values[edges].mean(axis=1)


@pytest.mark.parametrize("paint", [painted, attribute])
@pytest.mark.parametrize("mapped", MAPPED.values(), ids=MAPPED)
def test_factors_go_from_the_minimum_to_the_maximum(mapped, paint, scene):
    obj = mapped_sheet(mapped, paint)
    found = factor(obj.hooke, sections.read_maps(obj), mapped.id)
    np.testing.assert_allclose(found, 2.0 + 2.0 * WEIGHTS, rtol=1e-6)
    setattr(obj.hooke, mapped.group, "Gone")
    assert factor(obj.hooke, sections.read_maps(obj), mapped.id) == 1.0


def test_what_may_not_be_nothing_keeps_a_hundredth(scene):
    obj = mapped_sheet(MAPPED["stretch"], least=0.0, most=0.0)
    np.testing.assert_array_equal(factor(obj.hooke, sections.read_maps(obj), "stretch"), 0.01)
    assert network(obj).stiffness.min() > 0.0


def test_stretch_and_shear_of_every_spring(scene):
    plain = network(sheet(shear_stiffness=0.0))
    obj = mapped_sheet(MAPPED["stretch"], shear_stiffness=0.0)
    own = network(obj)
    # Those across the weights have one weight at both ends; each of the others the mean of its own.
    expected = plain.stiffness * over_edges(2.0 + 2.0 * WEIGHTS, own.edges)
    np.testing.assert_allclose(own.stiffness, expected, rtol=1e-6)
    np.testing.assert_array_equal(own.masses, plain.masses)


def test_the_density_of_every_face_s_corner(scene):
    plain, own = network(sheet()), network(mapped_sheet(MAPPED["density"]))
    np.testing.assert_allclose(own.masses, plain.masses * (2.0 + 2.0 * WEIGHTS), rtol=1e-6)
    np.testing.assert_allclose(own.stiffness, plain.stiffness)


def test_bending_and_damping(scene):
    plain, own = (
        network(sheet(damping_ratio=0.1)),
        network(mapped_sheet(MAPPED["bending"], damping_ratio=0.1)),
    )
    ratio = own.stencils.stiffness / plain.stencils.stiffness
    assert ratio.min() > 2.0 and ratio.max() < 4.0 and np.ptp(ratio) > 1.0
    own = network(mapped_sheet(MAPPED["damping"], damping_ratio=0.1))
    expected = plain.damping * over_edges(2.0 + 2.0 * WEIGHTS, own.edges)
    np.testing.assert_allclose(own.damping, expected, rtol=1e-6)


def test_lengths_at_rest(scene):
    plain, own = network(sheet()), network(mapped_sheet(MAPPED["rest_scale"], least=1.0, most=0.5))
    expected = plain.rest_lengths * over_edges(1.0 - 0.5 * WEIGHTS, own.edges)
    np.testing.assert_allclose(own.rest_lengths, expected, rtol=1e-6)


def test_the_pressure_on_every_face(scene):
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(1.0, 2.0, 3.0))
    obj = add_hooke(bpy.context.object, air_drag=0.0, gravity_weight=0.0, pressure=1.0)
    heights = (np.array([vertex.co.z for vertex in obj.data.vertices]) > 0.0).astype(float)
    pin(obj, dict(enumerate(heights.tolist())), "Painted")
    obj.hooke.pin_group, obj.hooke.pressure_group = "", "Painted"
    obj.hooke.pressure_minimum, obj.hooke.pressure_maximum = 2.0, 4.0
    own = network(obj)
    factors = 2.0 + 2.0 * heights[own.enclosures.triangles].mean(axis=1)
    np.testing.assert_allclose(own.enclosures.factor, factors, rtol=1e-6)
    # Of a pressure that grows by 2 Pa from bottom to top, over the area of 0.04 m^2.
    x, pushed = own.points, np.zeros((3, 8))
    own.enclosure_operators.add_gradient(np.ascontiguousarray(x.T), pushed)
    pushed = own.enclosure_operators.uneven(x) - pushed.T
    np.testing.assert_allclose(pushed.sum(axis=0), [0.0, 0.0, 0.08], atol=1e-8)


def test_what_is_pinned_by_a_group_and_a_map(scene):
    obj = mapped_sheet(MAPPED["pin_strength"], least=0.0, most=1.0)
    assert network(obj).pins.tolist() == [0.0, 0.0, 0.0, 0.0, 1.0] + 20 * [0.0]
    shown = play(obj, FRAMES)
    assert shown[LAST][0, 2] < -0.1 and shown[LAST][4, 2] == 0.0


def test_an_attribute_pins(scene):
    obj = attribute(sheet())
    obj.hooke.pin_group = "Painted"
    np.testing.assert_allclose(network(obj).pins, WEIGHTS, rtol=1e-6)
    assert "Pin" not in status(obj)


@pytest.mark.parametrize("name", ["stretch", "density", "rest_scale", "bending"])
def test_an_edited_attribute_or_factor_makes_frames_stale(name, scene):
    # Soft, so that a step carries all of it.
    obj = mapped_sheet(MAPPED[name], attribute, least=1.0, most=2.0, stretch_stiffness=20.0)
    obj.hooke.frame_end = LAST
    before = play(obj, FRAMES)
    setattr(obj.hooke, f"{name}_maximum", 30.0)
    after = play(obj, FRAMES)
    assert not same_bits(after, before)
    obj.data.attributes["Painted"].data[12].value = 0.0
    obj.data.update()
    assert not same_bits(play(obj, FRAMES), after)


def test_what_is_mapped_is_keyed_as_well(scene):
    obj = mapped_sheet(MAPPED["stretch"], shear_stiffness=0.0)
    plain = network(sheet(shear_stiffness=0.0, stretch_stiffness=1000.0))
    for frame, value in ((1, 5000.0), (3, 1000.0)):
        obj.hooke.stretch_stiffness = value
        obj.keyframe_insert("hooke.stretch_stiffness", frame=frame)
    play(obj, FRAMES[:5])
    own = sessions.find(obj).network
    np.testing.assert_allclose(
        own.stiffness, plain.stiffness * over_edges(2.0 + 2.0 * WEIGHTS, own.edges), rtol=1e-6
    )


def test_lengths_that_are_mapped_are_keyed_as_well(scene):
    plain = network(sheet())
    obj = mapped_sheet(MAPPED["rest_scale"], least=1.0, most=0.5)
    for frame, value in ((1, 1.0), (3, 0.8)):
        obj.hooke.rest_scale = value
        obj.keyframe_insert("hooke.rest_scale", frame=frame)
    play(obj, FRAMES[:5])
    own = sessions.find(obj).network
    expected = 0.8 * plain.rest_lengths * over_edges(1.0 - 0.5 * WEIGHTS, own.edges)
    np.testing.assert_allclose(own.rest_lengths, expected, rtol=1e-6)


def test_groups_and_attributes_are_offered(scene):
    obj = attribute(sheet())
    obj.data.attributes.new("Colour", "FLOAT_COLOR", "POINT")
    assert mesh_io.weight_names(obj) == ["Pin", "Painted"]

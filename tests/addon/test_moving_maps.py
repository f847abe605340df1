# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps that modifiers change act in every frame with what they are there, or say that they do not."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions
from hooke.addon.sections.maps import MAPPED, Follows

from .colliding import ball, collider
from .directing import FRAMES, LAST, fading, storing
from .scenes import add_hooke, grid, pin, play, status
from .test_maps import WEIGHTS, mapped_sheet, network, over_edges, sheet

AT = 5
# What is left of the weights in the last frame played: the mix takes them evenly until the last of the range.
LEFT = 1.0 - (AT - 1) / (LAST - 1)


def factors(left=LEFT):
    return 2.0 + 2.0 * left * WEIGHTS


def played(name, **settings):
    """The simulation of a sheet with a fading map, at a frame."""
    obj = mapped_sheet(MAPPED[name], **settings)
    fading(obj)
    play(obj, range(1, AT + 1))
    assert "stopped" not in status(obj)
    return sessions.find(obj).simulation


def test_stretch_bending_and_damping_are_remade():
    plain = network(sheet(damping_ratio=0.1, shear_stiffness=0.0))
    own = played("stretch", shear_stiffness=0.0).network
    np.testing.assert_allclose(own.stiffness, plain.stiffness * over_edges(factors(), own.edges), rtol=1e-6)
    own = played("damping", damping_ratio=0.1, shear_stiffness=0.0).network
    np.testing.assert_allclose(own.damping, plain.damping * over_edges(factors(), own.edges), rtol=1e-6)
    ratio = played("bending").network.stencils.stiffness / plain.stencils.stiffness
    assert factors().min() < ratio.min() and ratio.max() < factors().max()


def test_lengths_at_rest_shrink_as_the_map_has_it():
    plain, own = network(sheet()), played("rest_scale").network
    np.testing.assert_allclose(
        own.rest_lengths, plain.rest_lengths * over_edges(factors(), own.edges), rtol=1e-6
    )


@pytest.mark.parametrize("name", ["friction", "thickness"])
def test_what_meets_a_collider_has_what_the_map_has_there(name, scene):
    collider(ball(radius=0.5, height=-2.0))
    simulation = played(name, collisions=True, friction=0.5, collision_thickness=0.01)
    (contact,) = simulation.system.contacts.made_of[1]
    usual = {"friction": 0.5, "thickness": 0.01 + 0.02}[name]
    found = getattr(contact, name) - (0.02 if name == "thickness" else 0.0)
    expected = factors() * (usual - (0.02 if name == "thickness" else 0.0))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_what_meets_itself_keeps_what_the_map_has_there(scene):
    simulation = played("self_distance", self_collision=True, self_distance=0.005)
    (contact,) = simulation.system.contacts.made_of[1]
    np.testing.assert_allclose(contact.thickness, 0.005 * factors(), rtol=1e-5)


def test_pins_have_the_strength_of_the_frame(scene):
    obj = mapped_sheet(MAPPED["pin_strength"], least=0.0, most=1.0)
    pin(obj, dict.fromkeys(range(25), 1.0))
    fading(obj)
    play(obj, range(1, AT + 1))
    # The step to a frame has the weights of the one before.
    np.testing.assert_allclose(sessions.find(obj).network.pins, WEIGHTS * (1.0 - 3 / 11), atol=1e-6)


def test_the_pressure_on_every_face(scene):
    bpy.ops.mesh.primitive_cube_add(size=0.2)
    obj = add_hooke(bpy.context.object, gravity_weight=0.0, pressure=1.0)
    obj.hooke.pin_group = ""
    pin(obj, dict.fromkeys(range(8), 1.0), "Painted")
    obj.hooke.pin_group, obj.hooke.pressure_group = "", "Painted"
    fading(obj)
    play(obj, range(1, AT + 1))
    np.testing.assert_allclose(sessions.find(obj).network.enclosures.factor, LEFT, rtol=1e-6)


def test_density_is_what_it_is_at_the_start_and_says_so(scene):
    plain, obj = network(sheet()), mapped_sheet(MAPPED["density"])
    fading(obj, values=(0.5, 1.0))
    play(obj, range(1, AT + 1))
    masses = sessions.find(obj).network.masses
    np.testing.assert_allclose(masses, plain.masses * factors(0.5), rtol=1e-6)
    assert "at the first frame hold" in " ".join(each.text for each in readout.report(obj).complaints)
    assert all("first frame" in mapped.follows.value for mapped in MAPPED.values() if _at_start(mapped))


def _at_start(mapped):
    return mapped.follows is Follows.AT_START


def test_what_nodes_alone_make_is_a_map(scene):
    obj = sheet()
    obj.hooke.rest_scale_group, obj.hooke.rest_scale_minimum, obj.hooke.rest_scale_maximum = "Made", 1.0, 0.5
    storing(obj)
    play(obj, range(1, AT + 1))
    own, plain = sessions.find(obj).network, network(sheet())
    np.testing.assert_allclose(own.rest_lengths, plain.rest_lengths * (1.0 - 0.5 * AT / 10.0), rtol=1e-6)
    assert "no vertex group" not in " ".join(each.text for each in readout.report(obj).complaints)


def test_an_edited_modifier_makes_frames_stale_and_a_new_one_begins_anew(scene):
    scene.frame_end = LAST
    obj = mapped_sheet(MAPPED["rest_scale"], least=1.0, most=0.5)
    before = play(obj, FRAMES)
    modifier = fading(obj)
    shown = play(obj, FRAMES)
    assert np.abs(shown[LAST] - before[LAST]).max() > 1e-3
    modifier.default_weight_b = 1.0
    scene.frame_set(1)
    assert np.abs(play(obj, FRAMES)[LAST] - shown[LAST]).max() > 1e-3


def test_members_of_one_simulation_follow_their_own(scene):
    scene.frame_end = LAST
    upper, lower = grid(5, name="Upper"), grid(5, name="Lower", pins=dict.fromkeys(range(25), 1.0))
    upper.location.z = 0.1
    for obj in (upper, lower):
        add_hooke(obj, collisions=True, air_drag=0.0)
        obj.modifiers.new("Collision", "COLLISION")
    pin(upper, dict(enumerate(WEIGHTS.tolist())), "Painted")
    upper.hooke.pin_group, upper.hooke.thickness_group = "", "Painted"
    upper.hooke.thickness_minimum, upper.hooke.thickness_maximum = 2.0, 4.0
    fading(upper)
    play(upper, range(1, AT + 1))
    assert "stopped" not in status(upper)
    contact = sessions.find(upper).simulation.system.contacts.made_of[1][-1]
    own = contact.thickness[:25]
    assert np.ptp(own) == pytest.approx(upper.hooke.collision_thickness * np.ptp(factors()), rel=1e-5)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Every value has its unit, whatever the scene shows lengths in; both frictions are on one scale."""

import re
from pathlib import Path

import bpy
import pytest

import hooke
from hooke.addon import sections
from hooke.addon.play.inputs import Where
from hooke.addon.sections import SECTIONS, unit_warning

from .colliding import block, collider
from .scenes import activate, add_hooke, evaluated_positions, grid, play, same_bits, status

FRAMES = range(1, 7)
DRAWN = re.compile(r'draw_quantity\(\w+, [\w.]+, "(\w+)", "([^"]+)"')
SOURCES = sorted((Path(hooke.__file__).parent / "addon" / "sections").glob("*.py"))
NUMBERS = {
    name: prop.keywords
    for section in SECTIONS
    for name, prop in section.properties.items()
    if prop.function is bpy.props.FloatProperty
}


def unit(name):
    """What a number's description gives as its unit, or ""; a share that it explains is none."""
    found = re.search(r"\[([^\]]+)\]", NUMBERS[name]["description"])
    return found.group(1) if found and " is " not in found.group(1) else ""


def drawn_units():
    """Units that numbers are drawn with, by their names."""
    return dict(pair for path in SOURCES for pair in DRAWN.findall(path.read_text(encoding="utf-8")))


def test_lengths_are_shown_in_the_scene_s_unit_and_all_else_with_its_own():
    assert NUMBERS
    assert {name for name in NUMBERS if unit(name) == "m"} == {
        name for name, number in NUMBERS.items() if number.get("subtype") == "DISTANCE"
    }
    others, drawn = {name: unit(name) for name in NUMBERS if unit(name) != "m"}, drawn_units()
    assert {name: drawn.get(name, "") for name in others} == others


def centimetres(units):
    units.length_unit = "CENTIMETERS"


def feet(units):
    units.system = "IMPERIAL"


def no_units(units):
    units.system, units.scale_length = "NONE", 0.01


def hundredths(units):
    units.scale_length = 0.01


def inches(units):
    units.system, units.scale_length = "IMPERIAL", 0.0254


def falling():
    """A sheet that falls onto a block."""
    cloth = add_hooke(grid(pins={}), self_collision=True)
    cloth.hooke.collision_thickness = 0.02
    collider(block(height=-0.3))
    activate(cloth)
    return cloth


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "shown", [centimetres, feet, no_units, hundredths, inches], ids=lambda shown: shown.__name__
)
def test_how_lengths_are_shown_changes_no_motion_and_a_unit_that_is_no_metre_is_told(shown, scene):
    cloth = falling()
    metres = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    shown(scene.unit_settings)
    told = unit_warning(scene)
    assert bool(told) == (shown in (hundredths, inches))
    assert told in status(cloth)
    # What the command line warns of.
    assert sections.findings(Where(cloth, scene, bpy.context.evaluated_depsgraph_get()))[1] == [told] * bool(
        told
    )
    assert same_bits(play(cloth, FRAMES), metres)


def test_the_frictions_have_one_range_and_one_default(scene):
    box, cloth = collider(block()), add_hooke(grid())
    own, other = (kind.bl_rna.properties["friction"] for kind in (cloth.hooke, box.hooke_collider))
    assert (own.hard_min, own.soft_max) == (other.hard_min, other.soft_max) == (0.0, 1.0)
    assert cloth.hooke.friction == box.hooke_collider.friction == 0.5
    assert box.collision.cloth_friction == 5.0
    box.hooke_collider.friction = 0.3
    assert box.collision.cloth_friction == pytest.approx(3.0)
    box.collision.cloth_friction = 8.0
    assert box.hooke_collider.friction == pytest.approx(0.8)
    # What is no collider has nothing to slide on.
    assert cloth.hooke_collider.friction == 0.5
    cloth.hooke_collider.friction = 0.1
    assert cloth.hooke_collider.friction == 0.5


@pytest.mark.combined
@pytest.mark.parametrize(("own", "other"), [(0.5, 0.2), (0.2, 0.5), (0.2, 0.8), (0.8, 0.2)])
@pytest.mark.parametrize("over", [0.9, 1.1])
def test_what_lies_slides_where_gravity_is_steeper_than_twice_the_product(over, own, other, scene):
    cloth = add_hooke(grid(pins={}), friction=own, air_drag=0.0, frame_end=24)
    bpy.ops.hooke.add_floor()
    floor = bpy.data.objects["Floor"]
    floor.location.z = -cloth.hooke.collision_thickness - floor.collision.thickness_outer
    floor.hooke_collider.friction = other
    pull = over * 2.0 * own * other * 9.81
    scene.gravity.x = pull
    begun = evaluated_positions(cloth)
    slid = (play(cloth, range(1, 25))[24] - begun)[:, 0].mean()
    # s = a t^2 / 2 by what friction leaves of the pull.
    expected = 0.5 * (pull - pull / over) * (23 / 24) ** 2 if over > 1.0 else 0.0
    assert slid == pytest.approx(expected, rel=0.1, abs=0.005)

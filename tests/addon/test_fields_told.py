# SPDX-License-Identifier: GPL-3.0-or-later
"""What of force fields does not act, or not wholly, is told."""

import bpy
import pytest

from hooke.addon.play.inputs import Where
from hooke.addon.sections import SECTIONS

from .blowing import field, keyed, sheet
from .panel_rows import drawn
from .scenes import activate, grid, play, status
from .test_fields_found import of_layer, within

FRAMES = range(1, 7)
FORCES = next(section for section in SECTIONS if section.id == "forces")


def findings(cloth):
    return FORCES.findings(Where(cloth, bpy.context.scene, bpy.context.evaluated_depsgraph_get()))


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("DRAG", {"strength": -1.0}, "'Field' (Drag) has a Linear Drag below 0, which acts as 0: raise it"),
        ("DRAG", {"quadratic_drag": -1.0}, "has a Quadratic Drag below 0"),
        ("HARMONIC", {"harmonic_damping": -1.0}, "has a Harmonic Damping below 0"),
        ("VORTEX", {"flow": -1.0}, "has a Flow below 0"),
        ("WIND", {"flow": -1.0}, "has a Flow below 0"),
    ],
)
def test_a_resistance_below_0_is_told(kind, settings, said, scene):
    field(kind, **{"strength": 1.0} | settings)
    found, problems = findings(sheet())
    assert found == "1 force field: 'Field'" and len(problems) == 1 and said in problems[0]


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("FORCE", {"flow": 0.0}, ""),
        ("FORCE", {"flow": 1.0}, "has a Flow that acts along surfaces as well: set its Wind Factor to 0"),
        ("HARMONIC", {"harmonic_damping": 0.0}, ""),
        ("HARMONIC", {"harmonic_damping": 1.0}, "has a Harmonic Damping that acts along surfaces as well"),
        ("MAGNET", {"flow": 0.0}, "acts along surfaces as well: its Wind Factor is not supported"),
        ("DRAG", {}, "its Wind Factor is not supported"),
    ],
)
def test_what_acts_along_surfaces_whatever_its_wind_factor_is_told(kind, settings, said, scene):
    obj = field(kind, 1.0, wind_factor=0.5, **settings)
    problems = findings(sheet())[1]
    assert (said in problems[0] and len(problems) == 1) if said else problems == []
    if kind == "FORCE" and not said:
        keyed(obj, {1: 0.5, 5: 1.0}, "wind_factor")
        assert "keeps the Wind Factor that it begins with" in findings(sheet())[1][0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("kind", "settings", "acts"),
    [
        ("FORCE", {}, True),
        ("FORCE", {"shape": "PLANE"}, False),
        ("HARMONIC", {"falloff_type": "TUBE"}, False),
        ("CHARGE", {"z_direction": "POSITIVE"}, False),
        ("WIND", {}, False),
        ("MAGNET", {}, False),
    ],
)
def test_a_field_without_the_axis_that_it_needs_is_told(kind, settings, acts, scene):
    obj = field(kind, 20.0, **settings)
    obj.scale = 1.0, 1.0, 0.0
    cloth = sheet()
    told = [] if acts else ["has no z axis: give it a Z scale other than 0"]
    assert [problem.partition(") ")[2] for problem in findings(cloth)[1]] == told
    assert "strain" in (play(cloth, FRAMES), status(cloth))[1]


def test_keys_that_wind_does_not_follow_are_told(scene):
    obj = field("WIND", 20.0, flow=1.0)
    keyed(obj, {1: 1.0, 5: 0.5}, "flow")
    _, problems = findings(sheet())
    assert len(problems) == 1 and "keeps the Flow that it begins with" in problems[0]
    obj.field.type = "FORCE"
    assert findings(sheet())[1] == []


def test_what_is_disabled_or_in_no_view_layer_is_told(scene):
    obj = field("FORCE", 5.0)
    cloth = sheet()
    collection = within(obj)
    cloth.hooke.field_collection = collection
    bpy.context.view_layer.update()
    assert findings(cloth) == ("1 force field: 'Field'", [])
    collection.hide_viewport = True
    bpy.context.view_layer.update()
    assert "'Field' (Force) is disabled in viewports: enable it" in findings(cloth)[1][0]
    collection.hide_viewport = False
    of_layer("Fields").exclude = True
    bpy.context.view_layer.update()
    found, problems = findings(cloth)
    assert found == "" and "'Field' (Force) is not in the view layer: include" in problems[0]
    assert "strain" in (play(cloth, FRAMES), status(cloth))[1]
    # Without the collection nobody asked for it.
    cloth.hooke.field_collection = None
    assert findings(cloth) == ("", [])


def test_fields_of_particles_are_told(scene):
    emitter = grid(name="Emitter", pins={})
    bpy.ops.object.particle_system_add()
    settings = emitter.particle_systems[0].settings
    settings.force_field_1.type = "FORCE"
    settings.force_field_2.type = "HARMONIC"
    cloth = sheet()
    told = "Force field 'Emitter' (Force, Harmonic) acts from particles, which is not supported: add a field of its own"
    assert findings(cloth) == ("", [told])
    assert "strain" in (play(cloth, FRAMES), status(cloth))[1]
    assert told in [text for _, text, _ in drawn("HOOKE_PT_forces")] or drawn("HOOKE_PT_forces")
    activate(emitter)
    bpy.ops.object.forcefield_toggle()
    found, problems = findings(cloth)
    assert found == "1 force field: 'Emitter'" and problems == [told]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number fits its field, and is called the same wherever it is named."""

from types import SimpleNamespace

import pytest
from bpy.props import FloatProperty, IntProperty

from hooke.addon import sections
from hooke.addon.sections import SECTIONS, HookeSettings

from .panel_rows import Layout
from .scenes import add_hooke, grid

NUMBERS = [
    name
    for section in SECTIONS
    for name in sections.shown(section)
    if section.properties[name].function in (FloatProperty, IntProperty)
]


def test_every_number_has_limits_and_a_step_that_fit_it():
    for name in set(NUMBERS) - {"frame_start", "frame_end"}:
        number = HookeSettings.bl_rna.properties[name]
        assert -1e7 < number.soft_min < number.soft_max < 1e7, name
        assert number.soft_min <= number.default <= number.soft_max, name
        if number.type == "FLOAT":
            # Blender moves a number by a hundredth of its step a pixel: 100 pixels are to change what is shown, and not
            # cross the whole range at once.
            fits = 10.0**-number.precision <= number.step <= 10 * (number.soft_max - number.soft_min)
            assert fits, (name, number.step)


class Labels(Layout):
    """A layout that notes what properties are called in it, and the heading above each."""

    heading = ""

    def _note(self, kind, what):
        if kind == "label":
            self.heading = what
        return SimpleNamespace()

    def prop(self, _data, name, *_value, text="", **_options):
        """A property with another label than its name."""
        if text:
            self.rows.append((name, text, self.nearest()))

    def nearest(self):
        return self.heading or (self.above.nearest() if self.above is not None else "")

    prop_enum = prop_search = prop


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.id)
def test_the_panel_calls_a_setting_by_its_name(section, scene):
    obj, told = add_hooke(grid()), []
    for measure in ("SPRING", "AREA"):
        obj.hooke.measure = measure
        for draw in (section.draw_main, section.draw, section.draw_beside_bake):
            layout = Labels(told)
            layout.heading = section.label
            draw(layout, obj)
    for name, text, heading in told:
        words = text.partition(" (")[0]
        called = HookeSettings.bl_rna.properties[name].name
        spelled_out = (words, f"{heading.removesuffix('s')} {words}", f"{words} Group" * (heading == "Maps"))
        assert called in spelled_out, (name, text, heading)


@pytest.mark.parametrize(
    "name", ["line_stiffness", "line_density", "line_bending", "effort", "pin_stiffness"]
)
def test_the_command_line_calls_it_so_too(name):
    section = next(section for section in SECTIONS if name in section.properties)
    option = section.option_names.get(name, f"--{name.replace('_', '-')}")
    assert option == f"--{HookeSettings.bl_rna.properties[name].name.lower().replace(' ', '-')}"

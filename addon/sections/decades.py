# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders for quantities that span decades.

Blender's own number fields move by a fixed step, and its logarithmic ones are not for add-ons (4.2 to 5.2): beside such
a quantity stands a second property, how far along its decades it is [%].
"""

from math import log

from bpy.props import FloatProperty

from ..wrapped_text import is_narrow
from .labelled import labelled

WHOLE = 100.0


def slider_of(name):
    """Name of the property that is a quantity's slider."""
    return f"{name}_decades"


def sliders(section):
    """The sliders of a section's quantities as annotations, a dict of name -> property."""
    return {
        slider_of(name): _slider(name, section.properties[name].keywords, low, high)
        for name, (low, high) in section.decades.items()
    }


def draw_quantity(layout, settings, name, text):
    """Draw a quantity as a number and, where there is room beside it, the slider over its decades."""
    row = labelled(layout, text)
    row.prop(settings, name, text="")
    if not is_narrow():
        row.prop(settings, slider_of(name), text="", slider=True)


def share(value, low, high):
    """How far along its decades a value is [%]."""
    return WHOLE * min(max(log(max(value, low) / low) / log(high / low), 0.0), 1.0)


def value_at(percent, low, high, least):
    """The value at a place along the decades, with three digits; at the very beginning it is the least there is."""
    if percent <= 0.0:
        return least
    return float(f"{low * (high / low) ** (percent / WHOLE):.3g}")


def _slider(name, quantity, low, high):
    least = 0.0 if quantity.get("min", 0.0) == 0.0 else low
    label = quantity["name"]

    def percent(settings):
        return share(getattr(settings, name), low, high)

    def set_percent(settings, at):
        setattr(settings, name, value_at(at, low, high, least))

    return FloatProperty(
        name=label,
        description=f"Drag {label} over its whole range, {least:g} to {high:g}: every stretch of the way changes it by "
        "the same factor",
        min=0.0,
        max=WHOLE,
        precision=0,
        subtype="PERCENTAGE",
        options={"SKIP_SAVE"},
        get=percent,
        set=set_percent,
    )

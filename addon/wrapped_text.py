# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences in a layout: Blender's labels have one line."""

import textwrap

import bpy


def draw_text(layout, text, icon):
    """Label over as many lines as the region needs."""
    draw_lines(layout, wrapped(text), icon)


def draw_lines(layout, lines, icon):
    """Labels below each other, the icon at the first."""
    column = layout.column(align=True)
    for line in lines:
        column.label(text=line, icon=icon)
        icon = "BLANK1"


def wrapped(text, most=None):
    """A text in lines that fit the region, a list; of more than `most` the last one ends in an ellipsis."""
    # Without a window there is no region, and the scale is 0.
    region, scale = bpy.context.region, bpy.context.preferences.system.ui_scale or 1.0
    width = region.width if region is not None else 260
    # Lines break between the items of a list, not inside one.
    items = text.split(" · ")
    if len(items) > 1:
        text = "\u00a0· ".join(item.replace(" ", "\u00a0") for item in items)
    return textwrap.wrap(text, max(20, int(width / (6.5 * scale)) - 6), max_lines=most, placeholder=" …")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences in a layout: Blender's labels have one line."""

import textwrap

import bpy


def draw_text(layout, text, icon):
    """Label over as many lines as the region needs."""
    # Without a window there is no region, and the scale is 0.
    region, scale = bpy.context.region, bpy.context.preferences.system.ui_scale or 1.0
    width = region.width if region is not None else 260
    # Lines break between the items of a list, not inside one.
    items = text.split(" · ")
    if len(items) > 1:
        text = "\u00a0· ".join(item.replace(" ", "\u00a0") for item in items)
    column = layout.column(align=True)
    for line in textwrap.wrap(text, max(20, int(width / (6.5 * scale)) - 6)):
        column.label(text=line, icon=icon)
        icon = "BLANK1"

# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences in a layout: Blender's labels have one line."""

import blf
import bpy

# Beside a label in a box of a panel, at a resolution scale of 1: margins, icon, and in a sidebar the tabs [pixels].
_MARGINS, _TABS = 72, 28
# Blender's default width of a sidebar, where nothing has a region [pixels].
WIDTH = 280
# Below it half of the room beside a label shows the first digits of a number alone [pixels].
_NARROW = 260
_ELLIPSIS = " …"


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
    """A text in lines that fit the region, a list; of more than `most` the last one ends in an ellipsis.

    Lines break between the items of a list separated by " · ", not inside one, and a word that is too long for a line
    has one of its own, which Blender shortens.
    """
    width = line_width()
    items = text.split(" · ")
    # Text that stays together on a line.
    wholes = [f"{item} ·" for item in items[:-1]] + items[-1:] if len(items) > 1 else text.split()
    pieces = [
        piece for whole in wholes for piece in ([whole] if text_length(whole) <= width else whole.split())
    ]
    lines: list[str] = []
    for piece in pieces:
        if lines and text_length(f"{lines[-1]} {piece}") <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    if most is None or len(lines) <= most:
        return lines
    last = lines[most - 1]
    while " " in last and text_length(last + _ELLIPSIS) > width:
        last = last.rpartition(" ")[0]
    return [*lines[: most - 1], last + _ELLIPSIS]


def shortened(text):
    """A list separated by " · " in one line of the region: what stands last counts most, the one before it least."""
    items = text.split(" · ")
    while len(items) > 1 and text_length(" · ".join(items)) > line_width():
        del items[-2]
    return " · ".join(items)


def is_narrow():
    """Whether the region has no room for two numbers or buttons beside each other."""
    width, scale, _ = _region()
    return width < _NARROW * scale


def side_by_side(layout):
    """Where buttons go that belong together: a row, or a column in a narrow region."""
    return layout.column(align=True) if is_narrow() else layout.row(align=True)


def line_width():
    """Room for a label's text in the region that is drawn [pixels]."""
    width, scale, sidebar = _region()
    return width - (_MARGINS + _TABS * sidebar) * scale


def _region():
    """Width of the region that is drawn [pixels], the resolution scale, and whether it is a sidebar."""
    # Without a window there is no region, and the scale is 0.
    region, scale = bpy.context.region, bpy.context.preferences.system.ui_scale or 1.0
    if region is None:
        return WIDTH * scale, scale, True
    return region.width, scale, region.type == "UI"


def text_length(text):
    """Length of a label's text [pixels]."""
    preferences = bpy.context.preferences
    blf.size(0, preferences.ui_styles[0].widget.points * (preferences.system.ui_scale or 1.0))
    return blf.dimensions(0, text)[0]

# SPDX-License-Identifier: GPL-3.0-or-later
"""A label where Blender's own settings have theirs, for what is no property."""


def labelled(layout, text):
    """Row right of a label, in line with the values of the settings."""
    split = layout.split(factor=0.4, align=True)
    label = split.row()
    label.alignment = "RIGHT"
    label.label(text=text)
    row = split.row(align=True)
    row.use_property_split = False
    return row

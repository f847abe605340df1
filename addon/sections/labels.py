# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels where Blender's own settings have theirs: of what is no property, and of quantities with their units."""


def labelled(layout, text):
    """Row right of a label, in line with the values of the settings."""
    whole = layout.row(align=True)
    split = whole.split(factor=0.4, align=True)
    label = split.row()
    label.alignment = "RIGHT"
    label.label(text=text)
    row = split.row(align=True)
    row.use_property_split = False
    if layout.use_property_decorate:
        # Where others have the dot that says they can be keyed.
        whole.label(text="", icon="BLANK1")
    return row


def draw_quantity(layout, settings, name, unit, under=""):
    """Draw a quantity as its name with the unit; below a heading, by the rest of a name that begins with it."""
    label = settings.bl_rna.properties[name].name.removeprefix(under).strip()
    layout.prop(settings, name, text=f"{label} ({unit})")

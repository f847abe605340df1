# SPDX-License-Identifier: GPL-3.0-or-later
"""What a panel draws, as rows."""

from types import SimpleNamespace

import bpy


class Layout:
    """A layout that notes the rows drawn in it, and what each of them holds.

    rows: list of (kind, what, whether it can be changed), one an item below the other.
    """

    use_property_decorate = False

    def __init__(self, rows, above=None):
        self.rows, self.above, self.enabled = rows, above, True

    @property
    def live(self):
        """As in Blender: what is within something locked is locked."""
        return self.enabled and (self.above is None or self.above.live)

    def _note(self, kind, what):
        self.rows.append((kind, what, self.live))
        return SimpleNamespace()

    def prop(self, _data, name, *_value, **_options):
        """A property."""
        return self._note("prop", name)

    prop_enum = prop

    def prop_search(self, _data, name, *_where, **_options):
        """A property."""
        return self._note("prop", name)

    def operator(self, name, **options):
        """A button."""
        return self._note("operator", name)

    def label(self, text="", **_options):
        """A line of text."""
        self._note("label", text)

    def progress(self, text="", **_options):
        """A bar."""
        self._note("label", text)

    def popover(self, name, **_options):
        """A menu."""
        self._note("menu", name)

    menu = popover

    def _within(self, **_options):
        return type(self)(self.rows, self)

    row = column = split = box = _within


def drawn(kind="HOOKE_PT_main"):
    """Rows of a panel as it is drawn now."""
    rows = []
    panel = getattr(bpy.types, kind)
    section = getattr(panel, "section", None)
    drawing = SimpleNamespace(
        layout=Layout(rows), section=section, decorates=getattr(panel, "decorates", False)
    )
    if section is not None:
        panel.draw_header(drawing, bpy.context)
    panel.draw(drawing, bpy.context)
    return rows


def alive(kind, name):
    """Whether a property is drawn so that it can be changed."""
    return next(enabled for _, what, enabled in drawn(kind) if what == name)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar by what is below the pointer: widgets are looked for by the property or operator that they are of."""

from contextlib import contextmanager
from pathlib import Path

# Between two places that are looked at [px]: less than the height of a widget.
STEP = 9
# Of the sidebar's width, where values of properties are, whose names stand at the left of them; and where a panel's
# header has its switch [px].
VALUES, SWITCH = 0.75, 47
# Rows of the mouse's wheel by which a region is scrolled at a time, and how often.
TURNS, PAGES = 5, 8
# Panels below each other whose headers have switches: between them is the height of one that is closed.
ONE, NEXT = "jiggle", "plasticity"

REGION = "drawn = next(region for region in view.regions if region.type == 'UI')\n"
HEADERS = """
from bl_ext.user_default.hooke.addon.sections import SECTIONS
[each.id for each in SECTIONS if each.label and each.poll(bpy.context.object.hooke)]"""


class Sidebar:
    """Widgets of a Window's sidebar, at Hooke's tab; `view` is the area's name in what the window is told."""

    def __init__(self, window):
        self.window = window
        window.tell(Path(__file__).with_name("drive_pointer.py").read_text(encoding="utf-8"))

    def click(self, name):
        """Click the widget of a property or operator, such as pressure or hooke.bake."""
        self.window.click("VIEW_3D", "UI", self.find(name))

    def enter(self, name, value):
        """Type a value into the field of a property, as after a press of Enter over it."""
        self._point_at(name)
        self.window.press("Return")
        self.window.press("ctrl+a")
        self.window.write(str(value))
        self.window.press("Return")

    def choose(self, name, item):
        """Open the list of a property that is chosen by name, type the name, and take it."""
        self.click(name)
        self.window.write(item)
        self.window.press("Return")

    def key(self, name):
        """Insert a key of a property, as by I over it."""
        self._point_at(name)
        self.window.press("i")

    def drag(self, name, across):
        """Drag the value of a property by some pixels to the right."""
        self.window.drag("VIEW_3D", "UI", self.find(name), across)

    @contextmanager
    def opened(self, panel):
        """A panel of a section, by its id, open as long as the context; all others are closed."""
        place = self._header(panel)
        self.window.click("VIEW_3D", "UI", place)
        x, y = place
        kept = self.window.ask(REGION + f"drawn.view2d.region_to_view({x}, drawn.height - {y})[1]")
        yield
        # It may have been scrolled.
        down = self.window.ask(REGION + f"drawn.height - drawn.view2d.view_to_region(0, {kept}, clip=False)[1]")
        if down < 0:
            self._scroll_to_top()
            down = self.window.ask(
                REGION + f"drawn.height - drawn.view2d.view_to_region(0, {kept}, clip=False)[1]"
            )
        self.window.click("VIEW_3D", "UI", (x, down))

    def find(self, name, across=None):
        """Place of the widget of a property or operator; what is out of sight is scrolled to."""
        place = self._seen(name, across)
        if place is None:
            self._scroll_to_top()
            for _ in range(PAGES):
                place = self._seen(name, across)
                if place is not None:
                    break
                self.window.scroll("VIEW_3D", "UI", TURNS)
        assert place is not None, f"there is no {name} in the sidebar"
        return place

    def _header(self, panel):
        """Place of a panel's header, all being closed."""
        one, after = (self.find(name, SWITCH)[1] for name in (ONE, NEXT))
        headers = self.window.ask(HEADERS)
        down = one + (headers.index(panel) - headers.index(ONE)) * (after - one)
        return self._x(None), down

    def _scroll_to_top(self):
        self.window.scroll("VIEW_3D", "UI", -TURNS * PAGES)

    def _point_at(self, name):
        self.window.point("VIEW_3D", "UI", self.find(name))

    def _seen(self, name, across):
        """The middle of the rows in which a widget is, or None where it is out of sight."""
        rows = [y for y, below in self.rows(across) if below == name]
        return (self._x(across), (rows[0] + rows[-1]) / 2.0) if rows else None

    def rows(self, across=None):
        """Pairs of a height in the region and what is there, from the top; across: px from the left."""
        height, x = self.window.ask(REGION + "drawn.height"), self._x(across)
        # What Blender takes to be below the pointer at first is of where that was before.
        rows = [6, *range(6, height - 4, STEP)]
        self.window.tell(REGION + f"search = Search(view, drawn, {[(x, y) for y in rows]})")
        self.window.until("search.done")
        return list(zip(rows, self.window.ask("search.found"), strict=True))[1:]

    def _x(self, across):
        return across or self.window.ask(REGION + f"int({VALUES} * drawn.width)")

# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar by what is below the pointer: widgets are looked for by the property or operator that they are of."""

from contextlib import contextmanager
from pathlib import Path

# Between two places that are looked at [px]: half the height of a widget.
STEP = 10
# Of the sidebar's width, where values of properties are, whose names stand at the left of them; and where a panel's
# header has its switch [px].
VALUES, SWITCH = 0.75, 47
# Rows of the mouse's wheel by which it is scrolled at a time, and how often; how far below its header a panel is
# looked at first [px].
TURNS, PAGES, TALL = 5, 8, 260
# Panels below each other whose headers have switches: between them is the height of one that is closed.
ONE, NEXT = "jiggle", "plasticity"

REGION = "drawn = next(region for region in view.regions if region.type == 'UI')\n"
HEADERS = """
from bl_ext.user_default.hooke.addon.sections import SECTIONS
[each.id for each in SECTIONS if each.label and each.poll(bpy.context.object.hooke)]"""


class Sidebar:
    """Widgets of a Window's sidebar, at Hooke's tab; `view` is the area's name in what the window is told.

    Names are those of properties, such as pressure, and of operators, such as hooke.bake.
    """

    def __init__(self, window):
        # Places of widgets; and of the header of ONE, while all panels are closed, with the height of each.
        self.window, self._known, self._closed = window, {}, None
        self._below_header = 0
        window.tell(Path(__file__).with_name("drive_pointer.py").read_text(encoding="utf-8"))

    def click(self, name, across=None):
        """Click a widget; across: px from the left, of what is not where values are."""
        self.window.click("VIEW_3D", "UI", self.find(name, across))

    def drag(self, name, across):
        """Drag a value by some pixels to the right."""
        self.window.drag("VIEW_3D", "UI", self.find(name), across)

    def enter(self, name, value):
        """Type a value, as after a press of Enter over its field."""
        self._point_at(name)
        self.window.press("Return", "ctrl+a")
        self.window.write(str(value))
        self.window.press("Return")

    def choose(self, name, item):
        """Open the list of a property that is chosen by name, type the name, and take it."""
        self.click(name)
        self.window.write(item)
        self.window.press("Return")

    def key(self, name):
        """Insert a key, as by I over the property."""
        self._point_at(name)
        self.window.press("i")

    @contextmanager
    def opened(self, panel):
        """A panel of a section, by its id, open as long as the context; all others are closed."""
        at, x = self._header(panel), self._x(None)
        self._below_header = self._scrolled_to(at)
        self.window.click("VIEW_3D", "UI", (x, self._below_header))
        yield
        self._below_header = 0
        self.window.click("VIEW_3D", "UI", (x, self._scrolled_to(at)))

    def find(self, name, across=None):
        """Place of a widget; what is out of sight is scrolled to."""
        place = self._known.get((name, across))
        if place is not None and self._below([place])[0] == name:
            return place
        self._known.pop((name, across), None)
        self._look(name, across, self._below_header)
        if (name, across) not in self._known:
            self._scroll_to_top()
            for _ in range(PAGES):
                self._look(name, across)
                if (name, across) in self._known:
                    break
                self.window.scroll("VIEW_3D", "UI", TURNS)
        assert (name, across) in self._known, f"there is no {name} in the sidebar"
        return self._known[name, across]

    def _header(self, panel):
        """Place of a panel's header, all being closed, at a height of the view."""
        if self._closed is None:
            one, after = (self._middle(name) for name in (ONE, NEXT))
            at = self.window.ask(REGION + f"drawn.view2d.region_to_view(0, drawn.height - {one})[1]")
            self._closed = at, after - one
        at, apart = self._closed
        headers = self.window.ask(HEADERS)
        return at - (headers.index(panel) - headers.index(ONE)) * apart

    def _scrolled_to(self, at):
        """Height in the region of what is drawn at a height of the view, with room below it as far as that goes."""
        down = REGION + f"(drawn.height - drawn.view2d.view_to_region(0, {at}, clip=False)[1], drawn.height)"
        y, height = self.window.ask(down)
        if y < 0:
            self._scroll_to_top()
            y, height = self.window.ask(down)
        while y + TALL > height:
            before = y
            self._known.clear()
            self.window.scroll("VIEW_3D", "UI", TURNS)
            y, height = self.window.ask(down)
            if y == before:
                break
        return y

    def _middle(self, name):
        """Height of the middle of a switch in a header, to a pixel or two."""
        x, y = self.find(name, SWITCH)
        rows = range(int(y) - 16, int(y) + 17, 2)
        found = self._below([(x, row) for row in rows])
        here = [row for row, below in zip(rows, found, strict=True) if below == name]
        return (here[0] + here[-1]) / 2.0

    def _look(self, name, across, top=0):
        """Look for a widget in a column from a height down, and take notice of all on the way."""
        x, height = self._x(across), self.window.ask(REGION + "drawn.height")
        rows = range(int(top) + 6, int(height) - 4, STEP)
        if across == SWITCH:
            # Headers are below all else.
            rows = rows[::-1]
        found = self._below([(x, y) for y in rows], name)
        before = ""
        for y, below in zip(rows, found, strict=False):
            if below != before and below:
                # Half a step further it is in its middle, or near it.
                self._known[below, across] = (x, y + rows.step / 2.0)
            before = below

    def _below(self, places, wanted=None):
        """What is below the pointer at each of some places, as far as one that is wanted."""
        places = [tuple(map(float, place)) for place in (places[0], *places)]
        self.window.tell(REGION + f"search = Search(view, drawn, {places}, {wanted!r})")
        self.window.until("search.done")
        return self.window.ask("search.found")[1:]

    def _scroll_to_top(self):
        self._known.clear()
        self.window.scroll("VIEW_3D", "UI", -TURNS * PAGES)

    def _point_at(self, name):
        self.window.point("VIEW_3D", "UI", self.find(name))

    def _x(self, across):
        return across or self.window.ask(REGION + f"int({VALUES} * drawn.width)")

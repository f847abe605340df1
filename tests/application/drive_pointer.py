# SPDX-License-Identifier: GPL-3.0-or-later
"""In a window of Blender: what is below the pointer, place by place of a region."""

import bpy

# Between two places Blender takes notice of the pointer [s].
_PAUSE = 0.03


class Search:
    """Leads the pointer through places of a region, and notes the property or operator below it at each.

    places: pixels from the region's upper left corner; wanted: the name that it ends at, once seen; found: of each
    place looked at the name of a property such as pressure, an operator such as hooke.bake, or "", once done.
    """

    def __init__(self, area, region, places, wanted=None):
        self.wanted = wanted
        self.window = bpy.context.window_manager.windows[0]
        self.area, self.region, self.places = area, region, places
        self.found, self.done, self._at = [], False, None
        bpy.app.timers.register(self._go_on, first_interval=_PAUSE)

    def _go_on(self):
        if self._at is not None:
            self.found.append(self._below())
        # The first is looked at twice: what Blender takes to be there at first is of where the pointer was before.
        if len(self.found) == len(self.places) or self.wanted in self.found[1:]:
            self.done = True
            return None
        x, y = self.places[len(self.found)]
        self._at = int(self.region.x + x), int(self.region.y + self.region.height - y)
        self.window.cursor_warp(*self._at)
        return _PAUSE

    def _below(self):
        with bpy.context.temp_override(
            window=self.window, screen=self.window.screen, area=self.area, region=self.region
        ):
            if bpy.context.property is not None:
                # Blender 5.2 tells the path from the object on, 4.3 that from its settings on.
                return bpy.context.property[1].rpartition(".")[2]
            if not bpy.ops.ui.copy_python_command_button.poll():
                return ""
            bpy.ops.ui.copy_python_command_button()
            return bpy.context.window_manager.clipboard.removeprefix("bpy.ops.").partition("(")[0]

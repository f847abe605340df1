# SPDX-License-Identifier: GPL-3.0-or-later
"""File, New, Hooke: examples, each in a new file."""

import bpy
from bpy.props import EnumProperty

from . import gallery

# How long to wait for a sidebar's first drawing [s], and how often.
_WAIT, _WAITS = 0.1, 50


class HOOKE_OT_example(bpy.types.Operator):
    """Open an example in a new file"""

    bl_idname = "hooke.example"
    bl_label = "New Hooke Example"
    # A new file begins a new history of undo.
    bl_options = {"REGISTER"}

    example: EnumProperty(
        name="Example",
        items=[(id, example.LABEL, example.DESCRIPTION) for id, example in gallery.EXAMPLES.items()],
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context):
        """Where there is a file to take the place of: the window has one."""
        return context.window_manager is not None

    @classmethod
    def description(cls, _context, properties):
        """What the example shows."""
        return gallery.EXAMPLES[properties.example].DESCRIPTION

    def invoke(self, context, event):
        """Ask where unsaved changes would be lost."""
        if bpy.data.is_dirty:
            return context.window_manager.invoke_confirm(
                self,
                event,
                title="Unsaved changes are lost",
                message="A new file takes the place of this one.",
            )
        return self.execute(context)

    def execute(self, context):
        """A new file as the user's own, emptied, with the example in it."""
        bpy.ops.wm.read_homefile(use_empty=True)
        gallery.build(self.example, bpy.context.scene)
        _show(bpy.context)
        return {"FINISHED"}


class HOOKE_MT_examples(bpy.types.Menu):
    bl_label = "Hooke"
    bl_description = "Small scenes to open and play"

    def draw(self, _context):
        for id, example in gallery.EXAMPLES.items():
            self.layout.operator("hooke.example", text=example.LABEL).example = id


def _show(context):
    """Look through the camera, with the sidebar's tab beside it where there is a window."""
    for window, area in _viewports(context):
        # Without an area, showing a region crashes Blender (5.2).
        with context.temp_override(window=window, screen=window.screen, area=area):
            space = area.spaces.active
            space.region_3d.view_perspective = "CAMERA"
            space.shading.color_type = "MATERIAL"
            space.show_region_ui = True
    if context.window_manager.windows and not bpy.app.background:
        waits = iter([_WAIT] * _WAITS)
        bpy.app.timers.register(lambda: _choose_tab(waits), first_interval=_WAIT)


def _choose_tab(waits):
    """Bring the tab to the front; a sidebar has tabs once it was drawn: until then, the seconds to wait."""
    for _window, area in _viewports(bpy.context):
        sidebar = next(region for region in area.regions if region.type == "UI")
        try:
            sidebar.active_panel_category = "Hooke"
        except (AttributeError, TypeError):
            return next(waits, None)
        sidebar.tag_redraw()
    return None


def _viewports(context):
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                yield window, area


def _draw(self, _context):
    self.layout.separator()
    self.layout.menu("HOOKE_MT_examples")


_CLASSES = (HOOKE_OT_example, HOOKE_MT_examples)


def register():
    """Register the operator and the menu."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_new.append(_draw)


def unregister():
    """Unregister them."""
    bpy.types.TOPBAR_MT_file_new.remove(_draw)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)

# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist directs three things by mouse and keyboard, in a real window: adds, paints, keys, plays, tunes and bakes.

A pillow that is sewn and blown up, a flag that tears off its pole, flesh that jiggles on a bone. What the window needs
is in test_window.py; widgets are found by what Blender says is below the pointer.
"""

import pytest
from sidebar import Sidebar
from test_window import PLAY, PLAYING, in_timeline, opened_window, pytestmark

__all__ = ["pytestmark"]

SCENE = """
from bl_ext.user_default.hooke.addon.gallery import {module} as example, stage
from bl_ext.user_default.hooke.addon.play import range_operator, sessions

bpy.context.preferences.view.show_splash = False
bpy.context.preferences.inputs.use_mouse_continuous = False
bpy.ops.wm.read_homefile(use_empty=True)
"""

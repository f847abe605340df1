# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings over Blender's editors."""

from . import overlay, timeline


def register():
    """Draw."""
    timeline.register()
    overlay.register()


def unregister():
    """Draw no more."""
    overlay.unregister()
    timeline.unregister()

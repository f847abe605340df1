# SPDX-License-Identifier: GPL-3.0-or-later
"""What Hooke draws into Blender's editors, over what is there."""

from . import overlay, timeline


def register():
    """Draw."""
    timeline.register()
    overlay.register()


def unregister():
    """Draw no more."""
    overlay.unregister()
    timeline.unregister()

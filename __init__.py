# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke: mass-spring simulation for Blender."""


def register():
    """Make Hooke known to Blender."""
    # Imported here, so that the package can be imported for its core without Blender.
    from . import addon

    addon.register()


def unregister():
    """Take back everything `register` did."""
    from . import addon

    addon.unregister()

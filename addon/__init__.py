# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's side of Hooke."""

from . import (
    bake_operators,
    cli,
    export_operators,
    handlers,
    operators,
    panels,
    preferences,
    sections,
    start_operators,
    timeline,
)

_PARTS = (
    preferences,
    sections,
    operators,
    bake_operators,
    export_operators,
    start_operators,
    panels,
    handlers,
    timeline,
    cli,
)


def register():
    """Register classes, settings, handlers and the command line."""
    for part in _PARTS:
        part.register()


def unregister():
    """Take everything back, in reverse."""
    for part in reversed(_PARTS):
        part.unregister()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's side of Hooke."""


def register():
    """Register classes, settings, handlers and the command line."""
    for part in _parts():
        part.register()


def unregister():
    """Take everything back, in reverse."""
    for part in reversed(_parts()):
        part.unregister()


def _parts():
    # Imported here, so that what needs no Blender can be imported without it.
    from . import (
        bake_operators,
        cli,
        collider_operators,
        colliders,
        drawing,
        export_operators,
        gallery_menu,
        material_presets,
        operators,
        panels,
        preferences,
        sections,
        start_operators,
    )
    from .operators import manual
    from .play import handlers

    return (
        preferences,
        colliders,
        sections,
        operators,
        collider_operators,
        bake_operators,
        export_operators,
        start_operators,
        material_presets,
        gallery_menu,
        panels,
        manual,
        handlers,
        drawing,
        cli,
    )

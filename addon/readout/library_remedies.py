# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies of objects that other files own."""

from ..sections.cache_and_bake import not_editable
from .remedy import Remedy


class MakeLocal(Remedy):
    """Make Local: the object and its mesh belong to this file, which can then hold a bake of them"""

    id = "LOCAL"

    def label(self, obj, scene):
        """Its name, as Blender's menus have it."""
        return "Make Local" if not_editable(obj) else ""

    def apply(self, obj, scene):
        """Do it; where others use the linked mesh, this object gets a copy."""
        for block in (obj, obj.data):
            if block.library is not None or block.override_library is not None:
                block.make_local()
        return not not_editable(obj)

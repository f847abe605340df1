# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies of distances that are larger than those that an object begins with."""

import bpy

from ..play import fitting
from ..play.start_preview import at_start
from ..sections import colliding
from .remedy import Remedy


class FitDistances(Remedy):
    """Thickness, and Distance of Self-Collision, no larger than what all but a tenth of the vertices begin with"""

    id = "FIT"
    outer = False

    def label(self, obj, scene):
        """As the operator is called."""
        return "Fit Distances" if obj.hooke.self_collision or _met(obj, scene) else ""

    def apply(self, obj, scene):
        """Measure, and set them."""
        with at_start(obj, scene) as first:
            fit = first.fit
        changed, _ = fitting.apply(obj, fit, self.outer)
        return bool(changed)


class FitOuterThickness(FitDistances):
    """Outer Thickness of the colliders' Collision physics, no larger than what all but a tenth of the vertices begin
    with. It belongs to the collider: whatever else collides with it comes as near"""

    id = "OUTER"
    outer = True

    def label(self, obj, scene):
        """Of which collider."""
        thick = [other for other in _met(obj, scene) if other.collision.thickness_outer > 0.0]
        found = [other.name for other in thick if other.library is None]
        of = found[0] if len(found) == 1 else f"{len(found)} Colliders"
        return f"Fit Outer Thickness: {of}" if found else ""


def _met(obj, scene):
    """What an object collides with, a list."""
    depsgraph = bpy.context.view_layer.depsgraph
    return colliding(obj, scene, depsgraph) if depsgraph is not None else []

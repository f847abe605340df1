# SPDX-License-Identifier: GPL-3.0-or-later
"""Few shape keys with animated weights, as accurate as asked for."""

from ...core.principal_shapes import principal_shapes
from ..mesh_io import MeshError
from . import keys
from .mode import Baked, megabytes, range_length


class PrincipalShapes(keys.KeyMode):
    """Each key is a direction of the motion, its value how far every frame goes along it, from 0 to 1."""

    id = "PRINCIPAL_SHAPES"
    label = "Principal Shapes"
    description = (
        "A few shape keys with animated weights, within the tolerance at every vertex in every frame. The "
        "object's own keys stay. Modifiers above Hooke are turned off, since the keys contain their effect"
    )
    settings = ("bake_tolerance",)

    def cost(self, obj):
        """How many keys it takes shows when they are made: hardly ever as many as frames."""
        count = range_length(obj)
        return f"under {count:,} keys, {megabytes(obj, count)}"

    def make(self, obj, frames, frame_start, options):
        """Add the principal shapes and key their weights in every frame.

        Raises MeshError for a tolerance that float32 positions cannot keep.
        """
        try:
            # Weights below 0 are cut off at 0 by readers of glTF, FBX and game engines, and by Blender's own importers.
            found = principal_shapes(frames, keys.basis(obj), options.tolerance, options.stop, signed=False)
        except ValueError as error:
            raise MeshError(f"'{obj.name}': {error}") from error
        keys.begin(obj)
        numbers = range(frame_start, frame_start + len(frames))
        for place, (shape, weights) in enumerate(zip(found.shapes, found.weights.T, strict=True), start=1):
            keys.add(obj, f"Shape {place:03d}", shape, numbers, weights)
        return Baked(len(found.shapes), found.largest_error)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths that are animated or chosen by shape keys: lengths at rest are those of the pose at the start frame."""

from ...sections import keyed_lengths
from ..complaint import Complaint


def keyed(inputs):
    """Complaints about animated shape keys that change lengths between vertices which nothing pins."""
    obj = inputs.where.obj
    if obj.data.shape_keys is None:
        return []
    free = inputs["maps"]["pin_group"] == 0.0
    edges = inputs["edges"][free[inputs["edges"]].all(axis=1)]
    key = keyed_lengths(obj, edges)
    if key is None:
        return []
    text = (
        f"Shape key '{key.name}' changes lengths, which does not act: lengths at rest are those of frame "
        f"{obj.hooke.frame_start}; key what it changes on pinned vertices alone, or remove its keys"
    )
    return [Complaint(text, (), "INFO")]


def of_cloth(inputs):
    """Complaints about a rest shape that Blender's own cloth on the same object has."""
    obj = inputs.where.obj
    cloths = [each for each in obj.modifiers if each.type == "CLOTH"]
    named = [cloth.settings.rest_shape_key for cloth in cloths if cloth.settings.rest_shape_key is not None]
    return [
        Complaint(
            f"Cloth's Rest Shape Key '{key.name}' does not act on Hooke: choose it as Rest Shape Key of Shape",
            (),
            "INFO",
        )
        for key in named[:1]
        if key.name != obj.hooke.rest_key
    ]

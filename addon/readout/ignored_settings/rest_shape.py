# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths that are animated or chosen by shape keys: lengths at rest are those of the pose at the start frame."""

from ...sections import key_moves, keyed_lengths
from ..complaint import Complaint


def keyed(inputs):
    """Complaints about animated shape keys that change lengths of what nothing pins, and move no pins."""
    key = next((key for key, pulls in _keyed(inputs) if not pulls), None)
    if key is None:
        return []
    text = (
        f"Shape key '{key.name}' changes lengths, which does not act: {_at_rest(inputs)}; key what it changes on "
        "pinned vertices alone, or remove its keys"
    )
    return [Complaint(text, (), "INFO")]


def pulled(inputs):
    """Complaints about those that move pins too, as one that gathers a curtain: this acts."""
    key = next((key for key, pulls in _keyed(inputs) if pulls), None)
    if key is None:
        return []
    text = (
        f"Shape key '{key.name}' moves the pins, and changes no lengths of what hangs on them: {_at_rest(inputs)}; "
        "remove its keys if no pin is to move"
    )
    return [Complaint(text, (), "INFO")]


def _keyed(inputs):
    """Animated shape keys that change lengths between vertices which nothing pins, and whether each moves pins."""
    obj = inputs.where.obj
    if obj.data.shape_keys is None:
        return []
    pinned = inputs["painted"]["pin_group"] > 0.0
    edges = inputs["edges"][~pinned[inputs["edges"]].any(axis=1)]
    return [(key, key_moves(key, pinned)) for key in keyed_lengths(obj, edges)]


def _at_rest(inputs):
    return f"lengths at rest are those of frame {inputs.where.obj.hooke.frame_start}"


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked shape keys beside the user's own: added, animated, and removed without a trace."""

from .. import mesh_io
from . import checks, curves, inputs
from .mode import BakeMode

PREFIX = "Hooke "
# An error that no picture shows [mm].
_NOTHING = 0.001


class KeyMode(BakeMode):
    """A way to keep frames in shape keys; subclasses say which keys."""

    in_shape_keys = True

    def check(self, obj, options):
        """See `checks.check_shape_keys`."""
        checks.check_shape_keys(obj)

    def warnings(self, obj):
        """See `checks.data_warnings`."""
        return checks.data_warnings(obj)

    def clear(self, obj):
        """Remove the keys; says which are the user's own now."""
        return remove(obj)

    def summary(self, record, brief=False):
        """How many keys there are, and how exact."""
        keys_of = "shape key" if record.shapes == 1 else "shape keys"
        millimetres = 1e3 * record.largest_error
        error = f"largest error {millimetres:.3g}" if millimetres >= _NOTHING else f"exact to {_NOTHING}"
        return f"to {record.shapes} {keys_of}, {error} mm"


def begin(obj):
    """Note how the object's keys are, mute them, turn off what the bake contains; make sure there is a Basis.

    The user's keys are muted and the deforming modifiers above Hooke are turned off, since the frames contain
    their effect; `remove` and `inputs.bring_back` undo it.
    """
    record, keys = obj.hooke.bake, obj.data.shape_keys
    record.had_shape_keys = keys is not None
    record.had_animation_data = keys is not None and keys.animation_data is not None
    record.had_action = record.had_animation_data and keys.animation_data.action is not None
    record.slot_identifier = ""
    if record.had_animation_data:
        record.slot_identifier = getattr(keys.animation_data, "last_slot_identifier", "")
    record.active_shape_key_index = obj.active_shape_key_index
    record.show_only_shape_key = obj.show_only_shape_key
    inputs.turn_off(record, inputs.modifiers_to_turn_off(obj))
    obj.show_only_shape_key = False
    inputs.mute_keys(record, keys)
    if keys is None:
        obj.shape_key_add(name="Basis", from_mix=False)


def basis(obj):
    """Positions that baked keys are relative to, object space, float32, shape (vertex_count, 3)."""
    keys = obj.data.shape_keys
    if keys is None:
        return mesh_io.read_positions(obj.data)
    return mesh_io.read_shape_key(keys.reference_key)


def add(obj, name, positions, frames, values):
    """Add a relative key of these positions whose value is keyed at the frames, values within 0 and 1."""
    record, keys = obj.hooke.bake, obj.data.shape_keys
    key = obj.shape_key_add(name=f"{PREFIX}{name}", from_mix=False)
    item = record.items.add()
    item.kind, item.name = "KEY", key.name
    key.relative_key = keys.reference_key
    # A key without a curve would not be known as the bake's: see `remove`.
    curves.animate(keys, key, frames, values)
    mesh_io.write_shape_key(key, positions)
    # Adding a key makes it the active one.
    obj.active_shape_key_index = record.active_shape_key_index


def remove(obj):
    """Remove the baked keys and their animation, and what the bake made for them.

    Returns a sentence about keys that the record names and that stay, in a list: see `_made_by_bake`.
    """
    record, keys = obj.hooke.bake, obj.data.shape_keys
    left: list[str] = []
    if keys is not None:
        listed = list(dict.fromkeys(item.name for item in record.items if item.kind == "KEY"))
        baked = _made_by_bake(keys, listed)
        left = [f"'{name}'" for name in listed if name in keys.key_blocks and name not in baked]
        curves.remove(keys, record, baked)
        for name in baked:
            if name in keys.key_blocks:
                obj.shape_key_remove(keys.key_blocks[name])
        if not record.had_shape_keys and not left and len(keys.key_blocks) == 1:
            obj.shape_key_clear()
    obj.active_shape_key_index = record.active_shape_key_index
    obj.show_only_shape_key = record.show_only_shape_key
    if not left:
        return []
    names = ", ".join(left[:3]) + f" and {len(left) - 3} more" * (len(left) > 3)
    return [
        f"{names} of '{obj.name}' are not as a bake leaves its shape keys, so they stay: remove them if they are not "
        "yours"
    ]


def _made_by_bake(keys, names):
    """Those of the names that can be of a bake's keys, or of such keys that were removed since.

    A bake's key has a bake's name, is not the reference and moves along straight lines: the user's are not all of that.
    """
    straight = curves.straight_paths(keys)

    def made(name):
        key = keys.key_blocks.get(name)
        return key is None or (key != keys.reference_key and curves.value_path(name) in straight)

    return [name for name in names if name.startswith(PREFIX) and made(name)]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between glTF, as Blender's exporter writes it, and the scene, in sentences.

A mesh in it has morph targets and one skin, in this order, on a node that is moved, turned and scaled: no other
modifiers, and of skins those alone that weigh bones linearly by vertex groups.
"""

from mathutils import Matrix

from ..bakes import inputs

# Objects without a surface of their own, written unchanged or not at all.
_BARE = frozenset({"ARMATURE", "CAMERA", "EMPTY", "LATTICE", "LIGHT", "LIGHT_PROBE", "SPEAKER"})
# Objects written as a mesh that does not change.
_STILL = frozenset({"CURVE", "FONT", "META", "SURFACE"})
# Modifiers that a skin holds, or that change nothing of their own mesh: those of what collides or has a force field.
_HELD = frozenset({"ARMATURE", "COLLISION", "SURFACE"})
# Share of an object's size that a sheared node may be off: a few roundings.
_SHEAR = 1e-5


def differences(obj, exported):
    """Sentences about an object that is exported with others, a list; exported: all of them, a set."""
    if obj.type in _BARE:
        return _node(obj, exported)
    if obj.type in _STILL:
        return [f"glTF holds '{obj.name}' as a mesh that does not change", *_node(obj, exported)]
    if obj.type != "MESH":
        return [f"glTF does not hold '{obj.name}': it is neither a mesh nor a curve"]
    return [*_modifiers(obj), *_skin(obj, exported), *_keys(obj), *_parent(obj), *_node(obj, exported)]


def old_skins(obj):
    """Names of Armature modifiers that an object's bake turned off and that still name a rig, a list.

    Blender's exporters write them as skins. Earlier versions left the rig on them; a user may have named one again.
    """
    found = inputs.turned_off_armatures(obj)
    return [modifier.name for modifier, _rig in found if modifier.object is not None]


def _modifiers(obj):
    shown = [modifier for modifier in obj.modifiers if _is_shown(modifier) and modifier.type not in _HELD]
    names = [f"'{modifier.name}'" for modifier in shown]
    if not names:
        return []
    if obj.hooke.enabled and not obj.hooke.bake.exists:
        return [f"glTF holds '{obj.name}' as if it were not simulated, without {', '.join(names)}: bake it"]
    return [
        f"glTF holds the mesh of '{obj.name}' without {', '.join(names)}: it has morph targets and a skin in place of "
        "modifiers. Alembic and USD hold what they do"
    ]


def _skin(obj, exported):
    """Parts of an object's Armature modifiers that are not in its skin."""
    armatures = [modifier for modifier in obj.modifiers if modifier.type == "ARMATURE"]
    if not armatures:
        return []
    # The exporter takes the last one, whether it is on or not.
    last, rig = armatures[-1], armatures[-1].object
    others = [modifier for modifier in armatures[:-1] if modifier.object is not None and _is_shown(modifier)]
    names = ", ".join(f"'{modifier.name}'" for modifier in others)
    told = [f"glTF holds '{obj.name}' without {names}: a mesh in it has one skin"] if others else []
    if rig is None:
        return told
    if not _is_shown(last):
        off = "is turned off: remove it, or take its rig from it"
        return (
            [*told, f"glTF holds '{obj.name}' moved by '{last.name}', which {off}"]
            if rig in exported
            else told
        )
    if rig not in exported:
        return [*told, f"glTF holds '{obj.name}' unmoved by its rig '{rig.name}': export that too"]
    more = ", ".join(label for name, label in _NONLINEAR if getattr(last, name))
    if more:
        told.append(f"glTF holds '{obj.name}' without {more} of '{last.name}': its skins are linear")
    return told


def _is_shown(modifier):
    return modifier.show_viewport or modifier.show_render


_NONLINEAR = (
    ("use_deform_preserve_volume", "Preserve Volume"),
    ("use_bone_envelopes", "Bone Envelopes"),
    ("use_multi_modifier", "Multi Modifier"),
    ("vertex_group", "Vertex Group"),
)


def _keys(obj):
    """Parts of an object's shape keys that morph targets lack."""
    keys = obj.data.shape_keys
    if keys is None:
        return []
    if not keys.use_relative:
        return [f"glTF holds '{obj.name}' without its absolute shape keys: turn on Relative"]
    names = [f"'{key.name}'" for key in keys.key_blocks[1:] if key.vertex_group and not key.mute]
    masked = (
        f"glTF holds {', '.join(names)} of '{obj.name}' for all vertices: morph targets have no vertex group"
    )
    return [masked] if names else []


def _parent(obj):
    if obj.parent is None or obj.parent_type not in {"ARMATURE", "CURVE", "LATTICE"}:
        return []
    return [f"glTF holds '{obj.name}' undeformed by its parent '{obj.parent.name}': use a modifier instead"]


def _node(obj, exported):
    """That a node cannot be sheared, as objects are by parents that are scaled unevenly."""
    inside = obj.parent.matrix_world if obj.parent in exported else Matrix()
    if inside.determinant() == 0.0:
        return []
    local = inside.inverted() @ obj.matrix_world
    kept = Matrix.LocRotScale(*local.decompose())
    size = max(column.length for column in local.to_3x3().col)
    if max((a - b).length for a, b in zip(local.col, kept.col, strict=True)) <= _SHEAR * size:
        return []
    return [f"glTF holds '{obj.name}' without the shear of its parents' uneven scale: apply their scale"]

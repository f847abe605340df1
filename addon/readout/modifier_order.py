# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that stand below one whose result they take for another pose: what it is about is moved again."""

# Modifiers that carry a mesh to another pose; what smooths, thickens or details the surface as it is stays where it is.
# fmt: off
_CARRYING = frozenset({
    "ARMATURE", "CAST", "CURVE", "HOOK", "LAPLACIANDEFORM", "LATTICE", "MESH_CACHE", "MESH_DEFORM",
    "MESH_SEQUENCE_CACHE", "SHRINKWRAP", "SIMPLE_DEFORM", "SURFACE_DEFORM", "WARP", "WAVE",
})
# fmt: on
# Blender's own simulations of the same mesh.
_SIMULATING = frozenset({"CLOTH", "SOFT_BODY"})
# The setting that names what each follows; without it the modifier does nothing.
_FOLLOWED = dict.fromkeys(("ARMATURE", "CURVE", "HOOK", "LATTICE", "MESH_DEFORM"), "object")
_FOLLOWED |= {"SHRINKWRAP": "target", "SURFACE_DEFORM": "target"}


def carrying_below(obj, anchor):
    """The modifiers in use below one of an object's that carry what that makes to another pose, a list."""
    return [each for each in _below(obj, anchor) if each.type in _CARRYING and _follows_something(each)]


def simulating_below(obj, anchor):
    """The modifiers in use below one of an object's that simulate what that makes once more, a list."""
    return [each for each in _below(obj, anchor) if each.type in _SIMULATING]


def raise_above(obj, anchor, modifiers):
    """Move modifiers of an object above another one, in their order."""
    # By name: moving makes references to others point elsewhere.
    for name in [modifier.name for modifier in modifiers]:
        obj.modifiers.move(obj.modifiers.find(name), obj.modifiers.find(anchor.name))


def may_be_moved(obj, modifiers):
    """Whether modifiers of an object can move in its stack without a change of their effect."""
    fixed = obj.library is not None or obj.override_library is not None
    return not fixed and not any(getattr(modifier, "is_bound", False) for modifier in modifiers)


def _below(obj, anchor):
    modifiers = list(obj.modifiers)
    return [each for each in modifiers[modifiers.index(anchor) + 1 :] if each.show_viewport]


def _follows_something(modifier):
    name = _FOLLOWED.get(modifier.type)
    return name is None or getattr(modifier, name) is not None

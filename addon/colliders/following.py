# SPDX-License-Identifier: GPL-3.0-or-later
"""What a collider's place, size and shape follow: parents, the targets of constraints, and meshes it is attached to."""

# Constraints that hand on the size of their targets, and that give one of their own.
_FOLLOWING = frozenset({"ARMATURE", "CHILD_OF", "COPY_SCALE", "COPY_TRANSFORMS"})
_STRETCHING = frozenset({"ACTION", "STRETCH_TO"})

# Parents of which vertices are followed, and modifiers that follow those of another mesh.
_VERTICES = ("VERTEX", "VERTEX_3")
_ATTACHED = frozenset({"BOOLEAN", "DATA_TRANSFER", "MESH_DEFORM", "SHRINKWRAP", "SURFACE_DEFORM"})


def movers(obj):
    """An object, and those whose size it follows as a child or by constraints, a list."""
    found, ahead = {}, [obj]
    while ahead:
        mover = ahead.pop()
        if mover is not None and mover not in found:
            found[mover] = True
            followed = [each for each in _constraints(mover) if each.type in _FOLLOWING]
            ahead += [mover.parent, *(target for each in followed for target in _targets(each))]
    return list(found)


def stretches(obj):
    """Whether a constraint may change an object's size where no object's scale is animated."""
    return any(
        each.type in _STRETCHING or (each.type == "TRANSFORM" and each.map_to == "SCALE")
        for each in _constraints(obj)
    )


def is_attached(other, obj):
    """Whether an object follows the vertices of another one, not only its place."""
    bound = [
        modifier for modifier in other.modifiers if modifier.type in _ATTACHED and modifier.show_viewport
    ]
    if any(getattr(modifier, name, None) == obj for modifier in bound for name in ("target", "object")):
        return True
    return any(
        (mover.parent == obj and mover.parent_type in _VERTICES)
        or any(obj in _targets(each) and _of_vertices(each) for each in _constraints(mover))
        for mover in movers(other)
    )


def _of_vertices(constraint):
    return constraint.type == "SHRINKWRAP" or bool(getattr(constraint, "subtarget", ""))


def _constraints(obj):
    return [constraint for constraint in obj.constraints if not constraint.mute]


def _targets(constraint):
    if constraint.type == "ARMATURE":
        return [each.target for each in constraint.targets]
    return [getattr(constraint, "target", None)]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that a collider's size follows: parents, and the targets of constraints."""

# Constraints that hand on the size of their targets, and that give one of their own.
_FOLLOWING = frozenset({"ARMATURE", "CHILD_OF", "COPY_SCALE", "COPY_TRANSFORMS"})
_STRETCHING = frozenset({"ACTION", "STRETCH_TO"})


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


def _constraints(obj):
    return [constraint for constraint in obj.constraints if not constraint.mute]


def _targets(constraint):
    if constraint.type == "ARMATURE":
        return [each.target for each in constraint.targets]
    return [getattr(constraint, "target", None)]

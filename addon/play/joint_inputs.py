# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs of objects that collide with each other and are simulated as one: those of all, for each of them."""

import numpy as np

from .. import sections
from .lazy_values import ENTERING, SCENE, Inputs, Reader


class Joined(Inputs):
    """The Inputs of one of several objects, which has the values of all: of member k those called "k.name".

    Of all but its own pose and matrix they are the same whichever of the objects it is of. Its targets of the pins
    are those of all, one object's after the other's.

    members: Inputs of each, in the scene's order; own: the number of the object among them.
    """

    def __init__(self, members, where, start, kept):
        self.members = members
        self.objects = [member.where.obj for member in members]
        self.own = self.objects.index(where.obj)
        super().__init__(_readers(self), where, start, kept)

    def around(self, number, values):
        """Of all values that are around the objects, by reader, those around one, by its own names of readers."""
        begin = f"{number}."
        return {name.removeprefix(begin): of for name, of in values.items() if name.startswith(begin)}


def _readers(joined):
    own = joined.members[joined.own]
    readers = {
        f"{number}.{name}": _of(member, name, reader, member is own)
        for number, member in enumerate(joined.members)
        for name, reader in member.readers.items()
    }
    readers |= {
        name: Reader(
            lambda _, name=name: own[name], (ENTERING,) if name in ("pose", "matrix") else (), of.said
        )
        for name, of in own.readers.items()
    }
    readers["pin_targets"] = Reader(_pin_targets, ())
    readers["animation"] = Reader(_animation, ())
    readers["meeting"] = Reader(
        lambda _: sections.meeting(joined.objects, joined.where), (SCENE,), "what collides with what"
    )
    for number, obj in enumerate(joined.objects):
        readers[f"{number}.surface"] = Reader(
            lambda _, obj=obj: sections.read_own(obj, joined.where.depsgraph),
            (SCENE,),
            f"the Collision physics of '{obj.name}'",
        )
    return readers


def _of(member, name, reader, own):
    said = reader.said if own else f"'{member.where.obj.name}'"
    return Reader(lambda _: member[name], reader.groups, said)


def _pin_targets(inputs):
    # At every step: the last frame may be set while they are simulated.
    sections.check_alike(inputs.objects)
    return np.concatenate([member["pin_targets"] for member in inputs.members])


def _animation(inputs):
    return {name: array for member in inputs.members for name, array in member["animation"].items()}

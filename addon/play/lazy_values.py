# SPDX-License-Identifier: GPL-3.0-or-later
"""Named values that are read when first asked for, and hashed once."""

import zlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum, auto
from typing import Any, NamedTuple

import numpy as np


class Group(Enum):
    """When a value is compared with the one that frames were made from.

    SCENE: at every frame. MESH: at the start and after an edit, since reading it takes long.
    ENTERING: at the start, and in other frames after an edit. STEP: in every frame, as what its step was given.
    AROUND is of no time of its own: what of the others the simulation is given as functions of time, Unnamed values.
    """

    SCENE = auto()
    MESH = auto()
    ENTERING = auto()
    STEP = auto()
    AROUND = auto()


SCENE, MESH, ENTERING, STEP = Group.SCENE, Group.MESH, Group.ENTERING, Group.STEP
AROUND = Group.AROUND


class Reader(NamedTuple):
    """Function from Inputs to a value, see `checksum` for its kinds, the groups of that, and what people call it."""

    read: Callable[["Inputs"], Any]
    groups: tuple[Group, ...]
    said: str = ""


class Unnamed(dict):
    """Arrays in order, with names that only people read: another name makes no other value."""


class Inputs:
    """Values by name, read when first asked for.

    readers: dict of name -> Reader; where: whatever the readers read from.
    start: Inputs of the start frame, or None; kept: dict that MESH values are taken from and put into.
    """

    def __init__(self, readers, where=None, start=None, kept=None):
        self.where, self.start = where, start
        self.readers = readers
        self._own: dict[str, list] = {}
        self._kept: dict[str, list] = {} if kept is None else kept

    def __getitem__(self, name):
        return self.entry(name)[0]

    def __contains__(self, name):
        return name in self.readers

    def checksums(self, group):
        """Checksums of a Group's values by name, as something JSON can hold."""
        return {name: self._checksum(name) for name, reader in self.readers.items() if group in reader.groups}

    def values(self, group):
        """A Group's values by name, a dict."""
        return {name: self[name] for name, reader in self.readers.items() if group in reader.groups}

    def names(self, group):
        """Names of a Group's values, a set."""
        return {name for name, reader in self.readers.items() if group in reader.groups}

    def said(self, name):
        """What people call a value."""
        return self.readers[name].said or name

    def changed(self, group, noted):
        """What of a Group has other checksums than were noted, which a file may have put there: a list of words."""
        noted = noted if isinstance(noted, dict) else {}
        found = self.checksums(group).items()
        words = [self.said(name) for name, now in found if noted.get(name) != now]
        return list(dict.fromkeys(words))

    def only(self, group):
        """Inputs of a Group's values alone, which depend on nothing any more."""
        return given(self.values(group))

    def entry(self, name):
        reader = self.readers[name]
        entries = self._kept if MESH in reader.groups else self._own
        if name not in entries:
            entries[name] = [reader.read(self), None]
        return entries[name]

    def _checksum(self, name):
        entry = self.entry(name)
        if entry[1] is None:
            entry[1] = checksum(entry[0])
        return entry[1]


def given(values):
    """Inputs of known values: dict of name -> value, all of them ENTERING."""

    def reader(value):
        return Reader(lambda inputs: value, (ENTERING,))

    return Inputs({name: reader(value) for name, value in values.items()})


def told(changed):
    """Sentence that says what changed, from a list of words."""
    listed = " and ".join(changed)
    return f"{listed[0].upper()}{listed[1:]} changed"


def checksum(value):
    """Checksum of an array, of a dict or a dataclass of arrays, or of anything else by its `repr`."""
    if isinstance(value, np.ndarray):
        return zlib.crc32(np.ascontiguousarray(value).view(np.uint8).data)
    if isinstance(value, Unnamed):
        value = dict(enumerate(value.values()))
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, dict):
        value = [(name, checksum(part)) for name, part in value.items()]
    return zlib.crc32(repr(value).encode())

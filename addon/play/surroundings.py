# SPDX-License-Identifier: GPL-3.0-or-later
"""What is around an object as functions of time, which a simulation reads while it steps from frame to frame."""

from typing import NamedTuple

import numpy as np

from .lazy_values import checksum, told

# Shares of a frame this close to its end are its end: times of substeps are rounded.
_ROUNDING = 1e-9


class Track:
    """A value that is known at frames, as a function of time [s]: linear between the last frame and the next.

    first: at the start of the simulation; last, next: at both ends of the frame that is being simulated, float64
    arrays of one shape; the same object where nothing changes.
    """

    def __init__(self, first, last=None):
        self.first = first
        self.last = self.next = first if last is None else last
        self._from, self._span = 0.0, 0.0

    def __call__(self, t):
        """The value at a time: the first at the start, t = 0, and before; beyond the frame that of its nearest end."""
        if t <= 0.0:
            return self.first
        last, coming, share = self.between(t)
        if share == 0.0:
            return last
        return coming if share == 1.0 else last + share * (coming - last)

    def between(self, t):
        """The values at both ends of the frame, and the share 0..1 of it that is over at a time."""
        if self.next is self.last or t <= self._from:
            return self.last, self.next, 0.0
        share = (t - self._from) / self._span
        return self.last, self.next, share if share < 1.0 - _ROUNDING else 1.0

    def head_for(self, coming, t, span):
        """Change to a value in the frame of some length [s] that begins at t."""
        self.next = self.last if np.array_equal(coming, self.last) else coming
        self._from, self._span = t, span

    def arrive(self):
        """The frame is over."""
        self.last = self.next

    def follow(self, other):
        """Be what another Track is."""
        self.first, self.last, self.next = other.first, other.last, other.next
        self._from, self._span = other._from, other._span


_MOST = float(np.finfo(np.float32).max)

# Arrays of a snapshot, and their types.
_IN_A_SNAPSHOT = {"first": np.float64, "last": np.float64, "moved": np.bool_, "constants": np.int64}

# Remedies by the change of a collider that caused the problem, and for colliders that join or leave.
_INSTEAD = {
    "rigid shape": "choose Deforming Mesh as its Shape",
    "triangles": "let a mesh whose faces stay the same hold the pins",
    "surface": "let a mesh whose vertices stay the same hold the pins",
    "faces": "let a mesh whose faces stay the same collide in its place",
}
_AT_ALL = "key its Collides or its place instead"


class Misfit(NamedTuple):
    """The name of what changed, or "" where some were removed or others added: names of these."""

    changed: str
    gone: list[str]
    come: list[str]

    @property
    def remedy(self):
        """What keeps it from changing."""
        kind, _, name = self.changed.partition(" of ")
        if not kind:
            name = (self.gone or self.come or [""])[0]
        kept = "them" if kind.endswith("s") else "it"
        instead = (
            "key its strength instead" if name.startswith("force field") else _INSTEAD.get(kind, _AT_ALL)
        )
        return f"keep {kept} the same in all frames, or {instead}"

    @property
    def short(self):
        """What was added or removed, in few words, else what changed."""
        if bool(self.come) == bool(self.gone):
            return told([f"the {self.changed}"]) if self.changed else ""
        name = (self.come or self.gone)[0]
        return f"{name[0].upper()}{name[1:]} was {'added' if self.come else 'removed'}"

    def sentence(self, said):
        """What is other than at the start; said: what people call its kind."""
        if self.gone and not self.come:
            return f"{self.gone[0]} is no longer one of {said}"
        if self.come and not self.gone:
            return f"{self.come[0]} was not one of {said} at the start"
        return told([f"the {self.changed}" if self.changed else said])


class Surroundings:
    """All that is around an object, by reader: a dict of names to Tracks, or to arrays that stay what they are.

    values: dict by reader of dicts of arrays, those of the first frame; those of float64 become Tracks.
    doubts: Doubts about what is rarely meant of them, which whoever builds the simulation may put there.
    """

    def __init__(self, values):
        self.doubts: list = []
        self.values = {
            reader: {name: Track(array) if _varies(array) else array for name, array in arrays.items()}
            for reader, arrays in values.items()
        }
        self._constants = [checksum(array) for _, array in _entries(values) if not _varies(array)]

    @property
    def _tracks(self):
        return [value for _, value in _entries(self.values) if isinstance(value, Track)]

    def head_for(self, values, t, span):
        """Change to the values of a frame of some length [s] that begins at t; `misfit` must have found none."""
        arrays = [array for _, array in _entries(values) if _varies(array)]
        for track, array in zip(self._tracks, arrays, strict=True):
            track.head_for(array, t, span)

    def arrive(self):
        """The frame is over."""
        for track in self._tracks:
            track.arrive()

    def copy(self):
        """Surroundings of the same values, with Tracks of their own."""
        copied = Surroundings({})
        copied._constants = list(self._constants)
        copied.values = {
            reader: {
                name: Track(value.first, value.last) if isinstance(value, Track) else value
                for name, value in values.items()
            }
            for reader, values in self.values.items()
        }
        return copied

    def heading(self):
        """What is read of it in the frame that it heads for, a list of arrays."""
        tracks = self._tracks
        return [*(track.last for track in tracks), *(track.next for track in tracks)]

    def follow(self, other):
        """Head for what others of the same kind head for."""
        for track, followed in zip(self._tracks, other._tracks, strict=True):
            track.follow(followed)

    def begins_as(self, other):
        """Whether others are of the same kind, began with the same values, and stay the same where these do."""
        tracks, others = self._tracks, other._tracks
        return (
            self._constants == other._constants
            and len(tracks) == len(others)
            and all(np.array_equal(a.first, b.first) for a, b in zip(tracks, others, strict=True))
        )

    def misfit(self, values):
        """What is other than at the start and may not be: a reader and a Misfit; None if nothing is, or as long as
        nothing is known of the start, of frames that were kept before this session."""
        if not self.values:
            return None
        for reader, arrays in self.values.items():
            kinds = [isinstance(value, Track) for value in arrays.values()]
            if kinds != [_varies(array) for array in values[reader].values()]:
                before, now = (dict.fromkeys(map(_whose, names)) for names in (arrays, values[reader]))
                gone = [name for name in before if name not in now]
                come = [name for name in now if name not in before]
                return reader, Misfit("", gone, come)
        constants, tracks = iter(self._constants), iter(self._tracks)
        for reader, arrays in values.items():
            for name, array in arrays.items():
                found, expected = (
                    (array.shape, next(tracks).last.shape)
                    if _varies(array)
                    else (checksum(array), next(constants))
                )
                if found != expected:
                    return reader, Misfit(name, [], [])
        return None

    def snapshot(self):
        """What changes with time, as arrays by name: with `restored` it continues bit for bit; empty without Tracks."""
        tracks = self._tracks
        if not tracks and not self._constants:
            return {}
        moved = np.array([track.first is not track.last for track in tracks], dtype=bool)
        return {
            "around_first": _joined(track.first for track, other in zip(tracks, moved, strict=True) if other),
            "around_last": _joined(track.last for track in tracks),
            "around_moved": moved,
            "around_constants": np.array(self._constants, dtype=np.int64),
        }

    @classmethod
    def restored(cls, values, snapshot):
        """Surroundings at a snapshot; values: those of any frame, for names, shapes and what stays as it is.

        Raises ValueError where the snapshot is of other surroundings.
        """
        restored = cls(values)
        tracks, constants = restored._tracks, restored._constants
        if not tracks and not constants:
            return restored
        arrays = [snapshot.get(f"around_{name}") for name in _IN_A_SNAPSHOT]
        if [array is not None and (array.dtype, array.ndim) for array in arrays] != [
            (kind, 1) for kind in _IN_A_SNAPSHOT.values()
        ]:
            raise ValueError("it holds no surroundings")
        first, last, moved, expected = arrays
        # Numbers of Blender are of single precision, and those of a snapshot are believed no more than that.
        if not all((np.abs(values) <= _MOST).all() for values in (first, last)):
            raise ValueError(f"it holds surroundings beyond {_MOST:.0e}")
        sizes = [track.last.size for track in tracks]
        if len(moved) != len(tracks) or len(expected) != len(constants) or len(last) != sum(sizes):
            raise ValueError("it is of other surroundings")
        if len(first) != sum(size for size, other in zip(sizes, moved, strict=True) if other):
            raise ValueError("it is of other surroundings")
        restored._constants = expected.tolist()
        for track, other in zip(tracks, moved, strict=True):
            shape, size = track.last.shape, track.last.size
            value, last = last[:size].reshape(shape), last[size:]
            track.first = track.last = track.next = value
            if other:
                track.first, first = first[:size].reshape(shape), first[size:]
        return restored


def _whose(name):
    """What a name like "motion of 'Body'" is of."""
    return name.partition(" of ")[2] or name


def _varies(array):
    return array.dtype == np.float64


def _entries(values):
    """Names and arrays or Tracks of all readers in order."""
    return [entry for arrays in values.values() for entry in arrays.items()]


def _joined(arrays):
    return np.concatenate([np.empty(0), *(array.ravel() for array in arrays)])

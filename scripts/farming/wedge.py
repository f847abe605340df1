# SPDX-License-Identifier: GPL-3.0-or-later
"""A wedge: values of settings, every combination of which, for every file and object, is a variant."""

import hashlib
import itertools
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Of the values of one setting.
_MOST = 1_000_000
_LONGEST_NAME = 120


class WedgeError(Exception):
    """What was asked for is no wedge; the message says what is wrong and what would be right."""


@dataclass(frozen=True)
class Axis:
    """A setting and its values as texts; `words` are the arguments of a bake for each of them, once they are known."""

    name: str
    values: tuple[str, ...]
    words: tuple[tuple[str, ...], ...] = ()


def axis_of(text):
    """The Axis of `setting=a,b,c` or `setting=first:last:count`; raises WedgeError."""
    name, found, values = text.partition("=")
    name, values = name.strip().lstrip("-"), values.strip()
    if not (found and name and values):
        raise WedgeError(f"{text!r} is no wedge: give setting=a,b,c or setting=first:last:count")
    several = _range(name, values) if ":" in values else tuple(value.strip() for value in values.split(","))
    if "" in several:
        raise WedgeError(
            f"the wedge of {name} has an empty value: give setting=a,b,c or setting=first:last:count"
        )
    twice = next((value for number, value in enumerate(several) if value in several[:number]), None)
    if len(several) <= 1000 and twice is not None:
        raise WedgeError(f"the wedge of {name} has {twice} twice: leave one out")
    return Axis(name, several)


def _range(name, text):
    try:
        first, last, count = text.split(":")
        low, high, steps = float(first), float(last), int(count)
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError
    except ValueError:
        raise WedgeError(f"{text!r} is no range for {name}: give first:last:count, such as 0:1:5") from None
    if steps < 1 or (steps > 1 and low == high):
        raise WedgeError(f"the range {text} of {name} is empty: give another count or other ends")
    if steps > _MOST:
        raise WedgeError(f"the range {text} of {name} has more than {_MOST:,} values: give fewer")
    return tuple(f"{low + (high - low) * number / max(steps - 1, 1):.10g}" for number in range(steps))


@dataclass(frozen=True)
class Variant:
    """One bake: a file, an object, a value of each axis.

    words: arguments of the bake; key: checksum of all its inputs.
    """

    number: int
    name: str
    file: str
    object: str
    settings: dict[str, str]
    words: tuple[str, ...]
    key: str = field(repr=False)


@dataclass(frozen=True)
class Wedge:
    """Files, objects, axes and the arguments that all bakes have in common."""

    files: tuple[str, ...]
    objects: tuple[str, ...]
    axes: tuple[Axis, ...]
    common: tuple[str, ...]

    def __len__(self):
        """Number of variants."""
        return math.prod((len(self.files), len(self.objects), *(len(axis.values) for axis in self.axes)))

    def identity(self):
        """What makes a folder of results this wedge's, as JSON holds it."""
        axes = [[axis.name, list(axis.values)] for axis in self.axes]
        return {
            "files": list(self.files),
            "objects": list(self.objects),
            "axes": axes,
            "common": list(self.common),
        }

    def variants(self, digests, *made_with: Any):
        """Generator of the variants, numbered from 1.

        digests: checksum of each file's content; made_with: whatever else their results depend on.
        """
        digits = len(str(len(self)))
        several = [self.files] * (len(self.files) > 1) + [self.objects] * (len(self.objects) > 1)
        subjects = itertools.product(self.files, self.objects)
        everywhere = itertools.product(*(range(len(axis.values)) for axis in self.axes))
        choices = itertools.product(subjects, everywhere)
        for number, ((file, obj), places) in enumerate(choices, 1):
            chosen = list(zip(self.axes, places, strict=True))
            settings = {axis.name: axis.values[place] for axis, place in chosen}
            words = (*self.common, *(word for axis, place in chosen for word in axis.words[place]))
            title = [Path(file).stem] * (self.files in several) + [obj] * (self.objects in several)
            title += [f"{name}={value}" for name, value in settings.items()]
            name = _file_name("_".join([f"{number:0{digits}}", *title]))
            inputs = [digests[file], obj, words, made_with]
            key = hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:32]
            yield Variant(number, name, file, obj, settings, words, key)


def _file_name(text):
    """A name that every file system takes; its number makes it unique."""
    return re.sub(r"[^\w=.+-]", "-", text).encode()[:_LONGEST_NAME].decode(errors="ignore").rstrip(".")

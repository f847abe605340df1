# SPDX-License-Identifier: GPL-3.0-or-later
"""One shape key a frame, or every few frames."""

import numpy as np

from ...core.principal_shapes import vertex_errors
from . import keys
from .mode import Baked, megabytes, range_length


class ShapeKeys(keys.KeyMode):
    """Each key is on at its own frame and fades linearly to its neighbours, so that motion blur and exports see
    straight lines between frames."""

    id = "SHAPE_KEYS"
    label = "Shape Keys"
    description = (
        "One shape key per frame, or every few frames, with linear motion between them. The object's own "
        "keys stay. Modifiers above Hooke are turned off, since the keys contain their effect"
    )
    settings = ("bake_step",)

    def cost(self, obj):
        """A key every few frames."""
        count = len(_picked(range_length(obj), obj.hooke.bake_step))
        return f"{count:,} keys, {megabytes(obj, count)}"

    def make(self, obj, frames, frame_start, options):
        """Add keys of every `options.step`-th frame and of the last one."""
        picked = _picked(len(frames), options.step)
        largest = _largest_error(frames, picked, keys.basis(obj))
        keys.begin(obj)
        for place, index in enumerate(picked):
            near = picked[max(place - 1, 0) : place + 2]
            values = [float(other == index) for other in near]
            name = f"{frame_start + index:04d}"
            keys.add(obj, name, frames[index], [frame_start + other for other in near], values)
        return Baked(len(picked), largest)


def _picked(count, step):
    """Indices of every step-th frame and of the last one."""
    return [*range(0, count - 1, step), count - 1]


def _largest_error(frames, picked, basis):
    """Largest distance [m] of any vertex, in any frame, from the line between the frames that were picked."""
    largest = 0.0
    for begin, end in zip(picked, picked[1:] or picked, strict=False):
        ends = np.stack([frames[begin], frames[end]])
        # One frame at a time: there may be many between two keys.
        for index in range(begin, end + 1):
            share = np.float32((index - begin) / max(1, end - begin))
            weights = np.array([[1 - share, share]])
            errors = vertex_errors(ends, weights, basis, frames[index][None])
            largest = max(largest, float(errors.max(initial=0.0)))
    return largest

# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames whose end runs into their beginning."""

import numpy as np

from .cache import Frames


class Looped(Frames):
    """Frames of which the last `blend` of the first `count` ease into the first, so that playing repeats smoothly.

    frames: sequence of positions [m], shape (vertex_count, 3), which may end before `count`: a frame follows from
    itself and the first alone. The share s of the first rises from 0 to 1 by 3 s^2 - 2 s^3 of the way, without a jump
    in velocity; the last of the `count` frames is the first one.

    Raises ValueError where count is below 1; no more frames blend than come after the first.
    """

    def __init__(self, frames, count, blend):
        if count < 1:
            raise ValueError(f"a loop of {count} frames has none: give 1 or more")
        self._frames, self._count = frames, count
        self._blend = min(blend, count - 1)

    def __len__(self):
        return len(self._frames)

    def _read(self, index):
        positions = self._frames[index]
        way = (index - (self._count - 1 - self._blend)) / self._blend if self._blend else 0.0
        if way <= 0.0 or index >= self._count:
            return positions
        share = np.float32(3.0 * way**2 - 2.0 * way**3)
        return (positions + share * (self._frames[0] - positions)).astype(np.float32)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A take's frames as they are shown: eased into a loop, between two frames, and held in memory for a render."""

import numpy as np

from ...core.cache import CacheError
from ...core.looping_frames import Looped
from .frame_errors import Damaged
from .frame_notes import read_torn


class DisplayedFrames:
    """What is shown of a Take.

    Positions are in object space, float32, shape (vertex_count, 3); places are counted from the start frame.
    """

    def __init__(self, take):
        self._take = take
        self._blend, self._count = 0, 0
        self._held: dict = {}

    def follow(self, settings):
        """Ease the end of the range into its beginning as an object's settings say; returns whether that is new."""
        before = self._blend, self._count
        self._blend, self._count = settings.loop_blend, settings.frame_end - settings.frame_start + 1
        return (self._blend, self._count) != before

    @property
    def frames(self):
        """All frames, a sequence."""
        frames = self._take.frames
        return Looped(frames, self._count, self._blend) if self._loops else frames

    @property
    def _loops(self):
        return self._blend > 0 and self._count > 0

    @property
    def _last(self):
        """Index of the newest frame within the range."""
        return min(len(self._take), max(self._count, 1)) - 1

    def eased(self, index, positions):
        """A frame that was read, as it is shown."""
        return self.at(index) if self._loops else positions

    def at(self, place):
        """Positions at a place, on a straight line between two frames, the last one's beyond it; raises Damaged."""
        index, last = int(np.floor(place)), self._last
        frame = self._read(min(index, last))
        if place == index or index >= last:
            return frame
        return frame + np.float32(place - index) * (self._read(min(index + 1, last)) - frame)

    def torn(self, place, count):
        """Mask of the faces, so many, that are torn at a place, or None for none."""
        index = min(int(np.floor(place)), self._last)
        return read_torn(self._take.frames, index, count) if index > 0 else None

    def hold(self, index):
        """Have a frame in memory, and those before and after it, until `let_go`; raises Damaged."""
        self.let_go()
        last = self._last
        wanted = {max(0, min(near, last)) for near in (index - 1, index, index + 1)} if last >= 0 else ()
        self._held = {near: self._read(near) for near in wanted}

    def let_go(self):
        """Hold no frame."""
        self._held = {}

    def _read(self, index):
        if index in self._held:
            return self._held[index]
        try:
            return self.frames[index]
        except (CacheError, IndexError) as error:
            raise Damaged(str(error)) from error

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several bodies in one network are kept out of each other."""

import numpy as np


class Bodies:
    """Pairs of bodies that collide, none with itself.

    numbers: of the body of every particle, from 0, shape (particle_count,); meeting: symmetric mask of the pairs of
    bodies that collide, None for all of them.

    Raises ValueError for numbers below 0, or a mask of another shape or that is not symmetric.
    """

    def __init__(self, numbers, meeting=None):
        self._numbers = np.asarray(numbers, dtype=np.intp)
        if self._numbers.min(initial=0) < 0:
            raise ValueError(f"a body has the number {self._numbers.min()}: numbers begin at 0")
        count = self._numbers.max(initial=0) + 1
        meeting = np.ones((count, count), dtype=bool) if meeting is None else np.array(meeting, dtype=bool)
        if meeting.shape != (count, count) or (meeting != meeting.T).any():
            raise ValueError(
                f"the mask of the bodies that meet has shape {meeting.shape}: give a symmetric one of shape "
                f"{(count, count)}"
            )
        np.fill_diagonal(meeting, False)
        self._meeting = meeting

    def meet(self, one, other):
        """Whether particles are of bodies that collide; one, other: indices of particles."""
        return self._meeting[self._numbers[one], self._numbers[other]]

    def of_patches(self, sides, patch_count):
        """Whether anything in one patch may meet anything in another, shape (patch_count, patch_count).

        sides: of each kind of elements the corners and the patches.
        """
        holds = np.zeros((patch_count, len(self._meeting)), dtype=bool)
        for corners, patches in sides:
            holds[patches, self._numbers[corners[:, 0]]] = True
        return (holds.astype(np.float64) @ self._meeting @ holds.T) > 0.0

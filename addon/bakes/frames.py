# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames a bake reads."""

from collections.abc import Sequence

import numpy as np

from ..mesh_io import MeshError


class BakeFrames(Sequence):
    """Frames of an object, each checked when it is read; `stop` is asked before each.

    frames: sequence of positions in object space, float32; number: frame number of the first one.
    Reading raises MeshError where they cannot be read, do not fit the mesh, or are not finite, and what `stop` raises.
    """

    def __init__(self, obj, frames, number, stop):
        self._frames, self._number, self._stop = frames, number, stop
        self._name, self._shape = obj.name, (len(obj.data.vertices), 3)

    def __len__(self):
        return len(self._frames)

    def __getitem__(self, index):
        self._stop()
        try:
            positions = self._frames[index]
        except ValueError as error:
            raise MeshError(str(error)) from error
        if positions.shape != self._shape:
            raise MeshError(
                f"frame {self._number + index} of '{self._name}' holds {len(positions)} vertices and the mesh "
                f"{self._shape[0]}: press Reset and simulate again"
            )
        if not np.isfinite(positions).all():
            raise MeshError(
                f"frame {self._number + index} of '{self._name}' holds coordinates that are no numbers: press Reset "
                "and simulate again"
            )
        return positions

# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of elements that join a few vertices each, as volumes and pleats: chosen, joined and renumbered."""

from dataclasses import fields, replace
from typing import Any

import numpy as np


class ElementRows:
    """A dataclass of arrays that have a row for every element, `vertices` among them; `none()` gives one of no rows."""

    vertices: np.ndarray

    @classmethod
    def joined(cls: Any, several):
        """All elements of several, one after the other."""
        several = [cls.none(), *several]
        return cls(*(np.concatenate([getattr(of, field.name) for of in several]) for field in fields(cls)))

    def __len__(self):
        return len(self.vertices)

    def chosen(self: Any, rows):
        """Some of them, by their indices or a mask."""
        return replace(self, **{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def renumbered(self: Any, numbers):
        """The same between other vertices: `numbers` has the new index of each."""
        return replace(self, vertices=numbers[self.vertices])

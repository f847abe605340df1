# SPDX-License-Identifier: GPL-3.0-or-later
"""A measurement: scenes, a quantity of each, and the table of a page that has one row for each scene."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from . import machine
from .page import DOCS, table, write_block


class Measured(NamedTuple):
    """A table between the markers `lab:block` of a page in docs/.

    scenes: the first cell of a row, or a tuple of the first ones -> arguments of the quantity, a tuple. quantity:
    returns the other cells. note: text above the table; below: text under it; `{machine}` becomes the machine.
    """

    block: str
    page: str
    headings: tuple[str, ...]
    scenes: Mapping[Any, tuple]
    quantity: Callable[..., Iterable]
    note: str = ""
    below: str = ""
    right: bool = True

    def write(self):
        """Measure every scene, print its row, and write the table."""
        rows = []
        for name, scene in self.scenes.items():
            rows.append((*((name,) if isinstance(name, str) else name), *map(str, self.quantity(*scene))))
            print("  " + "  ".join(rows[-1]), flush=True)
        parts = (self.note, table(self.headings, rows, right=self.right), self.below)
        text = "\n\n".join(part.replace("{machine}", machine.description()) for part in parts if part)
        write_block(self.block, text, DOCS / self.page)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A measurement: scenes, a quantity of each, and the table of a page that has one row for each scene."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from . import machine
from .page import DOCS, kept_rows, read_block, table, write_block


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

    def write(self, beginnings=()):
        """Measure every scene, or those whose rows begin with some words, and write the table; other rows stay.

        Each row is printed. Where words begin no row, the table stays.
        """
        names, chosen, rows = self._names(), self.chosen(beginnings), {}
        if not chosen:
            return
        if beginnings:
            kept = kept_rows(self.headings, read_block(self.block, DOCS / self.page))
            rows = {first: row for row in kept for first in names if row[: len(first)] == first}
        for first in chosen:
            rows[first] = (*first, *map(str, self.quantity(*self.scenes[names[first]])))
            print("  " + "  ".join(rows[first]), flush=True)
        body = table(self.headings, [rows[first] for first in names if first in rows], right=self.right)
        texts = [
            text.replace("{machine}", machine.description()) for text in (self.note, body, self.below) if text
        ]
        write_block(self.block, "\n\n".join(texts), DOCS / self.page)

    def chosen(self, beginnings):
        """First cells of the rows whose words begin with some of these, a tuple each; of all where there are none."""
        return [
            name for name in self._names() if not beginnings or ", ".join(name).startswith(tuple(beginnings))
        ]

    def _names(self):
        return {name if isinstance(name, tuple) else (name,): name for name in self.scenes}

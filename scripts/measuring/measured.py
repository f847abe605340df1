# SPDX-License-Identifier: GPL-3.0-or-later
"""A measurement: scenes, a quantity of each, and the table of a page that has one row for each scene."""

import sys
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

        Each row is printed. Ends the process where words begin no row.
        """
        names = {name if isinstance(name, tuple) else (name,): name for name in self.scenes}
        chosen = _beginning(names, beginnings)
        rows = {}
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


def _beginning(names, beginnings):
    """The names whose words begin with some, all where there are none."""
    words = {name: ", ".join(name) for name in names}
    for beginning in beginnings:
        if not any(text.startswith(beginning) for text in words.values()):
            sys.exit(f"no row begins with “{beginning}”: there are {'; '.join(words.values())}")
    return [name for name, text in words.items() if not beginnings or text.startswith(tuple(beginnings))]

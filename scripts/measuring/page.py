# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown tables between markers in the pages of docs/."""

from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def table(header, rows, *, right=True):
    """Markdown table; the first column is left-aligned, the others right unless told otherwise."""
    lines = [header, [":--", *["--:" if right else ":--"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def kept_rows(header, text):
    """Rows of the first table with such a header in a text, as tuples of their cells; none where there is none."""
    lines = text.splitlines()
    found = [_cells(line) == tuple(map(str, header)) for line in lines]
    if not any(found):
        return []
    below = lines[found.index(True) + 2 :]
    return [_cells(line) for line in takewhile(lambda line: line.startswith("|"), below)]


def _cells(line):
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def read_block(name, page):
    """The text between <!-- lab:name --> and <!-- /lab:name --> in a page; raises as `write_block`."""
    return _block(name, page)[1].strip()


def write_block(name, text, page):
    """Put text between <!-- lab:name --> and <!-- /lab:name --> in a page.

    Raises ValueError where the page has no such pair of markers.
    """
    before, _, after = _block(name, page)
    page.write_text(f"{before}\n{text.strip()}\n{after}", encoding="utf-8")


def _block(name, page):
    """A page up to the end of the opening marker, between both, and from the closing one on."""
    opening, closing = f"<!-- lab:{name} -->", f"<!-- /lab:{name} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(opening)
    between, found_closing, after = rest.partition(closing)
    if not (found and found_closing):
        raise ValueError(f"{page.name} has no markers {opening} and {closing}: add them where the text goes")
    return before + opening, between, closing + after


def significant(value, digits=2):
    """A number with so many significant digits, as a power of ten from 10 000 up and below 0.0001."""
    if value == 0.0:
        return "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    if 1e-4 <= abs(value) < 1e4:
        return f"{value:.{max(0, digits - 1 - int(power))}f}"
    return f"{mantissa}·10{str(int(power)).translate(SUPERSCRIPTS)}"


def spread(milliseconds):
    """Median, least and most of many times as one cell."""
    times = sorted(milliseconds)
    middle = 0.5 * (times[len(times) // 2] + times[(len(times) - 1) // 2])
    return f"{middle:.1f} ({times[0]:.1f}–{times[-1]:.1f})"

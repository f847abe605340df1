# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of plain text, and how figures read in a cell."""

import numpy as np


def print_table(title, headings, rows):
    """Print rows of text under headings, each column as wide as it needs."""
    cells = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    print(f"\n{title}")
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print(flush=True)


def spread(milliseconds):
    """Median, least and most of many times as one cell."""
    return f"{np.median(milliseconds):.1f} ({np.min(milliseconds):.1f}–{np.max(milliseconds):.1f})"

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab writes: Markdown tables between markers in docs/integrators.md, pictures in docs/pictures/."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "integrators.md"
PICTURES = ROOT / "docs" / "pictures"

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def table(header, rows, *, right=True):
    """Markdown table; the first column is left-aligned, the others right unless told otherwise."""
    lines = [header, [":--", *["--:" if right else ":--"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def write_block(name, text, page=PAGE, maker="lab"):
    """Put text between <!-- maker:name --> and <!-- /maker:name --> in a page.

    Raises ValueError where the page has no such pair of markers.
    """
    opening, closing = f"<!-- {maker}:{name} -->", f"<!-- /{maker}:{name} -->"
    content = page.read_text(encoding="utf-8")
    before, found, rest = content.partition(opening)
    _, found_closing, after = rest.partition(closing)
    if not (found and found_closing):
        raise ValueError(f"{page.name} has no markers {opening} and {closing}: add them where the text goes")
    page.write_text(f"{before}{opening}\n{text.strip()}\n{closing}{after}", encoding="utf-8")


def significant(value, digits=2):
    """A number with so many significant digits, as a power of ten from 10 000 up and below 0.0001."""
    if value == 0.0:
        return "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    if 1e-4 <= abs(value) < 1e4:
        return f"{value:.{max(0, digits - 1 - int(power))}f}"
    return f"{mantissa}·10{str(int(power)).translate(SUPERSCRIPTS)}"

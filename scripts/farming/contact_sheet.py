# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture to choose from: frames of all variants in the order of the wedge, and their numbers below."""

import io
import math
import textwrap
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from hooke.core import output_files
from hooke.core.file_kinds import PNG, Kind

from . import tables

# Beyond these a sheet goes on with the next page.
_CELLS_A_PAGE, _WIDEST = 120, 6000
_MARGIN, _GAP, _TEXT = 24, 10, 15
_PAPER, _INK, _FAINT, _MISSING = (250, 250, 248), (30, 30, 34), (120, 120, 126), (228, 226, 222)
# What says of a picture that it is a page of a contact sheet.
_OURS = PngInfo()
_OURS.add_text("Software", "Hooke's farm")
_SHEET = Kind("a contact sheet", lambda file: Image.open(file).info.get("Software") == "Hooke's farm")
_LOW, _HIGH = (236, 242, 247), (243, 168, 110)


def write(folder, axes, rows, numbers, size):
    """Write contact_sheet.png, and contact_sheet-2.png and so on where there are too many variants for one page.

    axes: of the Wedge; rows: of `tables.row` in the wedge's order; numbers: columns of table.csv for the strip below;
    size: width and height of a frame [px], for variants without one. Returns the paths; raises OSError, and
    output_files.Refused where anything but a picture is in the place of one. Pages of before that are too many go.
    """
    folder = Path(folder)
    columns = _columns(axes, rows)
    a_page = max(columns, _CELLS_A_PAGE // columns * columns)
    pages = [rows[first : first + a_page] for first in range(0, len(rows), a_page)]
    paths = []
    for number, page in enumerate(pages, 1):
        paths.append(folder / ("contact_sheet.png" if number == 1 else f"contact_sheet-{number}.png"))
        content = io.BytesIO()
        _page(folder, page, titles_of(rows), columns, numbers, size).save(
            content, "PNG", optimize=True, pnginfo=_OURS
        )
        output_files.write(paths[-1], content.getvalue(), PNG)
    for path in folder.glob("contact_sheet-*.png"):
        if path not in paths and output_files.is_of(path, _SHEET):
            path.unlink()
    return paths


def _columns(axes, rows):
    """Variants side by side: the last axis, if it is not the only one and fits."""
    last = len(axes[-1].values) if len(axes) > 1 else 1
    return last if 1 <= last <= 12 else min(len(rows), 4)


def titles_of(rows):
    """What tells variants apart besides their settings: dict (file, object) -> names, of several files and objects.

    Files of one name are told apart by their folders.
    """
    files, objects = {row["file"] for row in rows}, {row["object"] for row in rows}
    stems = [Path(file).stem for file in files]
    titles = {}
    for file, obj in {(row["file"], row["object"]) for row in rows}:
        path = Path(file)
        name = path.stem if stems.count(path.stem) == 1 else path.as_posix()
        titles[file, obj] = [name] * (len(files) > 1) + [obj] * (len(objects) > 1)
    return titles


def _page(folder, rows, titles, columns, numbers, size):
    font = ImageFont.load_default(_TEXT)
    cells = [_cell(folder, row, label_of(row, titles), size, font) for row in rows]
    width, height = (max(cell.size[side] for cell in cells) for side in (0, 1))
    scale = min(1.0, _WIDEST / (columns * (width + _GAP)))
    if scale < 1.0:
        cells = [cell.resize([max(1, round(scale * side)) for side in cell.size]) for cell in cells]
        width, height = round(scale * width), round(scale * height)
    lines = math.ceil(len(cells) / columns)
    strips = [_strip(rows, columns, name, font) for name in numbers]
    strips = [strip for strip in strips if strip is not None]
    grid_width = columns * (width + _GAP) - _GAP
    layout = _beside(strips, max(grid_width, 600))
    page_width = max(grid_width, *(x + strip.width for strip, x, _ in layout)) if layout else grid_width
    below = _MARGIN + lines * (height + _GAP)
    bottom = max((y + strip.height for strip, _, y in layout), default=0)
    page = Image.new("RGB", (page_width + 2 * _MARGIN, below + bottom + _MARGIN), _PAPER)
    for place, cell in enumerate(cells):
        row, column = divmod(place, columns)
        page.paste(cell, (_MARGIN + column * (width + _GAP), _MARGIN + row * (height + _GAP)))
    for strip, x, y in layout:
        page.paste(strip, (_MARGIN + x, below + y))
    return page


def _cell(folder, row, label, size, font):
    """The frames of a variant under its label."""
    path = folder / (row["folder"] or "") / (row["picture"] or "")
    try:
        with Image.open(path) as opened:
            picture = opened.convert("RGB")
    except OSError:
        picture = Image.new("RGB", (2 * size[0], size[1]), _MISSING)
        words = row["errors"]["sentence"] if row["status"] != "done" else "no picture"
        text = f"{row['status']}: {words}" if words else row["status"]
        text = "\n".join(textwrap.wrap(text, _letters(picture.width - 20, font))[:7])
        ImageDraw.Draw(picture).multiline_text((10, 10), text, fill=_FAINT, font=font)
    head = 2 + (_TEXT + 4) * len(label)
    cell = Image.new("RGB", (picture.width, picture.height + head), _PAPER)
    cell.paste(picture, (0, head))
    draw = ImageDraw.Draw(cell)
    for line, words in enumerate(label):
        most = _letters(picture.width, font)
        shown = words if len(words) <= most else f"{words[: most - 1]}…"
        draw.text((2, (_TEXT + 4) * line), shown, fill=_INK, font=font)
    return cell


def label_of(row, titles):
    """Lines for above a variant: its number, that of one it moves as, and a line for each that varies; `titles_of`."""
    varies = titles[row["file"], row["object"]] + [
        f"{name} {value}" for name, value in row["settings"].items()
    ]
    lines = varies or [row["object"]]
    same = f" = {row['same_as']}" if row["same_as"] is not None else ""
    return [f"{row['number']}{same}   {lines[0]}", *lines[1:]]


def _strip(rows, columns, name, font):
    """One number of every variant, laid out as the variants are, the higher the warmer; None where nobody has it."""
    flat = [tables.flattened(row).get(name) for row in rows]
    values = [value if isinstance(value, (int, float)) and math.isfinite(value) else None for value in flat]
    known = [value for value in values if value is not None]
    if not known:
        return None
    low, span = min(known), max(known) - min(known)
    width, height, head = 78, 26, 30
    lines = math.ceil(len(rows) / columns)
    shown = Image.new("RGB", (max(columns * width, 190), head + lines * height), _PAPER)
    draw = ImageDraw.Draw(shown)
    draw.text((2, 6), name, fill=_INK, font=font)
    for place, value in enumerate(values):
        line, column = divmod(place, columns)
        corner = (column * width, head + line * height)
        share = 0.0 if value is None or span == 0.0 else (value - low) / span
        color = _MISSING if value is None else _between(_LOW, _HIGH, share)
        draw.rectangle((*corner, corner[0] + width - 3, corner[1] + height - 3), fill=color)
        text = "–" if value is None else f"{value:.3g}"
        draw.text((corner[0] + 6, corner[1] + 4), text, fill=_INK, font=font)
    return shown


def _beside(strips, width):
    """Each strip with its place, from left to right and then below."""
    placed, x, y, tallest = [], 0, 0, 0
    for strip in strips:
        if x and x + strip.width > width:
            x, y, tallest = 0, y + tallest + _GAP, 0
        placed.append((strip, x, y))
        x, tallest = x + strip.width + 3 * _GAP, max(tallest, strip.height)
    return placed


def _between(low, high, share):
    return tuple(round(a + share * (b - a)) for a, b in zip(low, high, strict=True))


def _letters(width, font):
    """How many letters a width [px] has room for."""
    return max(4, int(width / font.getlength("n")))

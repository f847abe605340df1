# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of every variant, as a table for people's spreadsheets and one for programs."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from . import output_folder

MISSING = "missing"
# A share of the stiffness that people read as all of it.
_ALL = 0.995


def rows(found):
    """Rows of pairs of a Variant and its record, a list, in which what moves as one before, to the bit, is named."""
    made = [
        (row(variant, record), (record.get("report") or {}).get("frames_checksum"))
        for variant, record in found
    ]
    first: dict[tuple, int] = {}
    for each, checksum in made:
        motion = each["file"], each["object"], checksum
        number = first.setdefault(motion, each["number"]) if checksum else each["number"]
        each["same_as"] = number if number != each["number"] else None
    return [each for each, _ in made]


def same(rows):
    """Sentences on variants that move as others, to the bit, one for each of these."""
    groups: dict[int, list] = {}
    for each in rows:
        if each["same_as"] is not None:
            groups.setdefault(each["same_as"], []).append(each)
    return [_same(number, alike) for number, alike in groups.items()]


def _same(number, alike):
    names = ", ".join(str(each["number"]) for each in alike)
    share = min(each["stiffness_share"] for each in alike)
    text = f"{names} {'moves' if len(alike) == 1 else 'move'} as {number} does, bit for bit"
    if share < _ALL:
        carried = f"{100 * share:.2g} % of the stiffness is carried"
        text += f": {carried}, and more of it makes no difference; choose a higher effort"
    return text


def row(variant, record):
    """What the tables say of a variant, a dict that JSON holds; record: its own, or {} where there is none."""
    report = record.get("report") or {}
    times = record.get("times") or {}
    return {
        "number": variant.number,
        "file": variant.file,
        "object": variant.object,
        "settings": dict(variant.settings),
        "status": record.get("status", MISSING),
        "same_as": None,
        "folder": variant.name if record else None,
        "picture": record.get("picture") or None,
        "times": {
            "bake": times.get("bake"),
            "picture": times.get("picture"),
            "ms_per_frame": report.get("ms_per_frame"),
        },
        "strains": {"largest": report.get("largest_strain")},
        "stiffness_share": report.get("stiffness_share"),
        "energies": report.get("energies"),
        "errors": {"bake": report.get("largest_error"), "sentence": record.get("error", "")},
        "frames": report.get("frames"),
        "frames_from_cache": report.get("frames_from_cache"),
        "attempts": record.get("attempts"),
        "machine": record.get("machine"),
        "versions": report.get("versions"),
    }


def write(folder, rows):
    """Write table.json and table.csv into a folder; raises OSError, output_files.Refused."""
    folder = Path(folder)
    output_folder.write_whole(
        folder / "table.json", json.dumps(rows, indent=1) + "\n", output_folder.TABLE_JSON
    )
    flat = [flattened(each) for each in rows]
    names = list(dict.fromkeys(name for each in flat for name in each))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    output_folder.write_whole(folder / "table.csv", text.getvalue(), output_folder.TABLE_CSV)


def flattened(nested, *path):
    """A row with one level: a group's name and what is in it are joined by a dot, settings stand alone."""
    flat: dict[str, Any] = {}
    for name, value in nested.items():
        if isinstance(value, dict):
            flat |= flattened(value, *([] if name == "settings" else [*path, name]))
        else:
            flat[".".join([*path, name])] = value
    return flat

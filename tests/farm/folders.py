# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in a folder of results; hidden folders in it are still being written."""

import hashlib
import json
from pathlib import Path


def table(output):
    """The rows of table.json."""
    return json.loads(Path(output, "table.json").read_text(encoding="utf-8"))


def done(output):
    """Numbers of the variants that are done, a set, by their own records."""
    records = [
        json.loads(path.read_text(encoding="utf-8")) for path in Path(output).glob("[!.]*/variant.json")
    ]
    return {record["number"] for record in records if record["status"] == "done"}


def positions(output):
    """Checksum of every variant's cache of positions, by number."""
    found = {}
    for path in Path(output).glob("[!.]*/*_hooke/*.pc2"):
        number = json.loads((path.parents[1] / "variant.json").read_text(encoding="utf-8"))["number"]
        found[number] = checksum(path)
    return found


def checksum(path):
    """Of what a file holds."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def made_at(output):
    """When each variant's record was written, by number: it is never written again."""
    return {
        json.loads(path.read_text(encoding="utf-8"))["number"]: path.stat().st_mtime_ns
        for path in Path(output).glob("[!.]*/variant.json")
    }

# SPDX-License-Identifier: GPL-3.0-or-later
"""Results on disk: one JSON file a subject, and arrays too large for it, in build/benchmark/."""

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "build" / "benchmark"


def write(subject, results):
    """Keep what a subject measured, with the machine it was measured on."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1)
    (FOLDER / f"{subject}.json").write_text(text, encoding="utf-8")


def read(subject):
    """What a subject measured last, or None."""
    file = FOLDER / f"{subject}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None

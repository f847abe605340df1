# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured, as tables and pictures of docs/benchmark.md."""

from measuring import results
from measuring.page import ROOT, table, write_block

from . import plots
from .subjects import SUBJECTS

PAGE = ROOT / "docs" / "benchmark.md"


def run():
    """Write the block of every subject that has results, and draw its picture."""
    races = {}
    for name in SUBJECTS:
        found = results.read(name)
        if found is None:
            print(f"  {name} has not been measured: docs/benchmark.md keeps what it says", flush=True)
            continue
        parts = []
        for title, headings, rows in found["tables"]:
            parts.append(f"**{title}**\n\n{table(headings, rows)}")
        write_block(name, "\n\n".join([*parts, f"Measured on {found['machine']}."]), PAGE, "benchmark")
        print(f"  docs/benchmark.md: {name}", flush=True)
        if name in plots.DRAWN:
            plots.DRAWN[name](found)
        if name in ("rivals", "packages"):
            races[found["title"]] = found
    if races:
        plots.draw_truth(races)

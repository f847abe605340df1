# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance from the reference over the cost of a frame, docs/pictures/benchmark-truth.png, from the page's tables.

One panel a race: times compare within one only.
"""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
from measuring.page import DOCS, PICTURES, kept_rows, read_block

from .race import HEADINGS

RACES = {"rivals": "in Blender", "packages": "without Blender"}
# Hooke stands out; everyone else's kind has a colour.
KINDS = {
    "Hooke": "#0b5394",
    "Cloth": "#c0152f",
    "Soft Body": "#d9a31a",
    "XPBD": "#6a2c91",
    "pyPBD": "#1b8a5a",
    "Newton": "#8a5a00",
}


def run():
    """Draw it."""
    figure, panels = plt.subplots(1, len(RACES), figsize=(6.4 * len(RACES), 5.6), sharey=True)
    for panel, (block, title) in zip(panels, RACES.items(), strict=True):
        rows = kept_rows(("", *HEADINGS), read_block(block, DOCS / "benchmark.md"))
        # Who failed, or was no second under way, has no distance.
        for number, (name, time, _, distance, *_) in enumerate(row for row in rows if row[3].endswith(" m")):
            colour = next(colour for kind, colour in KINDS.items() if name.startswith(kind))
            place = float(time.split()[0].replace(",", "")), float(distance.split()[0])
            panel.plot(*place, "osD^vP*X"[number % 8], color=colour, label=name)
        panel.set(xscale="log", yscale="log", title=title, xlabel="median time of a frame [ms]")
        panel.legend(frameon=False, fontsize=7)
    panels[0].set_ylabel("RMS distance from the reference after a second [m]")
    figure.tight_layout()
    figure.savefig(PICTURES / "benchmark-truth.png", dpi=160, metadata={"Software": None})

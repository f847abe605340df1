# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what was measured, docs/pictures/benchmark-*.png."""

import matplotlib.pyplot as plt
import numpy as np
from measuring import figures, results

from .courses import FPS
from .race import MOMENTS, distance_at

# Hooke stands out; everyone else's kind has a colour.
KINDS = {
    "Hooke": "#0b5394",
    "Cloth": "#c0152f",
    "Soft Body": "#d9a31a",
    "XPBD": "#6a2c91",
    "pyPBD": "#1b8a5a",
    "Newton": "#8a5a00",
}


def _measured(found):
    return [row for row in found["parts"][0]["rows"] if "failed" not in row]


def _style(number, name):
    """Colour of a contestant's kind, and a marker and dashes of its own."""
    colour = next(colour for kind, colour in KINDS.items() if name.startswith(kind))
    return {
        "color": colour,
        "marker": "osD^vP*X"[number % 8],
        "linestyle": ("-", "--", ":", "-.")[number % 4],
    }


def draw_race(name):
    """A function that draws the first part of a race into docs/pictures/benchmark-<name>.png."""

    def draw(found):
        rows = _measured(found)
        figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 0.24 * len(rows) + 2.2))
        for number, row in enumerate(rows):
            style = _style(number, row["name"])
            left.plot(row["median_ms"], 100.0 * row["worst_stretch"], **style)
            t = np.arange(1, len(row["distances"]) + 1) / FPS
            right.plot(t, row["distances"], **style, label=row["name"], markersize=4, markevery=8)
        left.set(xscale="log", yscale="log", title="a frame's cost and its worst stretch")
        left.set(xlabel="median time of a frame [ms]", ylabel="worst stretch of an edge [%]")
        right.set(
            yscale="log", xlabel="time [s]", ylabel="RMS distance [m]", title="distance from the reference"
        )
        right.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        figure.tight_layout()
        figures.save(figure, f"benchmark-{name}.png")

    return draw


def draw_truth(races):
    """Distance from the reference over the cost of a frame, everyone of some races, docs/pictures/benchmark-truth.png.

    races: dict of title -> results. One panel a race: times compare within one only. One of fewer frames has no place.
    """
    moment = MOMENTS[-1]
    races = {
        title: [row for row in _measured(found) if distance_at(row, moment) is not None]
        for title, found in races.items()
    }
    races = {title: rows for title, rows in races.items() if rows}
    if not races:
        return
    figure, panels = plt.subplots(1, len(races), figsize=(6.4 * len(races), 5.6), sharey=True, squeeze=False)
    for panel, (title, rows) in zip(panels[0], races.items(), strict=True):
        for number, row in enumerate(rows):
            panel.plot(
                row["median_ms"], distance_at(row, moment), **_style(number, row["name"]), label=row["name"]
            )
        panel.set(xscale="log", yscale="log", title=title, xlabel="median time of a frame [ms]")
        panel.legend(frameon=False, fontsize=7)
    panels[0][0].set_ylabel(f"RMS distance from the reference after {moment:.0f} s [m]")
    figure.tight_layout()
    figures.save(figure, "benchmark-truth.png")


def draw_moments(found):
    """The rendered pictures, a column a contestant and a row a moment, docs/pictures/benchmark-<title>.png."""
    files = {name: names for name, names in found["files"].items() if names}
    moments = max(map(len, files.values()))
    height, width = plt.imread(results.FOLDER / next(iter(files.values()))[0]).shape[:2]
    size = 2.2 * len(files), 2.2 * height / width * moments
    figure, panels = plt.subplots(moments, len(files), figsize=size, squeeze=False)
    for column, (name, names) in enumerate(files.items()):
        panels[0][column].set_title(name.replace(", ", "\n"), loc="center", fontsize=9)
        for row, panel in enumerate(panels[:, column]):
            panel.set_axis_off()
            if row < len(names):
                panel.imshow(plt.imread(results.FOLDER / names[row]))
                frame = int(names[row].removesuffix(".png").rpartition("-")[2])
                if column == 0:
                    place = {"transform": panel.transAxes, "ha": "right", "va": "center"}
                    panel.text(-0.04, 0.5, f"{frame / FPS:.2f} s", **place)
    figure.subplots_adjust(wspace=0.02, hspace=0.02)
    figures.save(figure, f"benchmark-{found['title'].replace(' ', '-')}.png", rendered=True)


DRAWN = {
    "rivals": draw_race("rivals"),
    "packages": draw_race("packages"),
    "collision": draw_moments,
    "self_collision": draw_moments,
}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what was measured, docs/pictures/benchmark-*.png."""

import matplotlib.pyplot as plt
import numpy as np
from measuring import figures

from . import sheet

SOLVERS = {"CHOLMOD": "#0b5394", "SUPERLU": "#4aa3df"}
PLAIN = ("#c0152f", "#f07f4f")


def draw_core(found):
    """Time of an iteration, of the factorisation, and how far local step and solve are from the memory's limit."""
    names = list(dict.fromkeys(row["solver"] for row in found["rows"]))
    plain = iter(PLAIN)
    colours = {name: SOLVERS.get(name) or next(plain) for name in names}
    figure, panels = plt.subplots(1, 3, figsize=(10.5, 4.0))
    for panel, quantity, scale, title in (
        (panels[0], "iteration_ms", 1.0, "one iteration [ms]"),
        (panels[1], "factorise_s", 1e3, "factorise once [ms]"),
    ):
        for name in names:
            rows = [row for row in found["rows"] if row["solver"] == name]
            counts, values = zip(*((row["side"] ** 2, scale * row[quantity]) for row in rows), strict=True)
            panel.plot(counts, values, color=colours[name], marker="o", markersize=3, label=name)
        panel.set(xscale="log", yscale="log", title=title, xlabel="vertices")
    for name in (name for name in names if name in SOLVERS):
        rows = [row for row in found["rows"] if row["solver"] == name]
        for part, style in (("local", "-"), ("solve", "--")):
            points = [
                (row["side"] ** 2, row[f"{part}_ms"] / row[f"{part}_limit_ms"])
                for row in rows
                if row.get(f"{part}_limit_ms")
            ]
            if points:
                label = f"{name}, {'all but the solve' if part == 'local' else 'solve'}"
                panels[2].plot(*zip(*points, strict=True), style, color=colours[name], label=label)
    panels[2].axhline(1.0, color=figures.EXACT, linewidth=0.8, zorder=0)
    panels[2].set(xscale="log", ylim=(0, None), title="time : the memory's limit", xlabel="vertices")
    for panel in panels:
        panel.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.18))
    figure.tight_layout(w_pad=1.5)
    figures.save(figure, "benchmark-core.png")


def draw_race(name):
    """A function that draws the first size of a race into docs/pictures/benchmark-<name>.png."""

    def draw(found):
        size = found["sizes"][0]
        rows = [row for row in size["rows"] if "failed" not in row]
        count = len(figures.PALETTE)
        # A second turn through the colours is dashed.
        styles = {
            row["name"]: {
                "color": figures.PALETTE[number % count],
                "linestyle": "-" if number < count else "--",
            }
            for number, row in enumerate(rows)
        }
        figure, panels = plt.subplots(1, 2, figsize=(10.5, 0.24 * len(rows) + 2.2))
        _draw_cost(panels[0], rows, styles)
        _draw_distances(panels[1], rows, styles)
        figure.tight_layout(w_pad=2.0)
        figures.save(figure, f"benchmark-{name}.png")

    return draw


def _draw_cost(panel, rows, styles):
    """What a frame costs against the worst stretch."""
    for number, row in enumerate(rows, start=1):
        place = row["median_ms"], 100.0 * row["worst_stretch"]
        colour = styles[row["name"]]["color"]
        panel.plot(*place, "o", color=colour, markersize=5)
        panel.annotate(str(number), place, (5, 3), textcoords="offset points", color=colour)
    panel.set(xscale="log", yscale="log", title="a frame's cost and its worst stretch")
    panel.set(xlabel="median time of a frame [ms]", ylabel="worst stretch of an edge [%]")


def _draw_distances(panel, rows, styles):
    """Distance from the reference over time."""
    ends = []
    for number, row in enumerate(rows, start=1):
        distances = np.array(row["distances"])
        if len(distances):
            times = np.arange(1, len(distances) + 1) / sheet.FPS
            panel.plot(times, distances, **styles[row["name"]])
            ends.append((distances[-1], f"{number}  {row['name']}", styles[row["name"]]["color"]))
    panel.set(yscale="log", xlabel="time [s]", ylabel="RMS distance [m]", title="distance from the reference")
    panel.margins(x=0.0)
    if ends:
        figures.label_ends(panel, ends)


DRAWN = {"core": draw_core, "rivals": draw_race("rivals"), "packages": draw_race("packages")}

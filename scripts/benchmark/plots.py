# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what was measured, docs/pictures/benchmark-*.png."""

import matplotlib.pyplot as plt
import numpy as np
from measuring import figures, results

from .courses import FPS
from .race import MOMENTS, distance_at

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
    """A function that draws the first part of a race into docs/pictures/benchmark-<name>.png."""

    def draw(found):
        rows = _measured(found["parts"][0])
        count = len(figures.PALETTE)
        # A second turn through the colours is dashed.
        styles = [
            {"color": figures.PALETTE[number % count], "linestyle": "-" if number < count else "--"}
            for number in range(len(rows))
        ]
        figure, panels = plt.subplots(1, 2, figsize=(10.5, 0.24 * len(rows) + 2.2))
        figure.subplots_adjust(wspace=0.3)
        _draw_stretch(panels[0], rows, styles)
        _draw_distances(panels[1], rows, styles)
        figures.save(figure, f"benchmark-{name}.png")

    return draw


def _measured(part):
    return [row for row in part["rows"] if "failed" not in row]


def _draw_stretch(panel, rows, styles):
    """What a frame costs against the worst stretch."""
    figures.logarithmic_times(panel)
    panel.set(yscale="log", title="a frame's cost and its worst stretch")
    panel.set(xlabel="median time of a frame [ms]", ylabel="worst stretch of an edge [%]")
    entries = []
    for number, (row, style) in enumerate(zip(rows, styles, strict=True), start=1):
        place = row["median_ms"], 100.0 * row["worst_stretch"]
        panel.plot(*place, "o", color=style["color"], markersize=5)
        entries.append((*place, str(number), style["color"]))
    panel.margins(0.12)
    figures.label_points(panel, entries)


def _draw_distances(panel, rows, styles):
    """Distance from the reference over time."""
    ends = []
    for number, (row, style) in enumerate(zip(rows, styles, strict=True), start=1):
        distances = np.array(row["distances"])
        panel.plot(np.arange(1, len(distances) + 1) / FPS, distances, **style)
        ends.append((distances[-1], f"{number}  {row['name']}", style["color"]))
    panel.set(yscale="log", xlabel="time [s]", ylabel="RMS distance [m]", title="distance from the reference")
    panel.margins(x=0.0)
    figures.label_ends(panel, ends)


# Hooke stands out; everyone else's kind has a colour.
KINDS = {
    "Hooke": "#0b5394",
    "Cloth": "#c0152f",
    "Soft Body": "#d9a31a",
    "XPBD": "#6a2c91",
    "pyPBD": "#1b8a5a",
    "Newton": "#8a5a00",
}


def draw_truth(races):
    """Distance from the reference over the cost of a frame, everyone of some races, docs/pictures/benchmark-truth.png.

    races: dict of title -> results. One panel a race: times compare within one only. One of fewer frames has no place.
    """
    moment = MOMENTS[-1]
    races = {title: found for title, found in races.items() if _places(found, moment)}
    if not races:
        return
    figure, panels = plt.subplots(1, len(races), figsize=(6.4 * len(races), 5.6), sharey=True, squeeze=False)
    for panel, (title, found) in zip(panels[0], races.items(), strict=True):
        figures.logarithmic_times(panel)
        panel.set(yscale="log", title=title, xlabel="median time of a frame [ms]")
        for x, y, _, colour in _places(found, moment):
            panel.plot(x, y, "o", color=colour, markersize=6)
        panel.margins(x=0.25, y=0.1)
    panels[0][0].set_ylabel(f"RMS distance from the reference after {moment:.0f} s [m]")
    figure.tight_layout()
    for panel, found in zip(panels[0], races.values(), strict=True):
        figures.label_points(panel, _places(found, moment))
    figures.save(figure, "benchmark-truth.png")


def _places(found, moment):
    """Cost [ms], distance [m], name and colour of everyone in a race."""
    return [
        (
            row["median_ms"],
            distance_at(row, moment),
            row["name"],
            next(colour for kind, colour in KINDS.items() if row["name"].startswith(kind)),
        )
        for row in _measured(found["parts"][0])
        if distance_at(row, moment) is not None
    ]


def draw_side_by_side(found):
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
                    panel.text(
                        -0.04, 0.5, f"{frame / FPS:.2f} s", transform=panel.transAxes, ha="right", va="center"
                    )
    figure.subplots_adjust(wspace=0.02, hspace=0.02)
    figures.save(figure, f"benchmark-{found['title'].replace(' ', '-')}.png", rendered=True)


DRAWN = {
    "core": draw_core,
    "rivals": draw_race("rivals"),
    "packages": draw_race("packages"),
    "side_by_side": draw_side_by_side,
    "collision": draw_side_by_side,
    "self_collision": draw_side_by_side,
}

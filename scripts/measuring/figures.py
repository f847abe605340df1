# SPDX-License-Identifier: GPL-3.0-or-later
"""How the lab's plots look: one colour for each method everywhere, and labels at the lines themselves."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from matplotlib.transforms import Bbox

from hooke.core import INTEGRATORS

from .page import PICTURES
from .palette import few_colours

# Ratio of the ends of an axis up to which 1, 2, 5, 10 and so on have room.
_ROOMY = 600.0

mpl.use("Agg")
mpl.rcParams.update(
    {
        "font.size": 9.0,
        "axes.titlesize": 9.5,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.7,
        "axes.edgecolor": "#555555",
        "axes.labelcolor": "#333333",
        "xtick.color": "#555555",
        "ytick.color": "#555555",
        "xtick.major.width": 0.7,
        "ytick.major.width": 0.7,
        "lines.linewidth": 1.6,
        "lines.solid_capstyle": "round",
        "figure.dpi": 160,
        "savefig.facecolor": "white",
    }
)

# Blue and green are unconditionally stable, violet symplectic, brown Runge-Kutta, red blows up; the dark
# ones past nine are for methods to come.
PALETTE = (
    "#0b5394",
    "#4aa3df",
    "#1b8a5a",
    "#6a2c91",
    "#b980d9",
    "#8a5a00",
    "#d9a31a",
    "#f07f4f",
    "#c0152f",
    "#3d3d3d",
    "#e377c2",
    "#17a2a2",
)
COLOURS = {id: PALETTE[number % len(PALETTE)] for number, id in enumerate(INTEGRATORS)}
EXACT = "#b5b5b5"


def save(figure, name, rendered=False):
    """Write a figure into docs/pictures/ without a date, so that the same numbers give the same file.

    rendered: whether it shows rendered pictures, which a palette makes small.
    """
    PICTURES.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURES / name, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    if rendered:
        few_colours(PICTURES / name)
    print(f"  docs/pictures/{name}", flush=True)


def coinciding(curves, tolerance=1e-6):
    """Group ids whose curves are the same numbers to a relative tolerance, in the order of the ids.

    curves: dict of arrays by id. Returns lists of ids.
    """
    groups: list[list[str]] = []
    for id, curve in curves.items():
        for group in groups:
            other = curves[group[0]]
            if np.allclose(curve, other, rtol=tolerance, atol=tolerance * np.abs(other).max()):
                group.append(id)
                break
        else:
            groups.append([id])
    return groups


def plot_group(axes, x, curves, group, **style):
    """Draw curves that lie on each other: the first solid, the next ones as dashes upon it."""
    for depth, id in enumerate(group):
        dashes = {"dashes": (3, 3)} if depth else {}
        axes.plot(x, curves[id], color=COLOURS[id], zorder=3 + depth, **dashes, **style)


def label_groups(axes, groups, ends, words=None):
    """Label each group of coinciding lines at their end, one line of text for each method.

    ends: y in data by id; words: text by id, the method's label by default. Called when the limits of the
    axes are final.
    """
    words = words or {id: INTEGRATORS[id].label for id in ends}
    entries = [(ends[group[0]], words[id], COLOURS[id]) for group in groups for id in group]
    label_ends(axes, entries)


def label_ends(axes, entries, gap=1.35):
    """Write labels beside the right ends of lines, pushed apart where they would overlap.

    entries: (y in data, text, colour). Called when the limits of the axes are final.
    """
    axes.figure.canvas.draw()
    to_fraction = axes.transData + axes.transAxes.inverted()
    height = axes.bbox.height * 72.0 / axes.figure.dpi
    edge = axes.get_xlim()[1]
    entries = sorted(entries, key=lambda entry: entry[0])
    ends = np.clip([to_fraction.transform((edge, y))[1] for y, _, _ in entries], 0.0, 1.0)
    places = spread(ends, gap * mpl.rcParams["font.size"] / height)
    for (_, word, colour), end, place in zip(entries, ends, places, strict=True):
        leader = {"transform": axes.transAxes, "color": colour, "linewidth": 0.7, "clip_on": False}
        axes.plot([1.01, 1.04], [end, place], **leader)
        axes.text(1.05, place, word, transform=axes.transAxes, color=colour, va="center")


def logarithmic_times(axes):
    """A logarithmic axis of times below, labelled 1, 2, 5, 10, 20 and so on, or 1, 10, 100 where those have no room."""

    def label(value, _):
        low, high = axes.get_xlim()
        power = np.isclose(np.log10(value) % 1.0, [0.0, 1.0], atol=1e-6).any()
        return f"{value:g}" if power or high < _ROOMY * low else ""

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(label))
    axes.xaxis.set_minor_formatter(NullFormatter())


def label_points(axes, entries):
    """Write labels beside points where they cover neither a point nor each other, with a thin line to those apart.

    entries: (x, y in data, text, colour). Called when the limits of the axes are final. A label for which there is
    no such place within reach is put where it covers least. Returns the texts.
    """
    axes.figure.canvas.draw()
    # Places are found in pixels and kept as shares of the axes: saving a figure moves its pixels.
    points, shares = axes.transData.transform([entry[:2] for entry in entries]), axes.transAxes.inverted()
    per_point = axes.figure.dpi / 72.0
    taken = [Bbox.from_bounds(x, y, 0, 0).padded(4.0 * per_point) for x, y in points]
    texts = []
    # From the crowded left to the right, so that labels give way to those already placed.
    for number in np.argsort(points[:, 0]):
        word, colour = entries[number][2:]
        text = axes.text(0, 0, word, transform=axes.transAxes, color=colour, fontsize=8, va="center")
        box = text.get_window_extent().padded(per_point)
        places = [
            _beside(points[number], radius * per_point, turn, box) for radius in REACH for turn in TURNS
        ]
        covers = [
            sum(_common_area(place, other) for other in taken) + _outside(place, axes) for place in places
        ]
        best = places[int(np.argmin(covers))]
        text.set_position(shares.transform((best.x0 + per_point, (best.y0 + best.y1) / 2)))
        taken.append(best)
        texts.append(text)
        near = np.clip(points[number], best.min, best.max)
        if np.hypot(*(near - points[number])) > 8.0 * per_point:
            line = shares.transform([points[number], near]).T
            axes.plot(*line, transform=axes.transAxes, color=colour, linewidth=0.5, zorder=1)
    return texts


# How far from its point a label may be [points], and in which directions, the best first.
REACH = (6, 11, 18, 27, 38, 52, 70)
TURNS = tuple(np.radians((0, 180, 25, -25, 155, -155, 55, -55, 125, -125, 90, -90)))


def _beside(point, radius, turn, box):
    """The box of a label that touches a circle about a point from outside in some direction."""
    x, y = point + radius * np.array([np.cos(turn), np.sin(turn)])
    left = x - box.width * (1.0 - np.cos(turn)) / 2.0
    return Bbox.from_bounds(left, y - box.height / 2.0, box.width, box.height)


def _common_area(one, other):
    both = Bbox.intersection(one, other)
    return 0.0 if both is None else both.width * both.height


def _outside(box, axes):
    """Area of a label beyond its axes."""
    return box.width * box.height - _common_area(box, axes.bbox)


def label_exits(axes, x, curves, groups):
    """Label each group of lines where it leaves the frame: at the right, or where it crosses the top.

    Called when the limits of the axes are final.
    """
    top = axes.get_ylim()[1]
    inside, crossing = [], []
    for group in groups:
        above = np.flatnonzero(curves[group[0]] > top)
        crossing += [(x[above[0]], id) for id in group] if len(above) else []
        inside += [] if len(above) else [group]
    label_groups(axes, inside, {id: curve[-1] for id, curve in curves.items()})
    low, high = axes.get_xlim()
    width = axes.bbox.width * 72.0 / axes.figure.dpi
    crossing.sort(key=lambda entry: entry[0])
    wanted = [(place - low) / (high - low) for place, _ in crossing]
    places = spread(wanted, 1.8 * mpl.rcParams["font.size"] / width)
    for want, place, (_, id) in zip(wanted, places, crossing, strict=True):
        colour = COLOURS[id]
        leader = {"transform": axes.transAxes, "color": colour, "linewidth": 0.7, "clip_on": False}
        axes.plot([want, place], [1.01, 1.04], **leader)
        turned = {"rotation": 55, "rotation_mode": "anchor", "ha": "left", "va": "center"}
        axes.text(place, 1.06, INTEGRATORS[id].label, transform=axes.transAxes, color=colour, **turned)


def spread(wanted, apart):
    """Ascending places as near as possible to the wanted ascending ones, at least `apart` from each other.

    Least squares by pooling: labels that push each other share one block about their common mean.
    """
    offsets = apart * np.arange(len(wanted))
    blocks: list[list[float]] = []
    for value in np.asarray(wanted) - offsets:
        block = [value]
        while blocks and np.mean(blocks[-1]) >= np.mean(block):
            block = blocks.pop() + block
        blocks.append(block)
    means, sizes = [np.mean(block) for block in blocks], [len(block) for block in blocks]
    return np.repeat(means, sizes) + offsets

# SPDX-License-Identifier: GPL-3.0-or-later
"""The same sheet, pins and frames for every contestant: time, stretch, and distance from the reference."""

from time import perf_counter

import numpy as np
from measuring.table import spread

from . import sheet

# The first frames build the simulation and fill the caches: they count for the shape and not for the time.
WARM_UP = 3


class Contestant:
    """Something that simulates the sheet, with settings of its own.

    name: what the table calls it.
    start(quads) makes the sheet ready at its first frame; advance() simulates one frame, and is timed;
    positions() are those of the frame [m], shape (vertex_count, 3). All may raise to say why it cannot take part.
    """

    name = ""

    def start(self, quads):
        """Make the sheet ready at its first frame."""
        raise NotImplementedError

    def advance(self):
        """Simulate one frame."""
        raise NotImplementedError

    def positions(self):
        """Positions of the frame [m], shape (vertex_count, 3)."""
        raise NotImplementedError


def run(contestants, quads, frame_count, reference=None):
    """One dict a contestant: its figures, or under "failed" why there are none.

    reference: positions of every frame, or None for no distances.
    """
    rows = []
    for contestant in contestants:
        row = {"name": contestant.name, "quads": quads}
        try:
            row |= measure(contestant, quads, frame_count, reference)
        # Whatever goes wrong in one of many programs of others, the rest is still worth its figures.
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        rows.append(row)
        words = row.get("failed") or f"{row['median_ms']:.1f} ms a frame"
        print(f"  {contestant.name}: {words}", flush=True)
    return rows


def measure(contestant, quads, frame_count, reference=None):
    """Figures of one contestant over so many frames: times [ms], stretches, distances [m].

    Raises RuntimeError where the positions are not finite or nothing moves.
    """
    points, faces, _ = sheet.grid(quads)
    sides = sheet.edges(faces)
    began = perf_counter()
    contestant.start(quads)
    start_ms = 1e3 * (perf_counter() - began)
    milliseconds, worst, mean, distances = [], [], [], []
    for number in range(frame_count):
        began = perf_counter()
        contestant.advance()
        milliseconds.append(1e3 * (perf_counter() - began))
        x = contestant.positions()
        if x.shape != points.shape or not np.isfinite(x).all():
            raise RuntimeError(f"frame {number + 1} has positions of shape {x.shape} that are not all finite")
        stretch = sheet.stretches(x, points, sides)
        worst.append(float(stretch.max()))
        mean.append(float(stretch.mean()))
        if reference is not None:
            distances.append(sheet.distance(x, reference[number]))
    if np.abs(x - points).max() < 0.01 * sheet.SIZE:
        raise RuntimeError(f"after {frame_count} frames the sheet has not moved")
    timed = milliseconds[WARM_UP:]
    return {
        "start_ms": start_ms + milliseconds[0],
        "milliseconds": timed,
        "median_ms": float(np.median(timed)),
        "worst_stretch": max(worst),
        "mean_stretch": float(np.mean(mean)),
        "distances": distances,
    }


HEADINGS = ("", "ms a frame", "worst stretch", "mean stretch", "RMS error 0.5 s", "last frame", "start ms")


def cells(row):
    """A contestant's row as text."""
    if "failed" in row:
        return (row["name"], row["failed"], *("–" for _ in HEADINGS[2:]))
    distances = row["distances"]
    half = sheet.FPS // 2 - 1
    return (
        row["name"],
        spread(row["milliseconds"]),
        f"{row['worst_stretch']:.1%}",
        f"{row['mean_stretch']:.2%}",
        f"{distances[half]:.3f} m" if len(distances) > half else "–",
        f"{distances[-1]:.3f} m" if distances else "–",
        f"{row['start_ms']:.0f}",
    )


def tables(results):
    """(title, headings, rows of text), one table a size."""
    for size in results["sizes"]:
        count = f"{(size['quads'] + 1) ** 2:,} vertices, {size['frames']} frames"
        yield f"{results['title']}: {count}", HEADINGS, [cells(row) for row in size["rows"]]


def sizes(title, contestants, options, reference_frames):
    """Results of a subject: every contestant at the size asked for, and with `large` at twice the quads."""
    found = [(options.quads, options.frames, True)]
    if options.large:
        # Its reference would take longer than all contestants together.
        found.append((2 * options.quads, options.frames // 2, False))
    results: dict = {"title": title, "sizes": []}
    for quads, frames, compared in found:
        reference = reference_frames(quads, frames) if compared else None
        rows = run(contestants, quads, frames, reference)
        results["sizes"].append({"quads": quads, "frames": frames, "rows": rows})
    return results

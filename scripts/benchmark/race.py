# SPDX-License-Identifier: GPL-3.0-or-later
"""The same course and frames for every contestant: time, stretch, and distance from the reference."""

from time import perf_counter

import numpy as np
from measuring.table import spread

from . import courses, reference
from .courses import FPS

# The first frames build the simulation and fill the caches: they count for the shape and not for the time.
WARM_UP = 3
# When the distance from the reference is told [s].
MOMENTS = (0.5, 1.0)
# Of Hooke's efforts those that are quick enough to play; "Converged" is a reference itself.
PLAYED = ("DRAFT", "STANDARD", "FINE")


class Contestant:
    """Something that simulates a course, with settings of its own.

    name: what the table calls it.
    start(course) makes it ready at its first frame; advance() simulates one frame, and is timed; positions() are
    those of the frame [m], shape (vertex_count, 3). All may raise to say why it cannot take part.
    """

    name = ""

    def start(self, course):
        """Make the course ready at its first frame."""
        raise TypeError(f"{type(self).__name__} defines no start: a contestant must")

    def advance(self):
        """Simulate one frame."""
        raise TypeError(f"{type(self).__name__} defines no advance: a contestant must")

    def positions(self):
        """Positions of the frame [m], shape (vertex_count, 3)."""
        raise TypeError(f"{type(self).__name__} defines no positions: a contestant must")


def run(contestants, course, truth):
    """One dict a contestant: its figures, or under "failed" why there are none.

    truth: positions of every frame of the reference, shape (frame_count, vertex_count, 3).
    """
    rows = []
    for contestant in contestants:
        row = {"name": contestant.name}
        try:
            row |= measure(contestant, course, truth)
        # Whatever goes wrong in one of many programs of others, the rest is still worth its figures.
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        rows.append(row)
        words = row.get("failed") or f"{row['median_ms']:.1f} ms a frame"
        print(f"  {contestant.name}: {words}", flush=True)
    return rows


def measure(contestant, course, truth):
    """Figures of one contestant over the frames of the reference: times [ms], stretches, distances [m].

    Raises RuntimeError where the positions are not finite or nothing moves.
    """
    began = perf_counter()
    contestant.start(course)
    start_ms = 1e3 * (perf_counter() - began)
    milliseconds, worst, mean, distances = [], [], [], []
    for number, expected in enumerate(truth, start=1):
        began = perf_counter()
        contestant.advance()
        milliseconds.append(1e3 * (perf_counter() - began))
        x = contestant.positions()
        if x.shape != course.points.shape or not np.isfinite(x).all():
            raise RuntimeError(f"frame {number} has positions of shape {x.shape} that are not all finite")
        stretch = course.stretches(x)
        worst.append(float(stretch.max()))
        mean.append(float(stretch.mean()))
        distances.append(courses.distance(x, expected))
    if np.abs(x - course.points).max() < 1e-3 * course.size:
        raise RuntimeError(f"after {len(truth)} frames nothing has moved")
    timed = milliseconds[WARM_UP:]
    return {
        "start_ms": start_ms + milliseconds[0],
        "milliseconds": timed,
        "median_ms": float(np.median(timed)),
        "worst_stretch": max(worst),
        "mean_stretch": float(np.mean(mean)),
        "distances": distances,
    }


HEADINGS = (
    "",
    "ms a frame",
    *(f"RMS error {moment} s" for moment in MOMENTS),
    "worst stretch",
    "mean stretch",
    "start ms",
)


def cells(row):
    """A contestant's row as text."""
    if "failed" in row:
        return (row["name"], row["failed"], *("–" for _ in HEADINGS[2:]))
    distances = [distance_at(row, moment) for moment in MOMENTS]
    return (
        row["name"],
        spread(row["milliseconds"]),
        *("–" if distance is None else f"{distance:.3f} m" for distance in distances),
        f"{row['worst_stretch']:.1%}",
        f"{row['mean_stretch']:.2%}",
        f"{row['start_ms']:.0f}",
    )


def distance_at(row, moment):
    """Distance from the reference [m] at a moment [s], or None where the race was shorter."""
    frame = round(moment * FPS)
    return row["distances"][frame - 1] if frame <= len(row["distances"]) else None


def tables(results):
    """(title, headings, rows of text), one table a course and size."""
    for part in results["parts"]:
        title = f"{part['course']}, {part['vertices']:,} vertices, {part['frames']} frames"
        yield f"{results['title']}: {title}", HEADINGS, [cells(row) for row in part["rows"]]


def parts(title, contestants, names, options):
    """Results of a subject: every contestant on every course named, at the size asked for, and with `large` at twice
    the quads.
    """
    found = [(name, options.quads, options.frames) for name in names]
    if options.large:
        # No longer than is told of: the reference takes eight times as long.
        found += [(name, 2 * options.quads, round(MOMENTS[-1] * FPS)) for name in names]
    results: dict = {"title": title, "parts": []}
    for name, quads, frame_count in found:
        course = courses.COURSES[name](quads)
        print(f" {name}, {len(course.points):,} vertices", flush=True)
        rows = run(contestants, course, reference.frames(course, frame_count))
        part = {"course": name, "vertices": len(course.points), "frames": frame_count, "rows": rows}
        results["parts"].append(part)
    return results

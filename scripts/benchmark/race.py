# SPDX-License-Identifier: GPL-3.0-or-later
"""A race: everyone simulates the same course, and is compared with its equations."""

from functools import cache
from time import perf_counter

import numpy as np
from measuring.measured import Measured
from measuring.page import spread
from theory import courses
from theory.courses import FPS

from . import reference

# The first frames build the simulation and fill the caches: they count for the shape and not for the time.
WARM_UP = 3
# When the distance from the reference is told [s].
MOMENTS = (0.5, 1.0)
# Of Hooke's efforts those that are quick enough to play; "Converged" is a reference itself.
PLAYED = ("DRAFT", "STANDARD", "FINE")
HEADINGS = (
    "ms a frame",
    *(f"RMS error {moment} s" for moment in MOMENTS),
    "worst stretch",
    "mean stretch",
    "start ms",
)


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

    def played(self, course, frame_count):
        """Generator of the positions and milliseconds of frames, the time to begin with in those of the first.

        Raises RuntimeError where positions are not finite, or nothing moves.
        """
        began = perf_counter()
        self.start(course)
        for number in range(1, frame_count + 1):
            self.advance()
            ended = perf_counter()
            x = self.positions()
            if x.shape != course.points.shape or not np.isfinite(x).all():
                raise RuntimeError(f"frame {number} has positions of shape {x.shape} that are not all finite")
            yield x, 1e3 * (ended - began)
            began = perf_counter()
        if np.abs(x - course.points).max() < 1e-3 * course.size:
            raise RuntimeError(f"after {frame_count} frames nothing has moved")


def failing(cells, count):
    """A quantity whose cells are those of another one, or why there are none."""

    def cells_or_reason(contestant, *scene):
        try:
            return cells(contestant, *scene)
        # Whatever goes wrong in one of many programs of others, the rest is still worth its figures.
        except Exception as error:
            return (f"{type(error).__name__}: {error}".splitlines()[0][:200], *["–"] * (count - 1))

    return cells_or_reason


def cells(contestant, course, truth):
    """Cells of a contestant; truth: positions of every frame of the reference, (frame_count, vertex_count, 3)."""
    times, worst, mean, distances = [], [], [], []
    for (x, milliseconds), expected in zip(contestant.played(course, len(truth)), truth, strict=True):
        stretch = course.stretches(x)
        times.append(milliseconds)
        worst.append(stretch.max())
        mean.append(stretch.mean())
        distances.append(courses.distance(x, expected))
    return (
        spread(times[WARM_UP:]),
        *(
            f"{distances[n - 1]:.3f} m" if n <= len(distances) else "–"
            for n in (round(t * FPS) for t in MOMENTS)
        ),
        f"{max(worst):.1%}",
        f"{np.mean(mean):.2%}",
        f"{times[0]:.0f}",
    )


def races(block, contestants, names, options):
    """The Measured of contestants on courses of the size that is asked for, with the course beside where several."""

    @cache
    def ready(name):
        course = courses.COURSES[name](options.quads)
        return course, reference.frames(course, options.frames)

    several = len(names) > 1
    scenes = {
        ((name, each.name) if several else (each.name,)): (each, name)
        for name in names
        for each in contestants
    }
    return Measured(
        block,
        "benchmark.md",
        (*["course"][:several], "", *HEADINGS),
        scenes,
        failing(lambda contestant, name: cells(contestant, *ready(name)), len(HEADINGS)),
        f"Of {options.quads} quads along each side, {options.frames} frames.",
        "Measured on {machine}.",
    )

# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks without damping on which every effort has to keep what mechanics keeps."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from theory import courses

from .energy_scenes import lattice, rope, rough, with_changed

QUADS = 10
CORNERS = [0, QUADS]


@dataclass(frozen=True, eq=False)
class Scene:
    """What is let go from rest.

    build: makes the SpringNetwork. motion: t [s] -> by how much all pins are moved then [m], shape (3,), or None.
    """

    build: Callable
    motion: Callable | None = None

    def pin_targets(self, network, until=np.inf):
        """A callable t [s] -> targets of the hard pins [m], at rest from `until` on; None where none moves."""
        if self.motion is None:
            return None
        home = network.points[network.hard_pins]
        return lambda t: home + self.motion(min(t, until))


def cotton(pinned=CORNERS, weight=1.0, squeezed=1.0, roughness=0.05):
    """A sheet of the default material, 2 m; squeezed and rough [quads] as in `energy_scenes`."""
    course = replace(courses.cotton(QUADS), pinned=list(pinned))
    network = course.network()
    pins = weight * network.pins
    points = course.points
    if squeezed != 1.0:
        points = rough(squeezed * points, roughness * course.size / QUADS)
    return with_changed(network, points=points, pins=pins)


def whirl(t):
    """On a circle of 0.3 m once a second, from its lowest point."""
    angle = 2.0 * np.pi * t
    return 0.3 * np.array([0.0, np.sin(angle), 1.0 - np.cos(angle)])


SCENES = {
    "cotton at two corners": Scene(cotton),
    "the same at soft pins": Scene(lambda: cotton(weight=0.5)),
    "sheet of 10 kN/m and 1 kg": Scene(lambda: courses.sheet(QUADS).network()),
    "cotton at swinging corners": Scene(cotton, courses.swing),
    "flag on a swinging pole": Scene(lambda: courses.flag(QUADS).network(), courses.swing),
    "cotton squeezed to 0.7": Scene(lambda: cotton(squeezed=0.7)),
    "cotton crumpled to 0.35, free": Scene(lambda: cotton((), squeezed=0.35, roughness=0.3)),
    "net at five knots": Scene(lambda: courses.net(QUADS).network()),
    "rope whirled by its end": Scene(rope, whirl),
    "beam held at one end": Scene(lambda: courses.solid(QUADS).network()),
    "block squeezed to 0.6, free": Scene(lambda: lattice(squeezed=0.6)),
}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks without damping that fall on surfaces with friction: what a method must not gain energy on.

SCENES has the builders by name; each returns a SpringNetwork and its contacts, for a restitution.
"""

from functools import partial
from typing import Any

import numpy as np

from hooke.core.contacts import Plane, Sphere

from .energy_scenes import contour, lattice, sheet, star, with_changed

FRICTION = 0.5


def placed(network, shift, turn=0.0):
    """The network turned by an angle about the y axis through its middle, and shifted [m]."""
    middle = network.points.mean(axis=0)
    c, s = np.cos(turn), np.sin(turn)
    points = (network.points - middle) @ np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]).T
    return with_changed(network, points=points + shift)


def on_floor(build, height, turn, restitution):
    """What is let go so far above a floor that its lowest point is at a height [m]."""
    network = placed(build(), np.zeros(3), turn)
    lift = np.array([0.0, 0.0, height - network.points[:, 2].min()])
    return with_changed(network, points=network.points + lift), [_floor(restitution)]


def on_ball(restitution):
    """A cloth over a ball that stands on a floor."""
    network = placed(sheet(), np.array([0.05, 0.02, 1.05]))
    return network, [_ball((0.0, 0.0, 0.5), restitution), _floor(restitution)]


def on_two_balls(restitution):
    """A strip of 2 m by 0.3 m across two balls."""
    made = sheet(size=2.0)
    network = with_changed(made, points=made.points * [1.0, 0.15, 1.0])
    network = with_changed(network, rest_lengths=network.spring_lengths(network.points))
    balls = [_ball((x, 0.0, 0.0), restitution) for x in (-0.7, 0.7)]
    return placed(network, np.array([0.0, 0.0, 0.55])), balls


def _floor(restitution):
    return Plane(friction=FRICTION, restitution=restitution)


def _ball(center, restitution):
    return Sphere(center=center, radius=0.5, friction=FRICTION, restitution=restitution)


BUILDERS: dict[str, Any] = {
    "star": partial(on_floor, star, 0.5, 0.3),
    "star of 100 kN/m": partial(on_floor, partial(star, stiffness=1e5), 0.5, 0.3),
    "block": partial(on_floor, lattice, 0.3, 0.0),
    "block on its edge": partial(on_floor, lattice, 0.3, 0.6),
    "closed surface": partial(on_floor, contour, 0.5, 0.0),
    "cloth on a ball": on_ball,
    "strip on two balls": on_two_balls,
}
SCENES = {
    f"{name}, {restitution:g}": partial(build, restitution=restitution)
    for name, build in BUILDERS.items()
    for restitution in (0.0, 0.5)
}

# SPDX-License-Identifier: GPL-3.0-or-later
"""A rope bridge over a gap."""

from itertools import pairwise

import numpy as np

from . import stage

LABEL = "Rope Bridge"
DESCRIPTION = (
    "Ropes are edges, planks are faces, all in one mesh: let go askew, the bridge swings and comes to rest"
)
FRAME_END = 240

LENGTH, WIDTH, RAIL, SPANS, HEIGHT, SAG, LEAN = 6.0, 0.9, 0.7, 48, 2.2, 0.7, 0.6


def build(scene):
    """Four ropes from pier to pier, planks across the lower two, and hangers up to the rails."""
    along = np.linspace(-LENGTH / 2.0, LENGTH / 2.0, SPANS + 1)
    # A parabola, as under an even load, turned about the line between the piers.
    sag = SAG * (1.0 - (2.0 * along / LENGTH) ** 2)
    aside, down = sag * np.sin(LEAN), sag * np.cos(LEAN)
    ropes = [(side * WIDTH / 2.0, HEIGHT + rail) for rail in (0.0, RAIL) for side in (-1.0, 1.0)]
    points = np.concatenate([np.column_stack([along, y + aside, z - down]) for y, z in ropes])
    left, right, left_rail, right_rail = np.arange(4 * (SPANS + 1)).reshape(4, -1)
    edges = [pair for rope in (left, right, left_rail, right_rail) for pair in pairwise(rope)]
    edges += [
        pair for low, high in ((left, left_rail), (right, right_rail)) for pair in zip(low, high, strict=True)
    ][::2]
    # Every other span is a plank, and one can see through between them.
    planks = [(left[i], right[i], right[i + 1], left[i + 1]) for i in range(0, SPANS, 2)]
    bridge = stage.mesh_object(scene, "Bridge", points, edges, planks, color=(0.5, 0.36, 0.2), smooth=False)
    ends = np.abs(points[:, 0]) > LENGTH / 2.0 - 1e-6
    pins = stage.group(bridge, "Piers", ends.nonzero()[0])
    for name, side in (("Left Pier", -1.0), ("Right Pier", 1.0)):
        for post in (-WIDTH / 2.0, WIDTH / 2.0):
            x = side * (LENGTH / 2.0 + 0.06)
            stage.bar(scene, name, (x, post, 0.0), (x, post, HEIGHT + RAIL + 0.1), 0.06, (0.3, 0.22, 0.15))
    stage.ground(scene)
    stage.look(scene, (1.6, -9.4, 3.2), (0.1, 0.0, 1.7), 42.0)
    return stage.thicken(stage.simulate(scene, bridge, pins, "Rope"), 0.02)

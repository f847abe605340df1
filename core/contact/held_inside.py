# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles that pins hold inside a surface: out of it they would be farther from the pins than springs are long."""

import numpy as np


def held_inside(network, heights):
    """Mask of the particles that hard pins hold below heights of 0, the pins among them, shape (particle_count,).

    heights: of hard pins above where the surface keeps particles, in the order of `network.hard_pins` [m].
    A pin as deep as d keeps what is within d of it, along springs at rest, inside: nothing nearer than d is outside.
    """
    slack = np.full(network.vertex_count, np.inf)
    slack[network.hard_pins] = heights
    if not (slack < 0.0).any():
        return np.zeros(network.vertex_count, dtype=bool)
    whole = ~network.broken
    edges, lengths = network.edges[whole], network.rest_lengths[whole]
    ends, others = edges.ravel(), edges[:, ::-1].ravel()
    lengths = np.repeat(lengths, 2)
    while True:
        # How far every particle may come above the surface: no farther than its neighbours by the springs to them.
        near = np.flatnonzero(slack[others] < 0.0)
        reach = slack.copy()
        np.minimum.at(reach, ends[near], slack[others[near]] + lengths[near])
        if np.array_equal(reach, slack):
            return slack < 0.0
        slack = reach

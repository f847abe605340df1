# SPDX-License-Identifier: GPL-3.0-or-later
"""The past that a two-step formula goes on from where something struck."""

from ..state import State


def moved(past, returned, corrected, network, dt):
    """The past of what was returned, dt [s] before, moved along with what contacts corrected."""
    struck, way = corrected.v - returned.v, corrected.x - returned.x
    struck[network.hard_pins] = 0.0
    way += past.x
    way -= dt * struck
    struck += past.v
    return State(way, struck)


def fallen(past, now, system, particles, dt):
    """The past, dt [s] before now, with some particles where all forces of a System but springs had them come from."""
    gains = dt * system.external_forces(now.x, now.v, now.t) / system.network.masses[:, None]
    x, v = past.x.copy(), past.v.copy()
    v[particles] = now.v[particles] - gains[particles]
    x[particles] = now.x[particles] - dt * (now.v[particles] - 0.5 * gains[particles])
    return State(x, v, past.t)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A net of ropes catches what falls in it and is simulated with it."""

import numpy as np

from hooke.core import Material, Member, Solid, SpringNetwork, Together
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS

from .surfaces import octasphere

# Polyamide of 10 mm, as the preset Rope.
ROPE = Material(line_stiffness=2e4, line_density=0.062, line_bending=1.3e-3, damping_ratio=0.05)
RADIUS, DENSITY = 0.3, 150.0


def net(side=2.0, meshes=8, knots=4):
    """Ropes across each other, held all around; each side of a mesh has so many springs."""
    count = meshes * knots
    numbers, edges = {}, []
    for i, j in np.ndindex(count + 1, count + 1):
        for di, dj, along in ((0, 1, i), (1, 0, j)):
            if along % knots == 0 and max(i + di, j + dj) <= count:
                edges.append([numbers.setdefault(at, len(numbers)) for at in ((i, j), (i + di, j + dj))])
    places = np.array(list(numbers))
    pins = np.flatnonzero(((places == 0) | (places == count)).any(axis=1))
    points = np.column_stack([places * side / count - side / 2.0, np.zeros(len(places))])
    return SpringNetwork.from_mesh(points, edges, material=ROPE, pins=pins)


def test_a_net_of_ropes_catches_a_ball_and_its_ropes_stretch_by_less_than_five_hundredths():
    ropes, (points, faces) = net(), octasphere(2)
    at = RADIUS * points + np.array([0.03, 0.02, 0.4])
    ball = Solid.from_mesh(at, faces=faces, modulus=3e5, poisson=0.3, density=DENSITY, cells=200)
    contacts = (SelfCollision(0.01, friction=0.5),)
    simulation = Together(
        [Member(ropes), Member(ball)], contacts=contacts, dt=1 / 24, **EFFORTS["STANDARD"].settings
    )
    own, other = simulation.places
    heights = []
    for _ in simulation.frames(16):
        x = simulation.state.x
        heights.append(x[other, 2].mean())
        assert ropes.strains(x[own]).max() < 0.05
    # It was turned round, above what it would have fallen to.
    assert min(heights) > -RADIUS and heights[-1] > min(heights) + 0.02

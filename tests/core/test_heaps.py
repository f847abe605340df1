# SPDX-License-Identifier: GPL-3.0-or-later
"""A ribbon that falls in a heap: what is found does not tell when, and how high it lies."""

from copy import deepcopy

import numpy as np
import pytest

from hooke.core import Plane, Settling, Simulation, SpringNetwork, State
from hooke.core.contact.candidates import Search
from hooke.core.contacts import SelfCollision
from hooke.core.effort import EFFORTS
from hooke.core.material import Material
from hooke.core.topology import lattice_faces, lattice_points, unique_edges
from hooke.core.triangle_mesh.sides import sides_of

from .nearness import edge_distances, triangle_distances

STANDARD = EFFORTS["STANDARD"].settings


def upright_ribbon():
    """A ribbon of cotton of 1 m that falls on its end, bent by millimetres: what is straight does not buckle."""
    points = lattice_points((51, 6, 1), 0.02)
    along, across, _ = points.T
    rng = np.random.default_rng(0)
    aside = 2e-3 * np.sin(2.0 * np.pi * along / 0.37 + 1.0) + 1e-3 * rng.standard_normal(51).repeat(6)
    start = np.column_stack([aside + 1e-4 * rng.standard_normal(306), across, along + 0.02])
    network = SpringNetwork.from_mesh(points, faces=lattice_faces((51, 6, 1)), material=Material())
    contacts = [Plane(friction=0.4), SelfCollision(0.005, 0.3)]
    simulation = Simulation(network, dt=1 / 24, contacts=contacts, forces=Settling(), **STANDARD)
    simulation.state = State(start, np.zeros_like(start), 0.0)
    return simulation


def least_apart(network, x, far):
    """Least distance of particles from triangles and of edges from edges that are farther from each other at rest."""
    triangles = network.surface.triangles
    edges = unique_edges(sides_of(triangles))
    least = np.inf
    particles = np.arange(len(x))[:, None]
    for of, ones, others in ((triangle_distances, particles, triangles), (edge_distances, edges, edges)):
        i, j = np.divmod(np.arange(len(ones) * len(others)), len(others))
        near = np.linalg.norm(x[ones].mean(axis=1)[i] - x[others].mean(axis=1)[j], axis=1) < far
        rows = np.concatenate([ones[i[near]], others[j[near]]], axis=1)
        at_rest, now = (of(p, rows) for p in (network.points, x))
        least = min(least, now[at_rest > far].min(initial=np.inf))
    return least


@pytest.mark.newest
def test_what_is_found_in_a_heap_does_not_tell_when_it_was_looked_for(monkeypatch):
    simulation = upright_ribbon()
    known, fresh = simulation.system.contacts.search, upright_ribbon().system.contacts.search
    find, counts = Search.candidates, []

    def found(search, *substep):
        assert search is known
        of_known = find(known, *substep)
        of_new = find(deepcopy(fresh), *substep)
        assert (of_known is None) == (of_new is None)
        for one, other in zip(of_known or (), of_new or (), strict=True):
            np.testing.assert_array_equal(one, other)
        counts.append(0 if of_known is None else len(of_known.kinds))
        return of_known

    monkeypatch.setattr(Search, "candidates", found)
    for _ in simulation.frames(12):
        pass
    assert max(counts) > 1000 and len(counts) > 40


@pytest.mark.nightly
def test_a_ribbon_falls_in_a_heap():
    # Top and mean height [m] after half a second with every substep solved to a relative residual of 1e-3, all of the
    # stiffness carried. How it folds is chance, which other starts show to be worth three quarters; what sinks like in
    # syrup is 0.47 and 0.145 m high.
    simulation, top, mean = upright_ribbon(), 0.185, 0.057
    *_, x = simulation.frames(12)
    assert 0.5 < x[:, 2].max() / top < 2.0
    assert 0.5 < x[:, 2].mean() / mean < 2.0
    *_, x = simulation.frames(18)
    assert x[:, 2].max() < 0.2
    # What is closer than 0.8 of the thickness is parted; folds that cross may be nearer by a fifth, which sticks out.
    assert least_apart(simulation.network, x, 0.04) > 0.6 * 0.005

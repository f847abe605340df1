# SPDX-License-Identifier: GPL-3.0-or-later
"""What fits an obstacle at the start keeps the stiffness of its springs."""

import numpy as np
from numpy.testing import assert_array_equal

from hooke.core import RigidMesh, SelfCollision, Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

RADIUS, LENGTH, AROUND = 0.1, 0.6, 24


def tube(radius, length=LENGTH, along=13):
    """Points and quads of a tube about the z axis that hangs from z = 0."""
    angles = 2.0 * np.pi * np.arange(AROUND) / AROUND
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    heights = -np.linspace(0.0, length, along)
    points = np.column_stack([np.tile(ring, (along, 1)), heights.repeat(AROUND)])
    i, j = np.meshgrid(np.arange(along - 1), np.arange(AROUND), indexing="ij")
    one, next_one = i * AROUND + j, i * AROUND + (j + 1) % AROUND
    return points, np.stack([one, next_one, next_one + AROUND, one + AROUND], axis=-1).reshape(-1, 4)


def body(bottom=-0.8, apart=0.0):
    """A round body along the z axis, from 0.2 m down to its bottom."""
    points, quads = tube(RADIUS, 0.2 - bottom, 3)
    points = points + np.array([apart, 0.0, 0.2])
    caps = [range(AROUND)[::-1], range(2 * AROUND, 3 * AROUND)]
    caps = [[cap[0], cap[k], cap[k + 1]] for cap in map(list, caps) for k in range(1, AROUND - 1)]
    triangles = np.concatenate([quads[:, [0, 2, 1]], quads[:, [0, 3, 2]], caps])
    return RigidMesh(points, triangles, thickness=0.02)


def shares(surfaces, *contacts):
    """Effective over given stiffness of the springs of surfaces, by that to which they belong."""
    points = np.concatenate([points for points, _ in surfaces])
    firsts = np.cumsum([0, *(len(points) for points, _ in surfaces[:-1])])
    faces = np.concatenate([quads + first for (_, quads), first in zip(surfaces, firsts, strict=True)])
    network = SpringNetwork.from_mesh(points, faces=faces, material=Material(), pins=np.arange(AROUND))
    simulation = Simulation(network, dt=1 / 24, contacts=contacts, **EFFORTS["STANDARD"].settings)
    of_all = simulation.integrator.network.stiffness / network.stiffness
    owners = np.searchsorted(firsts, network.edges[:, 0], side="right") - 1
    return [of_all[owners == number] for number in range(len(surfaces))]


SLEEVE = tube(RADIUS + 0.005)


def test_a_sleeve_keeps_its_stiffness():
    (sleeve,) = shares([SLEEVE], body())
    assert_array_equal(sleeve, 1.0)


def test_what_hangs_in_the_air_is_carried_as_without_an_obstacle():
    (alone,) = shares([SLEEVE])
    (sleeve,) = shares([SLEEVE], body(apart=1.0))
    assert alone.min() < 0.5
    assert_array_equal(sleeve, alone)


def test_a_skirt_that_fits_at_its_waist_swings_as_without_a_body():
    (alone,) = shares([SLEEVE])
    (skirt,) = shares([SLEEVE], body(bottom=-LENGTH / 3.0))
    assert_array_equal(skirt, alone)


def test_a_layer_that_lies_on_what_fits_keeps_its_stiffness_too():
    outer = tube(RADIUS + 0.04)
    inner, apart = shares([SLEEVE, outer], body(), SelfCollision(0.005))
    assert_array_equal(inner, 1.0)
    assert apart.min() < 0.5
    inner, layer = shares([SLEEVE, tube(RADIUS + 0.009)], body(), SelfCollision(0.005))
    assert_array_equal(inner, 1.0)
    assert_array_equal(layer, 1.0)

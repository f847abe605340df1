# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy, gradient and second derivative of linearised contacts beside finite differences."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hooke.core.contact.contact_set import Before, ContactSet, Rows
from hooke.core.kernels import Indices


def random_contacts(seed, count=5, particles=12):
    """A ContactSet of random stencils, about half of which press, and positions about which it is smooth."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(3, particles))
    corners = np.array([random.permutation(particles)[:4] for _ in range(count)])
    weights = random.normal(size=(count, 4))
    normals = random.normal(size=(3, count))
    normals /= np.linalg.norm(normals, axis=0)
    offsets = random.normal(size=count) - np.einsum(
        "am,ma->m", normals, np.einsum("mk,amk->ma", weights, x[:, corners])
    )
    depths, carried = random.uniform(0.1, 1.0, count), random.normal(size=(3, count))
    laws = random.uniform(0.5, 2.0, count), depths, np.ones(count), np.zeros(count, dtype=int)
    rows = Rows(Indices(corners, particles), weights, normals, offsets, carried, *laws)
    inverse_masses, springs = random.uniform(1.0, 2.0, particles), random.uniform(1.0, 2.0, particles)
    fields = 9.0 * random.normal(size=(2, 3, particles))
    start = x + random.normal(size=x.shape)
    before = Before(start, fields, inverse_masses, springs, a=5.0, share=2.0 / 3.0)
    return ContactSet(rows, x, before), x, random


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_gradient_is_that_of_the_energy(seed):
    contacts, x, random = random_contacts(seed)
    way, step, gradient = random.normal(size=x.shape), 1e-6, np.zeros_like(x)
    contacts.add_gradient(x, gradient)
    slope = (contacts.value(x + step * way) - contacts.value(x - step * way)) / (2.0 * step)
    # Kinks of the first derivative there are none; those of the second cost at most a step of curvature.
    assert abs(slope - np.sum(gradient * way)) < 1e-4 * (1.0 + abs(slope))


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1))
def test_what_is_stored_is_what_normal_forces_give_back(seed):
    contacts, x, random = random_contacts(seed)
    way, step = random.normal(size=x.shape), 1e-6
    slope = (contacts.stored(x + step * way) - contacts.stored(x - step * way)) / (2.0 * step)
    normal = np.einsum("am,am->m", contacts.rows.normals, contacts.rows.differences(way))
    assert abs(slope + np.sum(contacts.forces(x)[0] * normal)) < 1e-4 * (1.0 + abs(slope))
    # As firm as they are at first, however often what met was made firmer.
    firmer = contacts.rows._replace(firmness=np.full(len(contacts), 10.0))
    before = Before(x, np.zeros((2, *x.shape)), np.ones(x.shape[1]), np.ones(x.shape[1]), a=5.0, share=1.0)
    both = [ContactSet(rows, x, before).stored(x) for rows in (contacts.rows, firmer)]
    np.testing.assert_allclose(both[1], both[0], rtol=1e-12)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_product_is_the_change_of_the_gradient_and_never_negative(seed):
    contacts, x, random = random_contacts(seed)
    way, step, product = random.normal(size=x.shape), 1e-7, np.zeros_like(x)
    changes = []
    for sign in (1.0, -1.0):
        changes.append(np.zeros_like(x))
        contacts.add_gradient(x + sign * step * way, changes[-1])
    contacts.add_gradient(x, np.zeros_like(x))
    contacts.add_product(way, product)
    assert np.sum(product * way) >= -1e-12 * np.sum(way * way)
    change = (changes[0] - changes[1]) / (2.0 * step)
    kinks = np.abs(contacts.rows.gaps(x)).min() < 1e-5
    # The Huber potential has another kink, at the limit: a stencil in sixty thousand is as near as a step.
    assert kinks or np.abs(change - product).max() < 1e-3 * (1.0 + np.abs(product).max())


def test_blocks_are_what_the_product_has_at_each_particle_itself():
    contacts, x, _ = random_contacts(3)
    blocks = np.zeros((12, x.shape[1]))
    contacts.add_gradient(x, np.zeros_like(x), blocks)
    for particle in range(x.shape[1]):
        own = np.zeros((3, 3))
        for axis in range(3):
            way, product = np.zeros_like(x), np.zeros_like(x)
            way[axis, particle] = 1.0
            contacts.add_product(way, product)
            own[axis] = product[:, particle]
        xx, yy, zz, xy, yz, zx = blocks[:6, particle]
        np.testing.assert_allclose(own, [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]], atol=1e-12)


def test_products_in_single_precision_are_those_in_double():
    contacts, x, random = random_contacts(5, count=40, particles=30)
    p = random.normal(size=x.shape)
    doubled, single = np.zeros_like(x), np.zeros((30, 4), np.float32)
    contacts.add_gradient(x, np.zeros_like(x))
    contacts.add_product(p, doubled)
    lanes = contacts.linearised_lanes()
    contacts.add_gradient(x, np.zeros_like(x), lanes=lanes)
    increment = np.zeros((30, 4), np.float32)
    increment[:, :3] = p.T
    contacts.lanes_product(lanes, increment, single)()
    # Sums of a few terms of the size of the largest, each rounded to 6e-8.
    np.testing.assert_allclose(single[:, :3].T, doubled, atol=1e-5 * np.abs(doubled).max())


def test_forces_are_what_the_gradient_adds_to_the_particles():
    contacts, x, _ = random_contacts(7)
    gradient = np.zeros_like(x)
    contacts.add_gradient(x, gradient)
    fields = contacts.fields(*contacts.forces(x))
    np.testing.assert_allclose(-fields.sum(axis=0), gradient, atol=1e-12 * np.abs(gradient).max())

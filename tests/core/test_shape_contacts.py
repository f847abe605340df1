# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts behind the step of a method that knows none: in closed form on shapes, by few looks and steps on meshes."""

import numpy as np
import pytest

from hooke.core import Plane, Simulation, Sphere, SpringNetwork
from hooke.core.contact.contact_set import Before, ContactSet, Rows
from hooke.core.integrators.shape_contacts import balanced
from hooke.core.integrators.split_contacts import SplitContacts
from hooke.core.kernels import Indices
from hooke.core.kernels.contacts import push
from hooke.core.solvers.inertial_newton import InertialNewton


@pytest.mark.parametrize("ratio", [0.01, 0.05, 1.0, 20.0])
def test_the_closed_form_balances_inertia_and_what_presses(ratio):
    # From a light touch to far along the straight line.
    deep = np.geomspace(1e-6, 1e4, 200)
    found = balanced(deep, ratio)
    force = push(-found, np.ones_like(deep), np.ones_like(deep))[0]
    np.testing.assert_allclose(ratio * (deep - found), force, rtol=1e-9, atol=1e-12)


def _ended(contacts, frames):
    sheet = SpringNetwork.grid((9, 9), 0.05, mass=0.1, stiffness=20.0, damping=0.01)
    simulation = Simulation(
        sheet, "VERLET", dt=1 / 24, substeps=60, gravity=(2.0, 0.0, -9.81), contacts=contacts
    )
    *_, _ = simulation.frames(frames)
    return simulation.state


@pytest.mark.nightly
@pytest.mark.parametrize(
    "frames, contacts",
    [
        (8, (Plane((0, 0, -0.05), friction=0.1),)),
        (8, (Plane((0, 0, -0.05), friction=0.5),)),
        (8, (Sphere(0.5, (0.2, 0.2, -0.53), friction=0.3),)),
        (8, (Plane((0, 0, -0.05), friction=0.5, restitution=0.4),)),
        # Longer, what lies on a small ball slides off elsewhere at a millionth.
        (3, (Plane((0, 0, -0.1), friction=0.3), Sphere(0.1, (0.2, 0.2, -0.1)))),
        (8, (Plane((0, 0, 0), friction=0.5),)),
    ],
    ids=["slides", "sticks", "ball", "bounces", "both", "begins on it"],
)
def test_the_closed_form_is_what_newtons_method_finds(frames, contacts, monkeypatch):
    asked = []

    def never(self, *_):
        asked.append(True)
        return False

    found = _ended(contacts, frames)
    monkeypatch.setattr(SplitContacts, "meets_shapes_alone", never)
    by_newton = _ended(contacts, frames)
    assert asked
    # Of falls of 5 cm and more, and as far along; who alone begins to touch rubs at once, by Newton's method later.
    assert np.abs(found.x - by_newton.x).max() < 3e-3
    assert np.abs(found.x - by_newton.x).mean() < 5e-4


def test_newtons_method_on_inertia_ends_where_nothing_pulls():
    random, n, count = np.random.default_rng(2), 40, 60
    corners = random.permuted(np.tile(np.arange(n), (count, 1)), axis=1)[:, :4]
    weights, normals = random.random((count, 4)), random.normal(size=(3, count))
    weights[random.random((count, 4)) < 0.4] = 0.0
    weights[:, 0] += 0.2
    weights /= weights.sum(axis=1, keepdims=True)
    normals[2] = np.abs(normals[2]) + 2.0
    normals /= np.linalg.norm(normals, axis=0)
    masses, a = random.uniform(0.5, 1.0, n), 1e-3
    y = 1e-4 * random.normal(size=(3, n))
    even = np.ones(count)
    laws = np.zeros((3, count)), 0.3 * even, 1e-4 * even, even, np.zeros(count, dtype=int)
    rows = Rows(Indices(corners, n), weights, normals, np.zeros(count), *laws)
    fields = np.stack([np.tile([[0.0], [0.0], [5.0]], n), np.zeros((3, n))])
    before = Before(np.zeros((3, n)), fields, 1.0 / masses, np.zeros(n), a, 1.0)
    newton = InertialNewton(masses / a**2, np.zeros(0, dtype=np.intp))
    newton.begin(y)
    x, contacts = newton.minimise(y.copy(), lambda x: ContactSet(rows, x, before), 1, 60, borne=False, more=0)
    # Friction by what presses first: what changes it is another problem.
    for _ in range(30):
        x, _ = newton.minimise(x, lambda x, contacts=contacts: contacts, 1, 60, borne=False, more=0)
    gradient = masses / a**2 * (x - y)
    pull = np.abs(gradient).max()
    contacts.add_gradient(x, gradient)
    assert pull > 1.0
    assert np.abs(gradient).max() < 1e-3 * pull

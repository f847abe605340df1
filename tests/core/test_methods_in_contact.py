# SPDX-License-Identifier: GPL-3.0-or-later
"""Every method in contact: what it does well in the air it does well on what it falls on."""

import numpy as np
import pytest

from hooke.core import INTEGRATORS, Plane, Simulation, SpringNetwork, State
from hooke.core.contacts import Sphere
from hooke.core.diagnostics import stable_dt
from hooke.core.effort import EFFORTS

G = 9.81

# Options and substeps of a frame of methods that are always stable.
ALWAYS = {
    name: (name, {"substeps": 3}) for name in INTEGRATORS if INTEGRATORS[name].stability_limit == np.inf
}
ALWAYS |= {
    "NEWTON": ("IMPLICIT_EULER", {"substeps": 3, "newton_iterations": 10}),
    "BDF2": ("PROJECTIVE_DYNAMICS", {"substeps": 3, "time_stepping": "BDF2"}),
    "SECANT": ("PROJECTIVE_DYNAMICS", {"substeps": 3, "acceleration": "SECANT", "iterations": 5}),
    "LBFGS": ("PROJECTIVE_DYNAMICS", {"substeps": 3, "acceleration": "LBFGS"}),
}
ALWAYS |= {name: ("PROJECTIVE_DYNAMICS", effort.settings) for name, effort in EFFORTS.items()}
STEPPED = [name for name in INTEGRATORS if name not in ALWAYS]
METHODS = [*ALWAYS, *STEPPED]


def block(tilt=0.0):
    """Points and springs of 27 points, 0.3 m wide, turned about y and x."""
    lattice = SpringNetwork.lattice((3, 3, 3), 0.15, "CORNER")
    (c, s), (d, t) = ((np.cos(angle), np.sin(angle)) for angle in (tilt, 0.6 * tilt))
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, d, t], [0, -t, d]])
    return (lattice.points - lattice.points.mean(axis=0)) @ turn, lattice.edges


def sheet():
    """Of 25 points, 0.3 m wide, on one side."""
    grid = SpringNetwork.grid((5, 5), 0.075)
    x, y, _ = (grid.points - grid.points.mean(axis=0)).T
    return np.column_stack([0.6 * x, y, 0.8 * x]), grid.edges


def rope():
    """Of 7 points, 0.3 m long, on one end."""
    along = np.linspace(0.0, 0.3, 7)[:, None] * [0.5, 0.1, 0.8]
    return along, np.column_stack([np.arange(6), np.arange(1, 7)])


def dust():
    """Of 9 points."""
    return np.random.default_rng(1).uniform(0.0, 0.3, (9, 3)), np.zeros((0, 2), dtype=int)


BODIES = {"flat": block, "tilted": lambda: block(0.7), "sheet": sheet, "rope": rope, "dust": dust}


def simulation(method, body, contact, stiffness, *, gravity=(0, 0, -G), height=0.02):
    """A body of 1 kg at a height above z = 0, in steps at which the method is well in the air."""
    points, edges = BODIES[body]()
    points[:, 2] += height - points[:, 2].min()
    made = {"masses": 1.0 / len(points), "stiffness": stiffness}
    how = {"contacts": contact, "gravity": gravity}
    if method in ALWAYS:
        name, settings = ALWAYS[method]
        return Simulation(SpringNetwork(points, edges, **made), name, dt=1 / 24, **settings, **how)
    # The springs' damping lets methods be stable that are at no step without.
    lightest = np.sqrt(stiffness / made["masses"])
    network = SpringNetwork(points, edges, damping=0.15 * stiffness / lightest, **made)
    steps = int(np.ceil(lightest * 16 / 24)) if len(edges) else 24
    return Simulation(network, method, dt=1 / 24, substeps=steps, **how)


def energy(found, surface_v=0.0):
    """Of a simulation in a frame that rises at surface_v [m/s], over m g L."""
    state, masses = found.state, found.network.masses
    v = state.v - [0.0, 0.0, surface_v]
    moving = 0.5 * masses @ np.einsum("ij,ij->i", v, v)
    high = G * masses @ (state.x[:, 2] - surface_v * state.t)
    return (moving + high + found.integrator.elastic_energy(state.x, state.t)) / (G * 0.3)


def pose(speed):
    """Of what rises at a speed [m/s]."""

    def at(t):
        matrix = np.eye(4)
        matrix[2, 3] = speed * t
        return matrix

    return at


def surfaces(kind, restitution):
    """A contact and the speed at which it rises [m/s]."""
    if kind == "ball":
        return Sphere(0.6, (0.05, 0.0, -0.6), restitution=restitution), 0.0
    speed = {"plane": 0.0, "rising": 0.5}[kind]
    return Plane(restitution=restitution, pose=pose(speed)), speed


CASES = [
    ("flat", "plane", 1e3, 1.0),
    ("flat", "rising", 2e5, 0.5),
    ("tilted", "plane", 1e6, 0.0),
    ("sheet", "ball", 1e4, 0.0),
    ("rope", "plane", 2e5, 0.0),
    ("dust", "ball", 1e3, 1.0),
]


@pytest.mark.sampled(8)
@pytest.mark.combined
@pytest.mark.parametrize(("body", "kind", "stiffness", "restitution"), CASES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("starts", [range(1), pytest.param(range(1, 25), marks=pytest.mark.nightly)])
def test_no_impact_explodes_gains_or_sinks_in(method, body, kind, stiffness, restitution, starts):
    for seed in starts:
        contact, speed = surfaces(kind, restitution)
        found = simulation(method, body, contact, stiffness if method in ALWAYS else 1e3)
        # Rounding must not decide on it.
        way = 1e-12 * np.random.default_rng(seed).standard_normal(found.state.x.shape) if seed else 0.0
        found.state = State(found.state.x + way, found.state.v - [0.0, 0.0, 2.0], 0.0)
        at_start = energy(found, speed)
        # It strikes in the first frame, and its other corners within 0.1 s.
        for x in found.frames(3 if method in ALWAYS else 1):
            # Methods of first order swing by g v dt of what flies.
            assert energy(found, speed) < at_start + 0.02 + 2.0 * found.integrator.dt / 0.3, seed
            assert contact.near(x, found.state.t, 1.0)[0].min() > -1e-6, seed


@pytest.mark.sampled(14)
@pytest.mark.parametrize("method", METHODS)
def test_a_stiff_block_that_rests_stays(method):
    found = simulation(method, "flat", Plane(), 1e6 if method in ALWAYS else 3e3, height=0.0)
    *_, x = found.frames(5 if method in ALWAYS else 1)
    # Its weight presses it together by m g / k; Position Based by what its sweeps leave of a substep's fall.
    sag = (
        4.0 * G * found.integrator.dt**2
        if method == "POSITION_BASED"
        else 2.0 * G / found.network.stiffness[0]
    )
    # What lies on something is borne above it by what contacts give way under it.
    assert np.abs(x - found.network.points).max() < sag + 0.1 * G * found.integrator.dt**2 + 1e-5


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("steepness", [0.98, 1.02, 1.1])
@pytest.mark.parametrize("method", ["IMPLICIT_EULER", "CONVERGED"])
def test_a_stiff_block_slides_as_coulomb_has_it(method, steepness):
    # A slope as gravity that is turned: friction holds it up to its angle, and above takes mu of what presses.
    friction = 0.5
    slope = np.arctan(steepness * friction)
    gravity = G * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    found = simulation(method, "flat", Plane(friction=friction), 1e5, gravity=gravity, height=0.0)
    # It slips in the first substep, until it is as high as contacts bear it.
    speeds = []
    for _ in range(2):
        *_, _ = found.frames(6)
        speeds.append(found.state.v[:, 0].mean())
    expected = max(gravity[0] + friction * gravity[2], 0.0) * 6 / 24
    if steepness < 1.0:
        assert abs(speeds[1]) < 1e-2
    else:
        assert speeds[1] - speeds[0] == pytest.approx(expected, rel=0.02)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_a_step_near_its_limit_gains_little_by_an_impact(restitution):
    # What a surface puts back up is moved against its springs: unpaid, this gains a quarter of m g L.
    lattice = SpringNetwork.lattice((4,) * 3, 0.1, "CORNER", masses=1.0 / 64, stiffness=1e3)
    points = lattice.points @ np.array([[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]])
    points[:, 2] += 0.5 - points[:, 2].min()
    network = SpringNetwork(points, lattice.edges, masses=lattice.masses, stiffness=lattice.stiffness)
    substeps = int(np.ceil(1 / 24 / (0.95 * stable_dt(network))))
    floor = Plane(restitution=restitution, friction=0.3)
    found = Simulation(network, "VERLET", dt=1 / 24, substeps=substeps, contacts=floor)
    begun, most = found.diagnostics()["total"], -np.inf
    for _ in range(30):
        found.step()
        most = max(most, found.diagnostics()["total"])
    assert most - begun < 0.18 * G * 0.3

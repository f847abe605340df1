# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's statements on lattices and steps, against counting arguments and closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from theory.lattices import deviation, fastest_mode, parts, zero_modes
from theory.oscillator import amplification, largest_of_mode, measured_limits

from hooke.core import INTEGRATORS, SpringNetwork


def test_face_springs_let_every_row_slide():
    # u_x may depend on y and z in any way, and so on: n^2 + n^2 + n^2 motions without stretch, 6 of them rigid.
    for n in (2, 3, 4):
        assert zero_modes(SpringNetwork.lattice((n, n, n), reach=("FACE",))) == 3 * n * n


def test_all_levels_leave_the_rigid_motions():
    assert zero_modes(SpringNetwork.lattice((3, 3, 3), reach="CORNER")) == 6


@pytest.mark.parametrize(("level", "count"), [("FACE", 1), ("EDGE", 2), ("CORNER", 4)])
def test_diagonals_join_points_of_one_parity(level, count):
    assert parts(SpringNetwork.lattice((3, 4, 5), reach=(level,))) == count


def test_moving_and_turning_is_no_deviation():
    network = SpringNetwork.lattice((3, 3, 3), 0.2)
    moved = Rotation.from_rotvec([0.3, -2.0, 1.0]).apply(network.points) + np.array([1.0, 2.0, 3.0])
    assert deviation(network, moved) < 1e-12
    # Every particle is 10 % of its distance from the centre away: the root mean square is sqrt(2) * 0.2 m.
    assert deviation(network, 1.1 * moved) == pytest.approx(0.1 * np.sqrt(2.0) * 0.2, rel=1e-9)


GROWTH = {
    "EXPLICIT_EULER": lambda z: np.sqrt(1.0 + z**2),
    "MODIFIED_EULER": lambda z: np.sqrt(1.0 + z**2 / 2.0),
    "MIDPOINT": lambda z: np.sqrt(1.0 + z**4 / 4.0),
    "RK4": lambda z: abs(1.0 + 1j * z - z**2 / 2.0 - 1j * z**3 / 6.0 + z**4 / 24.0),
    "IMPLICIT_EULER": lambda z: 1.0 / np.sqrt(1.0 + z**2),
    "PROJECTIVE_DYNAMICS": lambda z: 1.0 / np.sqrt(1.0 + z**2),
    "SYMPLECTIC_EULER": lambda z: 1.0 if z <= 2.0 else z**2 / 2.0 - 1.0 + z * np.sqrt(z**2 / 4.0 - 1.0),
}


@pytest.mark.parametrize("integrator", GROWTH)
@pytest.mark.parametrize("w_dt", [0.1, 1.0, 1.9, 2.5, 3.5])
def test_amplification_is_the_closed_form(integrator, w_dt):
    assert amplification(integrator, w_dt) == pytest.approx(GROWTH[integrator](w_dt), rel=1e-9)


@pytest.mark.nightly
def test_measured_limits_are_the_stated_ones():
    for id, limit in measured_limits().items():
        assert limit == pytest.approx(INTEGRATORS[id].stability_limit, rel=1e-4), id


def test_damping_along_springs_makes_explicit_euler_stable_below_mu_over_k():
    # |1 + s dt|^2 = 1 - c dt + w^2 dt^2 for s = -c/2 + i sqrt(w^2 - c^2/4): bounded for dt < c / w^2.
    frequency, rate = 500.0, 100.0
    assert largest_of_mode("EXPLICIT_EULER", frequency, rate, 1.0) == pytest.approx(
        rate / frequency**2, rel=1e-4
    )
    # (w dt / 2)^2 + c dt / 2 = 1
    symplectic = largest_of_mode("SYMPLECTIC_EULER", frequency, rate, 1.0)
    assert (frequency * symplectic / 2.0) ** 2 + rate * symplectic / 2.0 == pytest.approx(1.0, rel=1e-4)


def test_fastest_mode_of_two_particles():
    # Two equal masses on one spring: w^2 = 2 k / m; damping mu / k = 0.5 / 1000 s is the scene's.
    pair = SpringNetwork([[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=0.05, stiffness=1000.0, damping=0.5)
    frequency, rate = fastest_mode(pair)
    assert frequency == pytest.approx(200.0, rel=1e-12)
    assert rate == pytest.approx(20.0, rel=1e-12)

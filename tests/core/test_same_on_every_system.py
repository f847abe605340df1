# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene's bits are made of is the same on every system: arithmetic and roots, not the C library's functions."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import EFFORTS, AirDrag, Material, Plane, Simulation, Sphere, SpringNetwork
from hooke.core.axes import hypotenuse
from hooke.core.kernels.contact_laws import STIFFENS, depth, push
from hooke.core.solvers import factors

# IEEE 754 says to the last bit what sums, products, quotients and square roots are, and of none of these.
OF_THE_LIBRARY = (
    *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2"),
    *("arctanh", "cbrt", "cos", "cosh", "exp", "exp2"),
    *("expm1", "float_power", "hypot", "log", "log10", "log1p"),
    *("log2", "logaddexp", "sin", "sinh", "tan", "tanh"),
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("effort", EFFORTS)
def test_a_scene_asks_the_c_library_for_no_function(effort, monkeypatch):
    for name, known in [(name, getattr(np, name)) for name in OF_THE_LIBRARY]:

        def refused(*values, name=name, known=known, **more):
            # What a factor will cost is an estimate.
            if sys._getframe(1).f_code.co_filename == factors.__file__:
                return known(*values, **more)
            raise AssertionError(f"np.{name} differs in its last bit between systems")

        monkeypatch.setattr(np, name, refused)
    cotton = Material(stretch=5e3, shear=100.0, bending=1e-5, area_density=0.136)
    sheet = SpringNetwork.grid((7, 7), 0.2, material=cotton)
    around = [Sphere(0.3, (0.6, 0.6, -0.4)), Plane((0, 0, -0.8))]
    how = EFFORTS[effort].settings
    simulation = Simulation(sheet, dt=1 / 24, forces=AirDrag(), contacts=around, **how)
    for _ in range(12):
        simulation.step()
    assert simulation.state.x[:, 2].min() < -0.3


def test_a_hypotenuse_is_one_from_the_least_numbers_to_the_largest():
    sizes = 10.0 ** np.array([-300.0, -160.0, -3.0, 0.0, 9.0, 160.0, 307.0])
    a, b = map(np.ravel, np.meshgrid(sizes, np.append(-0.3 * sizes, 0.0)))
    assert_allclose(hypotenuse(a, b), np.hypot(a, b), rtol=4e-16)
    assert hypotenuse(0.0, 0.0) == 0.0


def test_a_depth_is_where_contacts_press_so_hard():
    forces, stiffness, depths = 10.0 ** np.linspace(-12, 4, 400), 300.0, 0.01
    found = depth(forces, stiffness, depths)
    assert found.max() > STIFFENS * depths
    assert_allclose(push(-found, stiffness, depths)[0], forces, rtol=1e-14)

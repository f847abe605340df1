# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no number, no index and no face is refused by a ValueError that names it, whatever it is."""

import numpy as np
import pytest

from hooke.core import (
    AirDrag,
    Inside,
    Material,
    Plane,
    SelfCollision,
    Sewing,
    Simulation,
    SpringNetwork,
    Wind,
    Yield,
)

SQUARE, FACES = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]]


def simulation(**arguments):
    return Simulation(SpringNetwork.from_mesh(SQUARE, faces=FACES), **{"dt": 1 / 24, **arguments})


NUMBERS = {
    "stretch": lambda value: Material(stretch=value),
    "bending": lambda value: Material(bending=value),
    "points": lambda value: SpringNetwork.from_mesh([[value, 0, 0]] * 4, faces=FACES),
    "mass": lambda value: SpringNetwork(SQUARE, [[0, 1]], masses=value),
    "stiffness": lambda value: SpringNetwork(SQUARE, [[0, 1]], stiffness=value),
    "grid spacing": lambda value: SpringNetwork.grid((3, 3), value),
    "grid shape": lambda value: SpringNetwork.grid((3, value), 0.1),
    "dt": lambda value: simulation(dt=value),
    "substeps": lambda value: simulation(substeps=value),
    "iterations": lambda value: simulation(iterations=value),
    "tolerance": lambda value: simulation(tolerance=value),
    "gravity": lambda value: simulation(gravity=(0, 0, value)),
    "friction": lambda value: Plane(friction=value),
    "self-collision's thickness": lambda value: SelfCollision(value),
    "density": lambda value: AirDrag(density=value),
    "gusts": lambda value: Wind(gusts=value),
    "speed of wind": lambda value: Wind(value),
    "limit of a yield": lambda value: Yield(value),
    "closing time of seams": lambda value: Sewing(value),
    "pressure": lambda value: Inside(value),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("value", ["stiff", None, 1 + 2j, [None], [[1.0], [1.0, 2.0]]], ids=repr)
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_is_named(name, value):
    with pytest.raises(ValueError, match=name):
        NUMBERS[name](value)


@pytest.mark.parametrize(
    "faces", [3, [None], [[0, 1, 2], None], [[0, None, 2]], ["abc"], [[0, 1.5, 2]]], ids=repr
)
def test_what_is_no_face_is_named(faces):
    with pytest.raises(ValueError, match=r"^face"):
        SpringNetwork.from_mesh(SQUARE, faces=faces)


@pytest.mark.parametrize("edges", [[["a", "b"]], [[0, None]], [[0, 1], [2]]], ids=repr)
def test_what_is_no_edge_is_named(edges):
    with pytest.raises(ValueError, match="edges"):
        SpringNetwork.from_mesh(SQUARE, edges=edges)


def test_a_grid_of_more_points_than_indices_number_is_refused_before_it_takes_memory():
    with pytest.raises(ValueError, match="at most 2147483647"):
        SpringNetwork.grid((2**16, 2**15), 0.1)


def test_numbers_of_any_real_kind_are_taken():
    for value in (1, True, np.float32(1.0), np.array(1.0), [1.0]):
        assert simulation(gravity=(0, 0, -np.ravel(value)[0].astype(float))).dt == 1 / 24
        assert Yield(value).limit == value

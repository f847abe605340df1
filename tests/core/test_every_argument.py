# SPDX-License-Identifier: GPL-3.0-or-later
"""Every argument of all that `hooke.core` exports refuses what it cannot be, by a ValueError with a sentence."""

import inspect

import numpy as np
import pytest

from hooke import core
from hooke.core import Inside, Material, Member, Pleating, Simulation, SpringNetwork, State
from hooke.core.forces import FORCES, Reach, Scaled

SQUARES = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]], dtype=float)
FACES = [[0, 1, 2, 3], [1, 4, 5, 2]]
CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
SHEET = SpringNetwork.from_mesh(SQUARES, faces=FACES)


def with_inside(**quantities):
    return SpringNetwork.from_mesh(CUBE, faces=SIDES, inside=Inside(**quantities))


def with_pleats(**quantities):
    return SpringNetwork.from_mesh(SQUARES, faces=FACES, material=Material(), pleating=Pleating(**quantities))


def with_tears(tears_at, tear_scatter=0.0):
    how = {"material": Material(), "tears_at": tears_at, "tear_scatter": tear_scatter}
    return SpringNetwork.from_mesh(SQUARES, faces=FACES, **how)


def in_a_state(**quantities):
    simulation = Simulation(SHEET, dt=1.0)
    simulation.state = State(**quantities)


# What is made of each, and arguments that are right.
MADE = {
    "Attachment": (core.Attachment, {"points": SQUARES, "surface": SQUARES, "triangles": [[0, 1, 2]]}),
    "at_rest": (core.at_rest, {"body": core.Cloth(SHEET), "gravity": (0.0, 0.0, -9.81)}),
    "Body": (core.Body, {"network": SHEET, "vertex_count": 6}),
    "Cloth": (core.Cloth, {"network": SHEET}),
    "DeformingMesh": (core.DeformingMesh, {"points": CUBE, "triangles": [[0, 1, 3]]}),
    "Inside": (with_inside, {}),
    "Pleating": (with_pleats, {"edges": [[1, 2]], "angles": 1.0}),
    "RigidMesh": (core.RigidMesh, {"points": CUBE, "triangles": [[0, 1, 3]]}),
    "Simulation": (Simulation, {"network": SHEET, "dt": 1.0}),
    "Solid": (core.Solid.from_mesh, {"points": CUBE, "faces": SIDES}),
    "SpringNetwork": (SpringNetwork, {"points": SQUARES, "edges": [[0, 1]]}),
    "SpringNetwork.from_mesh": (SpringNetwork.from_mesh, {"points": SQUARES, "faces": FACES}),
    "SpringNetwork.grid": (SpringNetwork.grid, {"shape": (3, 3)}),
    "State": (in_a_state, {"x": SQUARES, "v": 0.0 * SQUARES}),
    "Together": (core.Together, {"members": [Member(SHEET)], "dt": 1.0}),
    "tears": (with_tears, {"tears_at": 0.1}),
    "Yield": (core.Yield, {"limit": 1.0}),
    "Reach": (Reach, {}),
    "Scaled": (Scaled, {"force": core.AirDrag()}),
}
MADE |= {
    name: (getattr(core, name), {})
    for name in ("Box", "Capsule", "Jiggle", "Material", "Plane", "Plasticity", "SelfCollision")
}
MADE |= {name: (getattr(core, name), {}) for name in ("Settling", "Sewing", "Sphere")}
MADE |= {kind.__name__: (kind, {}) for kind in FORCES.values() if kind is not Scaled}
# Records that others check, contracts, tables, an exception, and what takes a callable that makes a body.
OTHERS = {"BODIES", "CONTACTS", "EFFORTS", "FORCES", "INTEGRATORS", "ALIASES", "METHODS"}
OTHERS |= {"Contact", "Effort", "Force", "Member", "SimulationDiverged", "ChangingPins"}
# Switches, which take anything for on or off.
SWITCHES = {"clamped", "fading", "fixed", "gravitation", "keep_shape", "length_normalised", "sags", "varies"}
# Of these all that are no Colliders are left aside; a network without a material has none; they are found, not given;
# subclasses give their own.
ASIDE = {
    "at_rest": {"contacts"},
    "SpringNetwork.from_mesh": {"tears_at", "tear_scatter"},
    "State": {"normals"},
    "Body": {"vertex_count"},
}
RECORDS = {"Inside": Inside, "Pleating": Pleating, "State": State}
KEYWORDS = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
RAGGED, STRANGE = [[1.0], [1.0, 2.0]], object()


def arguments():
    """Each argument of each, but of those that only pass on to another."""
    for name, (make, right) in MADE.items():
        taken = inspect.signature(RECORDS.get(name, make)).parameters.values()
        asked = {each.name for each in taken if each.kind not in KEYWORDS} | set(right)
        for argument in sorted(asked - SWITCHES - ASIDE.get(name, set())):
            yield pytest.param(make, right, argument, id=f"{name}-{argument}")


def test_all_that_is_exported_is_tried():
    assert {name for name in core.__all__ if callable(getattr(core, name))} <= set(MADE) | OTHERS


@pytest.mark.parametrize("name", MADE)
def test_what_is_right_is_taken(name):
    make, right = MADE[name]
    make(**right)


@pytest.mark.parametrize(("make", "right", "argument"), list(arguments()))
def test_what_it_cannot_be_is_refused(make, right, argument):
    for wrong in ("stiff", 1 + 2j, STRANGE, RAGGED, {"a": 1}):
        with pytest.raises(ValueError, match=r"\w+ \w+") as refused:
            make(**{**right, argument: wrong})
        said = str(refused.value)
        assert not any(word in said for word in ("inhomogeneous", "could not convert", "ambiguous")), said

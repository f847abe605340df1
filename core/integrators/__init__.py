# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of integrators that simulation, interface, command line and tests read."""

from .explicit_euler import ExplicitEuler
from .implicit_euler import ImplicitEuler
from .midpoint import Midpoint
from .modified_euler import ModifiedEuler
from .position_based import PositionBased
from .projective_dynamics import ProjectiveDynamics
from .rk4 import RK4
from .symplectic_euler import SymplecticEuler
from .verlet import Verlet

INTEGRATORS = {
    "PROJECTIVE_DYNAMICS": ProjectiveDynamics,
    "IMPLICIT_EULER": ImplicitEuler,
    "POSITION_BASED": PositionBased,
    "VERLET": Verlet,
    "SYMPLECTIC_EULER": SymplecticEuler,
    "RK4": RK4,
    "MIDPOINT": Midpoint,
    "MODIFIED_EULER": ModifiedEuler,
    "EXPLICIT_EULER": ExplicitEuler,
}
# Other names of textbooks, by the id that files and the command line use.
ALIASES = {"RK2": "MIDPOINT", "SEMI_IMPLICIT_EULER": "SYMPLECTIC_EULER", "BACKWARD_EULER": "IMPLICIT_EULER"}

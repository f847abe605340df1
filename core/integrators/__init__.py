# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of integrators that simulation, interface, command line and tests read."""

from .projective_dynamics import ProjectiveDynamics
from .symplectic_euler import SymplecticEuler

INTEGRATORS = {
    "PROJECTIVE_DYNAMICS": ProjectiveDynamics,
    "SYMPLECTIC_EULER": SymplecticEuler,
}

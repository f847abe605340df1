# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass-spring simulation in NumPy and SciPy, independent of Blender."""

from .integrators import INTEGRATORS
from .network import SpringNetwork
from .simulation import Simulation, SimulationDiverged
from .state import State

__all__ = ["INTEGRATORS", "Simulation", "SimulationDiverged", "SpringNetwork", "State"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces and energies: one function for each formula, and the catalogue of external forces.

x, v: positions [m] and velocities [m/s], shape (vertex_count, 3). Forces are in N, energies in J.
"""

from .acceleration import Acceleration
from .air_drag import AirDrag
from .central_force import CentralForce
from .charge import Charge
from .damping import damping_blocks, damping_forces, damping_turn_blocks
from .drag import Drag
from .field import Field
from .force import Force, Peaking
from .gravity import Gravity
from .harmonic import Harmonic
from .inertia import kinetic_energy
from .magnetic import Magnetic
from .reach import Reach
from .scaled import Scaled
from .settling import Settling
from .soft_pins import pin_damped, pin_energy, pin_forces, pin_weights
from .springs import energies_of_parts, spring_blocks, spring_directions, spring_energy, spring_forces
from .stiffness import damping_matrix, stiffness_matrix
from .turbulence import Turbulence
from .vortex import Vortex
from .wind import Wind
from .winds import Winds

FORCES = {
    "GRAVITY": Gravity,
    "ACCELERATION": Acceleration,
    "AIR_DRAG": AirDrag,
    "SETTLING": Settling,
    "WIND": Wind,
    "CENTRAL_FORCE": CentralForce,
    "VORTEX": Vortex,
    "TURBULENCE": Turbulence,
    "DRAG": Drag,
    "HARMONIC": Harmonic,
    "CHARGE": Charge,
    "MAGNETIC": Magnetic,
}

__all__ = [
    "FORCES",
    "Acceleration",
    "AirDrag",
    "CentralForce",
    "Charge",
    "Drag",
    "Field",
    "Force",
    "Gravity",
    "Harmonic",
    "Magnetic",
    "Peaking",
    "Reach",
    "Scaled",
    "Settling",
    "Turbulence",
    "Vortex",
    "Wind",
    "Winds",
    "damping_blocks",
    "damping_forces",
    "damping_matrix",
    "damping_turn_blocks",
    "energies_of_parts",
    "kinetic_energy",
    "pin_damped",
    "pin_energy",
    "pin_forces",
    "pin_weights",
    "spring_blocks",
    "spring_directions",
    "spring_energy",
    "spring_forces",
    "stiffness_matrix",
]

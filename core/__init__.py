# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass-spring simulation in NumPy and SciPy, independent of Blender.

A sheet of 1 m, hung at two corners, for a second at 24 frames a second:

>>> from hooke.core import Simulation, SpringNetwork
>>> sheet = SpringNetwork.grid((21, 21), 0.05, pins=[0, 20])
>>> simulation = Simulation(sheet, dt=1 / 24, substeps=5)
>>> frames = list(simulation.frames(24))
>>> len(frames), frames[-1].shape
(24, (441, 3))
"""

from .at_rest import at_rest
from .attachment import Attachment
from .bodies import BODIES, Body, Cloth, Solid
from .changing_pins import ChangingPins
from .contacts import (
    CONTACTS,
    Box,
    Capsule,
    Contact,
    DeformingMesh,
    Plane,
    RigidMesh,
    SelfCollision,
    Sphere,
)
from .divergence import SimulationDiverged
from .effort import EFFORTS, Effort
from .forces import FORCES, AirDrag, Settling, Wind
from .integrators import INTEGRATORS
from .jiggle import Jiggle
from .material import Material
from .network import SpringNetwork
from .plasticity import Plasticity, Yield
from .simulation import Simulation
from .state import State
from .stencils import Inside, Pleating, Sewing
from .together import Member, Together

__all__ = [
    "BODIES",
    "CONTACTS",
    "EFFORTS",
    "FORCES",
    "INTEGRATORS",
    "AirDrag",
    "Attachment",
    "Body",
    "Box",
    "Capsule",
    "ChangingPins",
    "Cloth",
    "Contact",
    "DeformingMesh",
    "Effort",
    "Inside",
    "Jiggle",
    "Material",
    "Member",
    "Plane",
    "Plasticity",
    "Pleating",
    "RigidMesh",
    "SelfCollision",
    "Settling",
    "Sewing",
    "Simulation",
    "SimulationDiverged",
    "Solid",
    "Sphere",
    "SpringNetwork",
    "State",
    "Together",
    "Wind",
    "Yield",
    "at_rest",
]

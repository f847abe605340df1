# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact as stencils of weighted points: what is near, when it would meet, and what that costs in energy.

The catalogue has what keeps bodies out of other things.
"""

from .box import Box
from .capsule import Capsule
from .collider import Collider
from .contact import Contact
from .deforming_mesh import DeformingMesh
from .plane import Plane
from .rigid_mesh import RigidMesh
from .self_collision import SelfCollision
from .sphere import Sphere
from .squeezed import Squeezed

CONTACTS = {
    "PLANE": Plane,
    "SPHERE": Sphere,
    "CAPSULE": Capsule,
    "BOX": Box,
    "MESH": RigidMesh,
    "DEFORMING_MESH": DeformingMesh,
    "SELF_COLLISION": SelfCollision,
}

__all__ = [
    "CONTACTS",
    "Box",
    "Capsule",
    "Collider",
    "Contact",
    "DeformingMesh",
    "Plane",
    "RigidMesh",
    "SelfCollision",
    "Sphere",
    "Squeezed",
]

# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of `contact` under the name that scripts know it by."""

from .contact import (
    CONTACTS,
    Box,
    Capsule,
    Collider,
    Contact,
    DeformingMesh,
    Plane,
    RigidMesh,
    SelfCollision,
    Sphere,
    Squeezed,
)

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

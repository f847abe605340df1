# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of colliders: objects with resolve(before, after) -> State, applied after every substep."""

from .plane import Plane

CONTACTS = {
    "PLANE": Plane,
}

__all__ = ["CONTACTS", "Plane"]

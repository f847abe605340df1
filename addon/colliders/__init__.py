# SPDX-License-Identifier: GPL-3.0-or-later
"""What simulated objects collide with: objects with Collision physics, as arrays and as the core's contacts."""

from .contacts import contacts, count_inside
from .finding import Found, check_circle, find
from .floor import add_floor
from .reading import read
from .settings import HookeCollider, add_collision, collision_modifier, register, unregister

__all__ = [
    "Found",
    "HookeCollider",
    "add_collision",
    "add_floor",
    "check_circle",
    "collision_modifier",
    "contacts",
    "count_inside",
    "find",
    "read",
    "register",
    "unregister",
]

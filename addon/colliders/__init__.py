# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders: objects with Collision physics, as arrays and as the core's contacts."""

from .at_collision import is_reading
from .contact_warnings import HINT, Doubt, doubts
from .contacts import between, contacts
from .dependence import dependent
from .finding import (
    Found,
    find,
    has_shut_eye,
    is_enabled,
    is_field,
    is_seen,
    is_simulated,
    may_come,
    meeting,
    together,
)
from .fitting import Fit, fitted
from .floor import add_floor
from .missed_obstacles import below, passed
from .once_per_frame import looked_at_once, once
from .reading import read, read_own, shown
from .settings import HookeCollider, add_collision, collision_modifier, is_collider, register, unregister

__all__ = [
    "HINT",
    "Doubt",
    "Fit",
    "Found",
    "HookeCollider",
    "add_collision",
    "add_floor",
    "below",
    "between",
    "collision_modifier",
    "contacts",
    "dependent",
    "doubts",
    "find",
    "fitted",
    "has_shut_eye",
    "is_collider",
    "is_enabled",
    "is_field",
    "is_reading",
    "is_seen",
    "is_simulated",
    "looked_at_once",
    "may_come",
    "meeting",
    "once",
    "passed",
    "read",
    "read_own",
    "register",
    "shown",
    "together",
    "unregister",
]

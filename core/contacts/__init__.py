# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of contacts: what keeps bodies out of other things."""

from .collider import Collider
from .contact import Contact
from .plane import Plane

CONTACTS = {
    "PLANE": Plane,
}

__all__ = ["CONTACTS", "Collider", "Contact", "Plane"]

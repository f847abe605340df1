# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of bodies, which are simulated in place of a mesh."""

from .body import Body
from .cloth import Cloth
from .solid import Solid

BODIES: dict[str, type[Body]] = {
    "CLOTH": Cloth,
    "SOLID": Solid,
}

__all__ = ["BODIES", "Body", "Cloth", "Solid"]

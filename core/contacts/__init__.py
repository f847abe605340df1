# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders: objects with resolve(before, after) -> State that a simulation applies after every substep."""

from .plane import Plane

__all__ = ["Plane"]

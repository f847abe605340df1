# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points by kind of stencil: each gives weights w of its corners, whose sum of w x is the way between them."""

from .edge_edge import edge_edge
from .point_triangle import point_triangle

__all__ = ["edge_edge", "point_triangle"]

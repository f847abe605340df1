# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes as surfaces: what is closest, on which side, and how near triangles are found."""

from .mesh import TriangleMesh

__all__ = ["TriangleMesh"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points, as what bends, sews, attaches or ties, by one law of length; volumes and pleats."""

from .elements import ElementOperators
from .enclosure_operators import EnclosureOperators
from .enclosures import Enclosures, Inside
from .hinges import Hinges
from .operators import StencilOperators
from .pleats import Pleating, PleatOperators, Pleats
from .seams import Seams, Sewing, hanging_edges, seam_edges, sewn_triangles, tying_edges
from .sheet_bending import sheet_bending
from .stencils import Stencils
from .strand_bending import strand_bending
from .volumes import VolumeOperators, Volumes

__all__ = [
    "ElementOperators",
    "EnclosureOperators",
    "Enclosures",
    "Hinges",
    "Inside",
    "PleatOperators",
    "Pleating",
    "Pleats",
    "Seams",
    "Sewing",
    "StencilOperators",
    "Stencils",
    "VolumeOperators",
    "Volumes",
    "hanging_edges",
    "seam_edges",
    "sewn_triangles",
    "sheet_bending",
    "strand_bending",
    "tying_edges",
]

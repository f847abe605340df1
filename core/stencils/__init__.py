# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points: what bends a sheet or a strand, sews, attaches or ties, by one law of length."""

from .hinges import Hinges
from .operators import StencilOperators
from .sheet_bending import sheet_bending
from .stencils import Stencils
from .strand_bending import strand_bending

__all__ = ["Hinges", "StencilOperators", "Stencils", "sheet_bending", "strand_bending"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids: cells that fill a surface, springs of a lattice in them, and the skin that rides on them."""

from .cells import Cells, cells_within
from .filling import Filling
from .lattice_springs import lattice_masses, lattice_springs
from .lumps import lumps
from .riding import Riding
from .skin import Skin, skin_of

__all__ = [
    "Cells",
    "Filling",
    "Riding",
    "Skin",
    "cells_within",
    "lattice_masses",
    "lattice_springs",
    "lumps",
    "skin_of",
]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled functions: each kernel is a definition in NumPy and a twin in C; the twin is called where it exists.

A kernel is a pair of files of one name here, and its import below, by which the library is compared with the
definitions before it is used. docs/kernels.md says how to add one.
"""

from . import (
    air,
    blocks,
    contacts,
    curvature,
    drag,
    lanes,
    motion,
    noise,
    overlaps,
    springs,
    stencils,
    supernodes,
)
from .kernel import CHOSEN, Kernel, kernel
from .signature import Indices

__all__ = [
    "CHOSEN",
    "Indices",
    "Kernel",
    "air",
    "blocks",
    "contacts",
    "curvature",
    "drag",
    "kernel",
    "lanes",
    "motion",
    "noise",
    "overlaps",
    "springs",
    "stencils",
    "supernodes",
]

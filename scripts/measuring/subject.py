# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be measured, for catalogues that dev.py reads: imports nothing but Python's own library."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """What a module of `lab` or `benchmark` measures, and the environments that can run it, best first.

    usual: whether it runs where none is named; one_thread: whether algebra libraries are kept to one thread.
    """

    measures: str
    environments: tuple[str, ...] = ("plain",)
    usual: bool = True
    one_thread: bool = False


def keep_to_one_thread() -> None:
    """Let the algebra libraries of this process use one thread; to be called before NumPy is imported."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

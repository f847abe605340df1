# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be measured, for catalogues that dev.py reads: imports nothing but Python's own library."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """What a module of `lab` or `benchmark` measures, and the environments that can run it, best first.

    usual: whether it runs where none is named; one_thread: whether algebra libraries are kept to one thread;
    options: names of those that its run() takes, of a room where others take none.
    """

    measures: str
    environments: tuple[str, ...] = ("plain",)
    usual: bool = True
    one_thread: bool = False
    options: tuple[str, ...] = ()


def at_least(limit: int):
    """A type of argument: a whole number from a limit on."""

    def whole_number(text: str) -> int:
        if int(text) < limit:
            raise argparse.ArgumentTypeError(f"{text} is too small: give at least {limit}")
        return int(text)

    return whole_number


def keep_to_one_thread() -> None:
    """Let the algebra libraries of this process use one thread; to be called before NumPy is imported."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

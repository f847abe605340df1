# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be measured, for catalogues that dev.py reads: imports nothing but Python's own library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """What a module of `lab` or `benchmark` measures, and the environments that can run it, best first.

    usual: whether it runs where none is named.
    """

    measures: str
    environments: tuple[str, ...] = ("plain",)
    usual: bool = True

# SPDX-License-Identifier: GPL-3.0-or-later
"""Air that surfaces have to move: its inertia, and how it passes along them."""

from .reactive_air import ReactiveAir, reactive_airs

__all__ = ["ReactiveAir", "reactive_airs"]

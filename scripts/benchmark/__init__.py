# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks: `python scripts/benchmark` in an environment with bpy prints every table.

Each subject is a module with run(quads, frame_count). `sheet` is what they simulate, `hooke` finds the package
they time, `machine` tells what the figures depend on, `table` prints.
"""

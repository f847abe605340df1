# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks: `python scripts/benchmark` in an environment with bpy prints every table."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows' own CPython, NumPy, SciPy and Blender as a module under Wine on Linux, and what is run there."""

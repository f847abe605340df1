# SPDX-License-Identifier: GPL-3.0-or-later
"""Many bakes at once: what scripts/farm.py is made of.

Four kinds of processes, and what each may import:
- farm.py itself: everything here but what runs inside Blender; Dask and Pillow.
- a worker of Dask's: `on_worker`, which it gets with the task, and by it `task`, `attempts`, `blender_process`,
  `held_files` and `publishing` from the copy of Hooke's scripts that the farm hands out; the standard library alone.
- Blender, started by those: `inside` and what that names.
"""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes what is in scripts/ importable, as dev.py does."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / room) for room in ("scripts", "tests")]

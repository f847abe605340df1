# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes scripts/lab importable as the package `lab`, as its own command line does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

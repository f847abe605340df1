# SPDX-License-Identifier: GPL-3.0-or-later
"""core/held_files.py for workers, which have the standard library alone: `import hooke.core` brings NumPy."""

import importlib.util
from pathlib import Path

_PATH = Path(__file__).resolve().parents[2] / "core" / "held_files.py"
_spec = importlib.util.spec_from_file_location("hooke_held_files", _PATH)
assert _spec is not None and _spec.loader is not None, "the copy holds the core"
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
rename = _module.rename

# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/demo.py replaces nothing but results of a demo."""

import subprocess
import sys

import pytest

from ..waiting import HANGS
from .script import ROOT


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("name", ["skirt.blend", "demo.gif"])
def test_a_file_of_somebody_s_in_a_result_s_place_is_said_before_anything_is_baked(name, tmp_path):
    (tmp_path / name).write_text("years of work", encoding="utf-8")
    words = [sys.executable, ROOT / "scripts" / "demo.py", "--output", tmp_path]
    ended = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS)
    assert ended.returncode == 2
    assert [line for line in ended.stderr.splitlines() if name in line and line.startswith("demo: ")]
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [
        (name, "years of work")
    ]

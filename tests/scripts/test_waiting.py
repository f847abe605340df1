# SPDX-License-Identifier: GPL-3.0-or-later
"""A test that hangs is ended and named, and nothing else is by the clock."""

import subprocess
import sys
from pathlib import Path

from ..waiting import HANGS

ROOT = Path(__file__).resolve().parents[2]
HANGING = """
import time

def test_that_hangs():
    time.sleep(3600)
"""


def test_pytest_ends_a_test_that_hangs_and_names_it(tmp_path):
    file = tmp_path / "test_hanging.py"
    file.write_text(HANGING, encoding="utf-8")
    words = ["-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=1", file]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert run.returncode == 1 and "in test_that_hangs" in run.stderr


def test_a_test_is_told_that_what_it_waits_for_hangs_before_it_is_ended(pytestconfig):
    assert 0.0 < HANGS < float(pytestconfig.getini("faulthandler_timeout"))

# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip installed into Blender as a module, which runs on the same Python as blender.org's builds."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from waiting import HANGS

HERE = Path(__file__).parent
BROUGHT_BY_THE_ZIP = ("scipy", "cholespy", "hooke", "__editable__")


@pytest.fixture(scope="module")
def bare_packages(tmp_path_factory):
    """A folder with this environment's packages, without those that the zip has to bring."""
    folder = tmp_path_factory.mktemp("packages")
    for path in Path(sysconfig.get_path("platlib")).iterdir():
        if not path.name.lower().startswith(BROUGHT_BY_THE_ZIP) and path.suffix != ".pth":
            (folder / path.name).symlink_to(path)
    return folder


def test_the_zip_installs_and_simulates_on_its_own_wheels(zip_path, bare_packages, tmp_path):
    result = subprocess.run(
        [sys.executable, "-S", HERE / "drive_module.py", bare_packages, zip_path],
        env={**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    seen = json.loads([line for line in result.stdout.splitlines() if line.startswith("{")][-1])
    assert Path(seen["scipy_file"]).is_relative_to(tmp_path)
    assert Path(seen["cholespy_file"]).is_relative_to(tmp_path)
    # The wheel's library, which is compared with its definitions before it is used.
    assert Path(seen["kernels_file"]).is_relative_to(tmp_path) and seen["kernels"].startswith("C ")
    keys = seen["bakes"]["SHAPE_KEYS"]
    assert keys["keys"] == seen["frame_count"] and keys["keys_after_clear"] == 0

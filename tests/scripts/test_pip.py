# SPDX-License-Identifier: GPL-3.0-or-later
"""What pip makes of the checkout: the kernels are in it where a compiler is, and their library is the one that runs."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from commands import run_quietly
from compiling import own_compiler
from environments import ROOT

SAID = "from hooke.core.kernels import CHOSEN; import hooke; print(CHOSEN.name, hooke.__file__, sep='|')"


def installed(folder, **variables):
    """The wheel that pip builds of a copy of the checkout, unpacked into a folder; returns its name."""
    source = folder / "checkout"
    skipped = shutil.ignore_patterns(".*", "wheels", "dist", "demo", "build", "built", "tests", "docs")
    shutil.copytree(ROOT, source, ignore=skipped)
    words = ["pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder, source]
    told = run_quietly([sys.executable, "-m", *words], variables=variables)
    assert told.returncode == 0, told.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "site")
    return wheel.name


def said(folder, **variables):
    """What the unpacked package says in a process of its own: what calculates, and stderr."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOOKE_")}
    ended = subprocess.run(
        [sys.executable, "-c", SAID],
        env=kept | {"PYTHONPATH": str(folder / "site")} | variables,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert ended.returncode == 0, ended.stderr
    name, file = ended.stdout.strip().split("|")
    assert file.startswith(str(folder)), "the checkout itself was imported"
    return name, ended.stderr


@pytest.mark.nightly
@pytest.mark.skipif(not own_compiler(), reason="no compiler is on this machine")
def test_a_source_install_brings_the_kernels(tmp_path):
    name = installed(tmp_path)
    assert "-py3-none-" in name and not name.endswith("any.whl")
    calculates, errors = said(tmp_path)
    assert calculates.startswith("C ") and errors == ""


@pytest.mark.nightly
def test_without_a_compiler_numpy_calculates_and_says_so_once(tmp_path):
    assert installed(tmp_path, HOOKE_KERNELS="numpy").endswith("-py3-none-any.whl")
    calculates, errors = said(tmp_path)
    assert calculates == "NumPy"
    assert errors.splitlines() == [
        "Hooke calculates by NumPy, in twice the time: no compiled library is installed: "
        "install Hooke's zip or wheel for this platform"
    ]
    assert said(tmp_path, HOOKE_KERNELS="numpy") == ("NumPy", "")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Adding a method: the core's specification, unchanged, on a copy of the checkout that has Heun's method too."""

import difflib
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from measuring.page import ROOT, write_block

HEUN = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heun."""

from .runge_kutta import RungeKutta


class Heun(RungeKutta):
    """Heun's method: the mean of the slopes at the start and at the end that explicit Euler predicts.

    Order 2, explicit, two force evaluations a step. Slowly unstable for an undamped spring, like Midpoint.
    """

    label = "Heun"
    description = "Second order like Midpoint, with the slope averaged over both ends of the step"
    order = 2
    stability_limit = 0.0

    a = ((1.0,),)
    b = (0.5, 0.5)
'''
REGISTRATION = {
    "from .implicit_euler import ImplicitEuler\n": "from .heun import Heun\n",
    '    "MODIFIED_EULER": ModifiedEuler,\n': '    "HEUN": Heun,\n',
}


def run():
    """Copy, add, test, and write the difference and the result."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "hooke")
        for room in ("core", "tests"):
            shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("__init__.py", "pyproject.toml"):
            shutil.copy(ROOT / name, copy / name)
        changes = _add_heun(copy)
        result = _tested(copy)
    write_block("tenth-method", f"```diff\n{changes}```\n\n{result}")


def _add_heun(copy):
    """Write the file and register it; returns both as a unified diff."""
    place = "core/integrators/heun.py"
    (copy / place).write_text(HEUN, encoding="utf-8")
    catalogue = "core/integrators/__init__.py"
    before = after = (copy / catalogue).read_text(encoding="utf-8")
    for line, new in REGISTRATION.items():
        if line not in after:
            raise ValueError(f"{catalogue} has no line {line.strip()!r}: update REGISTRATION in the lab")
        after = after.replace(line, new + line)
    (copy / catalogue).write_text(after, encoding="utf-8")
    return _difference("", HEUN, place) + _difference(before, after, catalogue)


def _difference(before, after, name):
    old = f"a/{name}" if before else "/dev/null"
    lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(*lines, old, f"b/{name}", n=1))


def _tested(copy):
    """Run the core's tests in the copy; one sentence on what came of them."""
    report = copy / "report.xml"
    environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
    command = [sys.executable, "-m", "pytest", "tests/core", "-q", f"--junit-xml={report}"]
    subprocess.run(command, cwd=copy, env=environment, check=False)
    cases = ElementTree.parse(report).getroot().findall(".//testcase")
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    of_heun = [case for case in cases if "HEUN" in case.get("name", "")]
    if not of_heun:
        raise AssertionError("no test of Heun ran: the tests did not read the copy's catalogue")
    return (
        f"`pytest tests/core`: {len(cases)} tests, {len(of_heun)} of them about Heun's method, "
        f"{len(failed) or 'none'} failed."
    )

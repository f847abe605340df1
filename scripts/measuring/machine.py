# SPDX-License-Identifier: GPL-3.0-or-later
"""What a figure depends on besides the code: processor, memory, load, versions."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("bpy", "numpy", "scipy", "cholespy", "pyPBD", "newton", "warp-lang")


def description():
    """The processor with its cores and load, and the versions of what is installed."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    versions = [f"Python {sys.version.split()[0]}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return f"{_processor()}, {cores} cores{load}, {' · '.join(versions)}"


def _processor():
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

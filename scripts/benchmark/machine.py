# SPDX-License-Identifier: GPL-3.0-or-later
"""What a figure depends on besides Hooke: processor, load, versions."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import bpy


def description():
    """Two lines: the processor with its cores and load, and the versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    versions = [f"Blender {bpy.app.version_string}", f"Python {sys.version.split()[0]}"]
    for package in ("numpy", "scipy", "cholespy"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"no {package}")
    return f"{_processor()}, {cores} cores{load}\n{' · '.join(versions)}"


def _processor():
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

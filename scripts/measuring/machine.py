# SPDX-License-Identifier: GPL-3.0-or-later
"""What a figure depends on besides the code: processor, memory, load, versions."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

import numpy as np

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


def bandwidth(megabytes=256, repeats=7):
    """Bytes per second that one thread moves between memory and memory: a copy reads and writes each byte."""
    source = np.ones(megabytes * 2**20 // 8)
    target = np.empty_like(source)
    seconds = []
    for _ in range(repeats):
        began = perf_counter()
        np.copyto(target, source)
        seconds.append(perf_counter() - began)
    return 2 * source.nbytes / float(np.median(seconds[1:]))


def _processor():
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

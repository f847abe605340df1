# SPDX-License-Identifier: GPL-3.0-or-later
"""Install what only the operating system can bring: Blender's shared libraries and Python's venv module."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading

from commands import run_quietly

# The system's package manager does one thing at a time; environments are made side by side.
ONE_AT_A_TIME = threading.Lock()

# Shared libraries the bpy module links to and does not bring, with their Debian packages.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libICE.so.6": "libice6",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libXt.so.6": "libxt6",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libgomp.so.1": "libgomp1",
    "libxkbcommon.so.0": "libxkbcommon0",
}


class MissingPackage(Exception):
    """A package of the operating system is missing; the message names it and the command that installs it."""


def install(packages: list[str], purpose: str) -> None:
    """Install Debian packages with apt-get; raises MissingPackage with the command where that cannot be."""
    by_hand = "sudo apt-get install -y " + " ".join(packages)
    apt = apt_command()
    if apt is None:
        raise MissingPackage(
            f"{purpose} needs packages of the operating system. On Debian or Ubuntu: `{by_hand}`; "
            "elsewhere install the packages of the same libraries; then run this again."
        )
    print(f"  Installing for {purpose}: {' '.join(packages)}", flush=True)
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        with ONE_AT_A_TIME:
            told = run_quietly([*apt, *arguments], variables={"DEBIAN_FRONTEND": "noninteractive"})
        if told.returncode != 0:
            raise MissingPackage(f"`{' '.join([*apt, *arguments])}` failed: {told.stderr.strip()[-500:]}")


def apt_command() -> list[str] | None:
    """The words that start apt-get with the rights to install, or None where there are none."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n", "apt-get"]
    return None

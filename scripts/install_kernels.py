# SPDX-License-Identifier: GPL-3.0-or-later
"""What pip does beside copying Python's files: where a compiler is, the kernels are in what it installs.

pyproject.toml names both classes. Without a compiler, or where HOOKE_KERNELS is numpy, NumPy calculates.
"""

import os
import sys
from pathlib import Path

from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))

import compiling

COMPILER = [] if os.environ.get("HOOKE_KERNELS") == "numpy" else compiling.own_compiler()


class WithKernels(build_py):
    """Python's files, and the library that this machine's compiler makes of those in C."""

    def run(self):
        """Build; a compiler that fails leaves what NumPy calculates."""
        super().run()
        built = compiling.BUILT
        if not self.editable_mode:
            built = Path(self.build_lib, "hooke", built.relative_to(compiling.ROOT))
        try:
            if COMPILER:
                compiling.build_into(built, COMPILER)
        except compiling.CannotCompile as error:
            print(f"hooke: NumPy calculates, in twice the time: {error}", file=sys.stderr)


class OfAnyPython(bdist_wheel):
    """A wheel with a library is of one platform, and of every Python, whose interface the library does not ask for."""

    def finalize_options(self):
        """As of a package with extension modules, which setuptools takes a library for."""
        self.distribution.has_ext_modules = lambda: bool(COMPILER)
        super().finalize_options()

    def get_tag(self):
        """Python, interface and platform."""
        return "py3", "none", super().get_tag()[2]

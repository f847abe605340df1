# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that takes no more, without one."""

import random
import sys
from contextlib import contextmanager

import bpy
import pytest

try:
    import resource
except ImportError:
    # Windows bounds what a process takes by jobs, of which Python has none.
    resource = None


def bounds():
    """Python's module of what a process may take; the test is skipped where the system has none."""
    return pytest.skip("bounds no process as POSIX does") if resource is None else resource


@contextmanager
def files_up_to(size):
    """No file can grow beyond so many bytes: what is written meets the system's error, as on a full disk.

    Python keeps nothing that it compiles meanwhile: it would keep the half that fits, and fail on it ever after.
    """
    system = bounds()
    before, writes_none = system.getrlimit(system.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    system.setrlimit(system.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        system.setrlimit(system.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = writes_none


def make_large():
    """Put 100 kB into the open file that cannot be compressed away."""
    noise = bpy.data.texts.new("Noise")
    noise.write("".join(random.Random(1).choices("0123456789abcdef", k=200_000)))

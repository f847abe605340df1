# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that takes no more, without one."""

import random
import resource
import sys
from contextlib import contextmanager

import bpy


@contextmanager
def files_up_to(size):
    """No file can grow beyond so many bytes: what is written meets the system's error, as on a full disk.

    Python keeps nothing that it compiles meanwhile: it would keep the half that fits, and fail on it ever after.
    """
    before, writes_none = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = writes_none


def make_large():
    """Put 100 kB into the open file that cannot be compressed away."""
    noise = bpy.data.texts.new("Noise")
    noise.write("".join(random.Random(1).choices("0123456789abcdef", k=200_000)))

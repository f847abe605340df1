# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that takes no more, without one."""

import random
import resource
from contextlib import contextmanager

import bpy


@contextmanager
def files_up_to(size):
    """No file can grow beyond so many bytes: what is written meets the system's error, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def make_large():
    """Put 100 kB into the open file that cannot be compressed away."""
    noise = bpy.data.texts.new("Noise")
    noise.write("".join(random.Random(1).choices("0123456789abcdef", k=200_000)))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs parts of a kernel on several threads."""

import os
from concurrent.futures import ThreadPoolExecutor

VARIABLE = "HOOKE_THREADS"
# More than any machine's that somebody animates on: a number in a file is not believed.
MOST = 256


class Threads:
    """The threads that kernels run on: this one, and a pool that is made when it is first needed.

    Calls into C let Python's lock go, so the threads of a pool run side by side. What is written to an entry depends on
    the entry alone, never on which part it is in: the bits are the same for any number of threads.

    count: how many, or None for what HOOKE_THREADS says, or else as many as the process may use cores.
    """

    def __init__(self, count=None):
        self._pool = self._count = None
        self.use(count)

    @property
    def count(self):
        """How many there are; raises ValueError where HOOKE_THREADS says what is no number of them."""
        if self._count is None:
            self._count = _of_surroundings()
        return self._count

    def use(self, count=None):
        """Set the number of threads, None for that of the surroundings; raises ValueError where it is none."""
        if count is not None and not 1 <= count <= MOST:
            raise ValueError(f"{count} threads are asked for: use 1 to {MOST}")
        if count != self._count:
            self.forget()
        self._count = count

    def forget(self):
        """Let go of the pool, as a forked process must: the threads are not in it."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False)

    def run(self, part, size, grain):
        """Call part(first, last) for parts that make up 0 to size, none much smaller than the grain."""
        parts = max(1, min(self.count, size // grain))
        if parts == 1:
            part(0, size)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count - 1, thread_name_prefix="hooke")
        bounds = [size * number // parts for number in range(parts + 1)]
        others = [self._pool.submit(part, *bounds[number : number + 2]) for number in range(1, parts)]
        part(0, bounds[1])
        for other in others:
            other.result()


def _of_surroundings():
    words = os.environ.get(VARIABLE, "").strip()
    if not words:
        return min(_cores(), MOST)
    if not (words.isdecimal() and 1 <= int(words) <= MOST):
        raise ValueError(f"{VARIABLE} is {words!r}: use a number from 1 to {MOST}")
    return int(words)


def _cores():
    # What the process may use, where the system tells: a container or a farm gives it fewer than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

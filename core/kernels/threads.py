# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs parts of a kernel on several threads."""

import os
from queue import SimpleQueue
from threading import Thread

VARIABLE = "HOOKE_THREADS"
# More than any machine's that somebody animates on: a number in a file is not believed.
MOST = 256
# Parts for each thread: the others take parts of a thread that wakes late.
PARTS = 3


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
        queue, self._pool = self._pool, None
        if queue is not None:
            for _ in range(self.count - 1):
                queue.put(None)

    def parts(self, size, grain):
        """How many parts `run` makes of a size: one where waking threads takes longer than they save."""
        return 1 if self.count == 1 else max(1, min(self.count * PARTS, size // grain))

    def run(self, part, size, grain):
        """Call part(first, last) for parts that make up 0 to size, none much smaller than the grain.

        Raises what one of them raises, after all have ended.
        """
        parts = self.parts(size, grain)
        if parts == 1:
            part(0, size)
            return
        if self._pool is None:
            self._pool = _started(self.count - 1)
        job = _Job(part, [(size * number // parts, size * (number + 1) // parts) for number in range(parts)])
        for _ in range(min(self.count, parts) - 1):
            self._pool.put(job)
        job.finish()


class _Job:
    """Parts of one call, which whoever is free takes: the first that are listed are taken last."""

    def __init__(self, part, bounds):
        self._part, self._bounds, self._count = part, bounds, len(bounds)
        self._ended: SimpleQueue = SimpleQueue()

    def take(self):
        """Do parts until there are none; yields the error of each, or None."""
        while True:
            try:
                first, last = self._bounds.pop()
            except IndexError:
                return
            try:
                self._part(first, last)
                yield None
            except BaseException as error:
                yield error

    def help(self):
        """Take parts on a thread of the pool."""
        for error in self.take():
            self._ended.put(error)

    def finish(self):
        """Take parts, and wait for those that others took."""
        errors = list(self.take())
        errors += [self._ended.get() for _ in range(self._count - len(errors))]
        for error in filter(None, errors):
            raise error


def _started(count):
    """A queue of jobs that so many threads wait at, each until it gets None."""
    queue: SimpleQueue = SimpleQueue()

    def work():
        while (job := queue.get()) is not None:
            job.help()

    for number in range(count):
        # Of no use to anybody but `run`, which waits for them: the process need not.
        Thread(target=work, name=f"hooke-{number}", daemon=True).start()
    return queue


def _of_surroundings():
    words = os.environ.get(VARIABLE, "").strip()
    if not words:
        return min(_cores(), MOST)
    if not (words.isdecimal() and 1 <= int(words) <= MOST):
        raise ValueError(f"{VARIABLE} is {words!r}: use a number from 1 to {MOST}")
    return int(words)


def _cores():
    # The cores that the process may use: a container or a farm gives it fewer than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

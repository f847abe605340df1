# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a farm is, and the time left."""

import sys
import time
from datetime import timedelta


class Progress:
    """Progress over all variants, printed now and then.

    total: number of variants; kept: how many of them were there; unusable: how many are known to be that. each:
    whether every variant's own progress is told.
    """

    def __init__(self, total, kept, unusable=0, each=False, stream=None):
        self.total, self.kept, self.unusable, self.done, self.failed = total, kept, unusable, 0, 0
        self._each, self._stream = each, stream or sys.stderr
        self._shares, self._names, self._began = {}, {}, time.monotonic()
        self._live = self._stream.isatty()
        self._interval = 0.5 if self._live else 10.0
        self._last = self._began - self._interval

    def reach(self, number, name, share):
        """A variant has this share of its frames, 0 to 1."""
        self._shares[number], self._names[number] = share, name
        if self._each:
            self._print(f"farm: {name}: {100 * share:.0f} %")

    def end(self, record):
        """A variant came to something."""
        self._shares.pop(record["number"], None)
        done = record["status"] == "done"
        self.done += done
        self.failed += not done
        if not done:
            self._print(f"farm: {record['name']}: {record['status']}: {record['error']}")
        elif self._each:
            self._print(f"farm: {record['name']}: done in {sum(record['times'].values()):.1f} s")

    @property
    def seconds_left(self):
        """Time the rest will take [s] if it goes on as it did, or None while nothing is known."""
        finished = self.done + self.failed
        worked = finished + sum(self._shares.values())
        if worked <= 0.0:
            return None
        left = self.total - self.kept - self.unusable - worked
        return max(0.0, (time.monotonic() - self._began) / worked * left)

    def sentence(self):
        """What is done, at work and failed, and the time left."""
        left = self.seconds_left
        parts = [f"{self.kept + self.done} of {self.total} done"]
        parts += [f"{len(self._shares)} at work"] * bool(self._shares)
        failed = self.unusable + self.failed
        parts += [f"{failed} failed"] * bool(failed)
        parts += [f"{timedelta(seconds=round(left))} left"] if left is not None else []
        return " · ".join(parts)

    def show(self, last=False):
        """Print the sentence if it is time to."""
        now = time.monotonic()
        if not last and now - self._last < self._interval:
            return
        self._last = now
        if self._live:
            self._stream.write(f"\r\x1b[Kfarm: {self.sentence()}" + "\n" * last)
            self._stream.flush()
        else:
            print(f"farm: {self.sentence()}", file=self._stream, flush=True)

    def _print(self, line):
        clear = "\r\x1b[K" if self._live else ""
        print(f"{clear}{line}", file=self._stream, flush=True)

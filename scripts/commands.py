# SPDX-License-Identifier: GPL-3.0-or-later
"""What this process and others print, whatever letters the system has."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# Seconds after which a process that is only asked what it is hangs, however busy the machine is.
HANGS = 900.0


def escape_letters() -> None:
    """Let stdout escape letters that it lacks, in names and paths, instead of failing: on Windows it may have few."""
    # None without a console; what takes its place, as in tests, takes all letters.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def run_quietly(
    command: Sequence[str | Path],
    *,
    variables: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; stdout and stderr are what it printed.

    variables: of its environment, beside this process's own. timeout: after so long [s] subprocess.TimeoutExpired is
    raised. A Python is asked for UTF-8: on Windows the pipe would have the letters of a code page. What is none is
    replaced, as in the words of a compiler. Raises OSError.
    """
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **(variables or {})},
        cwd=cwd,
        timeout=timeout,
    )

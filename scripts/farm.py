#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a wedge: every combination of files, objects and values of settings, by Dask.

    python3 scripts/farm.py shot.blend --object Flag --frames 1-48 --wedge stretch-stiffness=500,2000
                            --output wedges/

Any Python from 3.9 on starts it: where Dask is not installed it goes on in an environment of its own, as dev.py does.
docs/farm.md says what else there is.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec

from commands import escape_letters
from environments import NoInterpreter, SetUpFailed, python_of
from farming import arguments
from farming.wedge import WedgeError
from system_packages import MissingPackage

_NEEDS = ("distributed", "PIL", "hooke")


def main() -> int:
    """Go on where everything is that the farm needs; returns the exit status."""
    escape_letters()
    try:
        # Help and mistakes are answered before anything is installed.
        arguments.command_of(sys.argv[1:])
    except WedgeError as error:
        print(f"farm: {error}", file=sys.stderr)
        return 2
    if sys.version_info >= (3, 11) and all(find_spec(name) for name in _NEEDS):
        from farming import command_line

        return command_line.main(sys.argv[1:])
    try:
        words = [str(python_of("farm")), __file__, *sys.argv[1:]]
    except (NoInterpreter, SetUpFailed, MissingPackage) as error:
        print(f"farm: {error}", file=sys.stderr)
        return 1
    if os.name == "posix":
        # The same process: Ctrl-C and a scheduler's signals reach the farm itself.
        os.execv(words[0], words)
    # Ctrl-C reaches both: the farm ends as it likes, and this waits for it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(words).returncode


if __name__ == "__main__":
    sys.exit(main())

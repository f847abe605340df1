# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends pytest without the interpreter's own exit where Blender is loaded.

The bpy module's static destructors can wait for ever for one of Blender's own threads. Everything pytest has
to say is said by the time it unconfigures, so the process ends there with the session's exit status.
"""

import os
import sys

import pytest

exit_status = pytest.StashKey[int]()


def pytest_sessionfinish(session, exitstatus):
    """Keep the exit status for `pytest_unconfigure`, which is not told it."""
    session.config.stash[exit_status] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Flush and end the process, after every other plugin, where bpy is loaded."""
    if "bpy" in sys.modules and exit_status in config.stash:
        config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[exit_status])

# SPDX-License-Identifier: GPL-3.0-or-later
"""With the bpy module: install and enable the zip, then do what drive_simulation.py does.

Arguments: a folder of packages, the zip. Started without site-packages, so that only that folder is there.
"""

import os
import runpy
import sys
import traceback
from pathlib import Path


def install(zip_path):
    """Install and enable the zip the way the preferences do it."""
    import bpy

    bpy.ops.preferences.addon_enable(module="bl_pkg")
    bpy.ops.extensions.package_install_files(filepath=zip_path, repo="user_default", enable_on_install=True)


if __name__ == "__main__":
    packages, zip_path = sys.argv[1:]
    sys.path.append(packages)
    status = 1
    try:
        install(zip_path)
        runpy.run_path(str(Path(__file__).with_name("drive_simulation.py")))
        status = 0
    except Exception:
        traceback.print_exc()
    finally:
        # The bpy module may wait for its own threads at interpreter exit: leave at once.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)

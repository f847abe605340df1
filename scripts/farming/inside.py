# SPDX-License-Identifier: GPL-3.0-or-later
"""What the farm has Blender do: bake, picture, check settings, apply them.

    python scripts/farming/inside.py ACTION REQUEST.json                   with the bpy module
    blender -b -P scripts/farming/inside.py -- ACTION REQUEST.json

The process ends, wherever it is, when its standard input does: that is when whoever started it ends. Exit status as
of bake.py.
"""

import json
import os
import sys
import threading
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bake

from farming import applying, checking, fingerprint, pictures


def bake_variant(request):
    """Run bake.py with this Hooke, its frames cached where the request says; returns the exit status."""
    package = bake.hooke_package()
    here = fingerprint.of_hooke(Path(package.__file__).parent)
    if here != request["fingerprint"]:
        print(
            f"hooke: Blender {bpy.app.version_string} has Hooke {here} enabled and the farm was started with "
            f"{request['fingerprint']}: install the same one there, or disable it",
            file=sys.stderr,
        )
        return 1
    os.environ["HOOKE_CACHE"] = request["cache"]
    return bake.run(request["arguments"], request["file"], package)


ACTIONS = {
    "bake": bake_variant,
    "picture": pictures.picture,
    "check": checking.check,
    "apply": applying.apply,
}


def _end_with_input():
    while os.read(0, 1):
        pass
    os._exit(1)


def main():
    """Do what the last two words say; returns the exit status."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    action, path = sys.argv[-2:]
    return ACTIONS[action](json.loads(Path(path).read_text(encoding="utf-8")))


if __name__ == "__main__":
    # Blender itself goes on after an error in a script.
    exit_status = 1
    try:
        exit_status = main()
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        bake.leave(exit_status)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a simulation without an interface.

    blender -b FILE.blend -P scripts/bake.py -- --object NAME [options]
    python scripts/bake.py FILE.blend --object NAME [options]        with the bpy module

Exit status: 0 done, 2 wrong arguments or unusable mesh, 1 anything else. `--help` lists the options.
"""

import contextlib
import functools
import importlib
import importlib.util
import os
import sys
from pathlib import Path

try:
    import bpy
except ModuleNotFoundError:
    sys.exit(
        "hooke: this Python has no bpy module: bake with one that has, or in Blender, "
        "`blender -b FILE.blend -P scripts/bake.py -- --object NAME`"
    )


@functools.cache
def hooke_package():
    """The enabled extension, or where there is none the package this script lies in, registered."""
    for name in bpy.context.preferences.addons.keys():  # noqa: SIM118 (iterating yields add-ons, not names)
        if name.startswith("bl_ext.") and name.endswith(".hooke"):
            return importlib.import_module(name)
    root = Path(__file__).resolve().parent.parent
    spec = importlib.util.spec_from_file_location(
        "hooke", root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None and spec.loader is not None, "the checkout holds __init__.py"
    package = importlib.util.module_from_spec(spec)
    sys.modules["hooke"] = package
    spec.loader.exec_module(package)
    package.register()
    return package


def run(arguments, file=None, package=None):
    """Bake a file, or the open one; returns the exit status. package: where Hooke is registered already."""
    package = package or hooke_package()
    cli = importlib.import_module(".addon.cli", package.__name__)
    if file is not None and not Path(file).is_file():
        print(f"hooke: cannot open {file}: give a .blend file that exists", file=sys.stderr)
        return cli.UNUSABLE
    return cli.main(["bake", *([str(file)] if file is not None else []), *arguments])


def main():
    """Find the arguments, whichever way the script was started."""
    if bpy.app.binary_path and "--" in sys.argv:
        status = run(sys.argv[sys.argv.index("--") + 1 :])
    elif bpy.app.binary_path:
        status = run([])
    elif len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        status = run(sys.argv[2:], file=sys.argv[1])
    else:
        status = run(sys.argv[1:])
    leave(status)


def leave(status):
    """End the process with an exit status."""
    # Blender removes its temporary folder at its own exit, which this is not.
    with contextlib.suppress(OSError):
        os.rmdir(bpy.app.tempdir)
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()

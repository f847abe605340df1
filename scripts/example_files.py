# SPDX-License-Identifier: GPL-3.0-or-later
"""Write every example of the gallery as a .blend file, for the site's page of examples; needs bpy."""

import argparse
from pathlib import Path

import bpy
from bake import hooke_package, leave


def main():
    """Write the files into a folder."""
    parser = argparse.ArgumentParser(prog="example_files", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="where the files go")
    output = parser.parse_args().output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    gallery = hooke_package().addon.gallery
    for id in gallery.EXAMPLES:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        gallery.build(id, bpy.context.scene)
        path = output / f"{id.lower().replace('_', '-')}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
        print(path.name, flush=True)
    leave(0)


if __name__ == "__main__":
    main()

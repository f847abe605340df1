# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside Blender: put the settings of a variant into the artist's file."""

import importlib
import sys
from pathlib import Path

import bake
import bpy


def apply(request):
    """Give an object of a file the settings of a bake's words, and save the file; returns the exit status.

    request: "file", "object", "arguments". The file is whole at any time, and as it was unless this is done.
    """
    package = bake.hooke_package()
    name = package.__name__
    arguments, operators, mesh_io = (
        importlib.import_module(f".addon.{room}", name) for room in ("arguments", "operators", "mesh_io")
    )
    saving, files = (importlib.import_module(f".addon.bakes.{room}", name) for room in ("saving", "files"))
    try:
        bpy.ops.wm.open_mainfile(filepath=request["file"])
    except RuntimeError as error:
        print(f"hooke: cannot open {request['file']}: {str(error).strip()}", file=sys.stderr)
        return 2
    obj = bpy.data.objects.get(request["object"])
    if obj is None:
        print(f"hooke: there is no object {request['object']!r} in {request['file']}", file=sys.stderr)
        return 2
    scene = next((scene for scene in bpy.data.scenes if obj.name in scene.objects), bpy.context.scene)
    try:
        operators.add_hooke(scene, obj)
        options = arguments.parse(["bake", "--object", obj.name, *request["arguments"]])
        arguments.apply_settings(obj, options)
        saving.save(Path(request["file"]), [obj])
    except mesh_io.MeshError as error:
        print(f"hooke: {error}", file=sys.stderr)
        return 2
    except files.UnwrittenError as error:
        print(f"hooke: {error}", file=sys.stderr)
        return 1
    return 0

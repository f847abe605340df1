# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked objects to other programs, through Blender's own exporters.

These write where nothing is of anybody's: what they made is put in its place afterwards, by `core.output_files`.
"""

from contextlib import contextmanager
from pathlib import Path

from ...core import output_files
from ..bakes import played_file
from ..mesh_io import MeshError
from .format import Format
from .gltf import Gltf
from .points import Alembic, Usd

FORMATS: dict[str, Format] = {form.id: form for form in (Gltf(), Alembic(), Usd())}


def check(form, objects):
    """Raise MeshError with the reason if a format, an id of FORMATS, cannot be written of these objects."""
    baked = [obj for obj in objects if obj.type == "MESH" and obj.hooke.bake.exists]
    if not baked:
        raise MeshError("nothing to export is baked: select a baked object, or bake the selected one")
    if not FORMATS[form].available():
        raise MeshError(f"this Blender has no exporter to {FORMATS[form].label}: {FORMATS[form].remedy}")
    for obj in baked:
        FORMATS[form].check(obj)


def write(form, filepath, scene, objects, selected=True):
    """Export a format, an id of FORMATS, over the frames of the objects' bakes; returns warnings as a list.

    filepath: file to write, with the extension or without; objects: what to export, the selected objects or those of
    the scene. Raises MeshError as `check`, where what exists there is of another kind, and where the exporter fails.
    """
    check(form, objects)
    path = Path(FORMATS[form].named(filepath)).absolute()
    if not path.parent.is_dir():
        raise MeshError(f"the folder {path.parent} does not exist: create it or choose another")
    baked = [obj for obj in objects if obj.type == "MESH" and obj.hooke.bake.exists]
    first = min(obj.hooke.bake.frame_start for obj in baked)
    last = max(obj.hooke.bake.frame_end for obj in baked)
    try:
        output_files.check_replaceable(path, FORMATS[form].kind)
        with _playing(scene, first, last):
            FORMATS[form].put(path, selected, first, last)
    except output_files.Refused as error:
        raise MeshError(str(error)) from error
    except (RuntimeError, OSError) as error:
        raise MeshError(f"Blender could not write {path}: {str(error).strip()}") from error
    return warnings(form, scene, objects)


def warnings(form, scene, objects):
    """Sentences about differences between a format, an id of FORMATS, and the scene, a list."""
    exported = set(objects)
    told = [sentence for obj in objects if obj.type == "MESH" if (sentence := played_file.problem(obj))]
    told += [sentence for obj in objects for sentence in FORMATS[form].warnings(obj, exported)]
    return told + FORMATS[form].scene_warnings(scene)


@contextmanager
def _playing(scene, first, last):
    """The scene's range set to some frames, and everything as before afterwards."""
    before = scene.frame_start, scene.frame_end, scene.use_preview_range
    shown = scene.frame_current, scene.frame_subframe
    try:
        scene.frame_start, scene.frame_end, scene.use_preview_range = first, last, False
        # Objects that do not move are written as at the first frame.
        scene.frame_set(first)
        yield
    finally:
        scene.frame_start, scene.frame_end, scene.use_preview_range = before
        scene.frame_set(shown[0], subframe=shown[1])

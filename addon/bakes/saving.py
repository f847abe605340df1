# SPDX-License-Identifier: GPL-3.0-or-later
"""Saving the open file with its bake: whole, or not at all and with the reason."""

import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import bpy

from ...core import held_files, output_files
from ...core.file_kinds import BLEND
from ..mesh_io import MeshError
from . import file_ownership, files, places
from .files import UnwrittenError

_BLOCK = bytes(1 << 20)


def save(output, objects):
    """Save the open file under an absolute path, where it appears when it is whole, in place of a .blend alone.

    The caches that the bakes of the objects' namesakes played there go, where they are Hooke's own and nothing plays
    them now. Raises UnwrittenError where the file cannot be written, MeshError where it must not be; what was there is
    as before.
    """
    partial = output.with_name(f".{places.shortened(output.stem, 200)}.{secrets.token_hex(4)}.partial.blend")
    try:
        output_files.check_replaceable(output, BLEND)
        names = {obj.name for obj in objects}
        replaced = _caches_of(output, names)
        bpy.ops.wm.save_as_mainfile(filepath=str(partial), copy=True, check_existing=False)
        # On a full disk Blender 5.2 reports that it has saved what it has cut off.
        if not names <= _object_names(partial):
            raise OSError("only a part of it was written")
        output_files.put(partial, output, BLEND)
    except output_files.Refused as error:
        raise MeshError(str(error)) from error
    except (RuntimeError, OSError) as error:
        held = isinstance(error, OSError) and held_files.is_held(error)
        refused = error if held else OSError(_reason(error, output, objects))
        because = held_files.because(refused, "choose another folder")
        raise UnwrittenError(f"{output} cannot be written {because}") from error
    finally:
        held_files.remove(partial)
    files.saved(output)
    for path, (owner, digest) in replaced.items():
        files.discard(path, owner, digest, output)


def _caches_of(blend, names):
    """Cache files that bakes of objects in a .blend file on disk play: dict of path -> (owner, checksum).

    The open file's own are known as they are cleared: see `files.release`.
    """
    if not blend.is_file() or (bpy.data.filepath and output_files.is_same(Path(bpy.data.filepath), blend)):
        return {}
    try:
        with _passing_data() as data:
            with data.libraries.load(str(blend)) as (there, wanted):
                wanted.objects = [other for other in there.objects if other in names]
            return {
                places.absolute(bpy.path.abspath(modifier.filepath, start=str(blend.parent))): (
                    file_ownership.owner_of(obj),
                    digest,
                )
                for obj in wanted.objects
                if obj is not None and obj.type == "MESH" and (digest := obj.hooke.bake.cache_digest)
                for modifier in files.own_players(obj)
            }
    except OSError:
        # The existing file is no .blend file.
        return {}


def _object_names(blend):
    """Names of the objects in a .blend file, none where it is not whole: its last block says how to read it."""
    try:
        with _passing_data() as data, data.libraries.load(str(blend)) as (there, _):
            return set(there.objects)
    except OSError:
        return set()


def _passing_data() -> Any:
    """Data-blocks beside those of the open file, which end with the context."""
    return bpy.data.temp_data()


def _reason(error, output, objects):
    """Why the system takes no more, in its own words: Blender may tell what failed next."""
    all_keys = [obj.data.shape_keys for obj in objects if obj.data.shape_keys is not None]
    size = sum(12 * len(key.data) for keys in all_keys for key in keys.key_blocks)
    size += 2 * os.path.getsize(bpy.data.filepath) if os.path.isfile(bpy.data.filepath) else 0
    try:
        with tempfile.TemporaryFile(dir=output.parent) as probe:
            for _ in range(4 + size // len(_BLOCK)):
                probe.write(_BLOCK)
    except OSError as refused:
        return refused.strerror
    return str(error).removeprefix("Error: ").strip()

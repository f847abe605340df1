# SPDX-License-Identifier: GPL-3.0-or-later
"""A .blend whose record of a bake claims files of other people's."""

import hashlib
import struct

import bpy
import numpy as np

from .scenes import add_hooke, bake, grid

# A PC2 file as any program writes it, with as many points as the sheet: two frames.
PC2 = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 25, 1.0, 1.0, 2) + np.zeros((2, 25, 3), "<f4").tobytes()


def digest(content):
    """The checksum that a record keeps of a small file's content: what it samples are all the same whole file."""
    return hashlib.blake2b(len(content).to_bytes(8, "little") + 32 * content, digest_size=16).hexdigest()


def contents(folder):
    """Every file of a folder: dict of path -> content."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def make_project(folder):
    """A scene with a sheet baked to a Mesh Cache, and the folder its file will be saved in, without the cache's own."""
    folder.mkdir()
    bake(add_hooke(grid()), "MESH_CACHE")
    return folder


def save_as_hostile(project, filepath, content=PC2):
    """Let the bake play and claim another file, and save the scene as that of the project."""
    obj = bpy.data.objects["Cloth"]
    record = obj.hooke.bake
    obj.modifiers["Hooke Cache"].filepath = record.cache_file = filepath
    record["cache_digest"] = digest(content)
    bpy.ops.wm.save_as_mainfile(filepath=str(project / "shot.blend"), relative_remap=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)

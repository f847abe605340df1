# SPDX-License-Identifier: GPL-3.0-or-later
"""The owner of a bake's file in Hooke's own folders, from a sidecar beside it, as simulated frames have one.

A .blend that others wrote may claim any file as its bake, but the sidecar was written with the file. A file without
one, or with that of another object, is not deleted.
"""

import os

from ...core import cache, held_files
from ...core.cache_files import sidecar_of
from ...core.sidecar import Sidecar

_LONGEST = 200


def owner_of(obj):
    """Owner of an object's bake in its sidecar; "" for an object without an id, which has none."""
    owner = obj.hooke.cache_id
    return f"{owner} bake" if 0 < len(owner) <= _LONGEST else ""


def write(path, owner, digest, vertex_count, frame_start):
    """Write the sidecar of an owner's file, unless the owner is "" or another one's is there.

    digest: checksum of the file's content. Raises OSError, and ValueError for a frame past what a sidecar holds.
    """
    sidecar = sidecar_of(path)
    if not owner or (os.path.lexists(sidecar) and cache.read_inputs(path, owner=owner) is None):
        return
    mark = Sidecar.create(sidecar, owner, vertex_count, frame_start, {"bake": digest})
    try:
        mark.begin()
    except BaseException:
        held_files.remove(sidecar)
        raise
    finally:
        mark.close()


def are_of(path, owner, digest):
    """Whether a file has the sidecar of an owner's bake with this checksum."""
    return bool(owner) and cache.read_inputs(path, owner=owner) == {"bake": digest}


def remove(path, owner):
    """Remove a file that `are_of` an owner's bake, with its sidecar; raises CacheError."""
    cache.remove(path, owner=owner)

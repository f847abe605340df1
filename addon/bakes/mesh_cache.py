# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of positions, played by Blender's own Mesh Cache modifier."""

from ...core.cache import CacheError, write_pc2
from .. import output_nodes
from ..mesh_io import MeshError
from . import checks, files, inputs
from .mode import Baked, BakeMode

NAME = "Hooke Cache"


class MeshCache(BakeMode):
    """The modifier stands at Hooke's own place and overwrites what enters it: modifiers above stay as they are."""

    id = "MESH_CACHE"
    label = "Mesh Cache"
    description = (
        "A PC2 file that a Mesh Cache modifier plays in Hooke's place, exactly and in any program that reads PC2; "
        "shape keys and all other modifiers stay as they are"
    )

    def check(self, obj, options):
        """Raise MeshError if animation would turn Hooke's own modifier on again, or the cache file cannot be ours."""
        own = output_nodes.find(obj)
        if own is None:
            raise MeshError(f"Hooke's modifier on '{obj.name}' is gone: remove and add Hooke")
        checks.check_modifiers(obj, [own])
        files.place(obj, options.filepath, options.blend)

    def make(self, obj, frames, frame_start, options):
        """Write the file, then let the modifier play it."""
        place = files.place(obj, options.filepath, options.blend)
        _write(obj, place.path, _stopping(frames, options.stop), frame_start)
        try:
            self._play(obj, place.path, frame_start)
        except Exception:
            place.path.unlink(missing_ok=True)
            raise
        return Baked(cache_file=str(place.path), warnings=place.warnings)

    def _play(self, obj, path, frame_start):
        record, own = obj.hooke.bake, output_nodes.find(obj)
        active = obj.modifiers.active
        record.active_modifier = active.name if active is not None else ""
        inputs.turn_off(record, [own])
        modifier = obj.modifiers.new(NAME, "MESH_CACHE")
        item = record.items.add()
        item.kind, item.name = "CACHE", modifier.name
        modifier.show_expanded = False
        modifier.cache_format, modifier.filepath = "PC2", files.stored(path)
        modifier.frame_start = frame_start
        modifier.interpolation, modifier.deform_mode = "LINEAR", "OVERWRITE"
        obj.modifiers.move(obj.modifiers.find(modifier.name), obj.modifiers.find(own.name) + 1)


def remove(obj):
    """Remove the modifier, and let go of its file."""
    record = obj.hooke.bake
    for name in [item.name for item in record.items if item.kind == "CACHE"]:
        modifier = obj.modifiers.get(name)
        if modifier is not None:
            files.release(modifier.filepath)
            obj.modifiers.remove(modifier)
        active = obj.modifiers.get(record.active_modifier)
        if active is not None:
            obj.modifiers.active = active


def _write(obj, path, frames, frame_start):
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_pc2(path, frames, frame_start)
    except OSError as error:
        raise MeshError(
            f"the cache of '{obj.name}' cannot be written to {path} ({error.strerror}): free space or choose another "
            "file"
        ) from error
    except CacheError as error:
        raise MeshError(f"the cache of '{obj.name}': {error}") from error


class _stopping:
    """Frames that ask between any two whether to stop."""

    def __init__(self, frames, stop):
        self._frames, self._stop = frames, stop

    def __len__(self):
        return len(self._frames)

    def __getitem__(self, index):
        self._stop()
        return self._frames[index]

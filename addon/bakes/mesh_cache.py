# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of positions, played by Blender's own Mesh Cache modifier."""

from pathlib import Path

from ...core.cache_files import files_of
from .. import output_nodes
from . import checks, files, inputs, places, split_mesh
from .mode import Baked, BakeMode, megabytes, range_length


class MeshCache(BakeMode):
    """The modifier stands at Hooke's own place and overwrites what enters it: modifiers above stay as they are."""

    id = "MESH_CACHE"
    label = "Mesh Cache"
    description = (
        "A PC2 file that a Mesh Cache modifier plays exactly, in place of Hooke. Other programs read it "
        "too. Shape keys and other modifiers stay as they are"
    )

    settings = ("bake_split",)
    files = ("cache_file",)

    def check(self, obj, options):
        """Raise MeshError if animation would turn Hooke's own modifier on again, or the cache file cannot be ours."""
        checks.check_modifiers(obj, [output_nodes.find(obj)])
        places.place(obj, options.filepath, options.blend)

    def own_files(self, obj, options):
        """Those of the cache, unless the artist names it."""
        return [] if options.filepath else files_of(places.place(obj, "", options.blend).path)

    def cost(self, obj):
        """A file."""
        return f"a file of {megabytes(obj, range_length(obj))}"

    def make(self, obj, frames, frame_start, options):
        """Write the file, then let the modifier play it."""
        place = places.place(obj, options.filepath, options.blend)
        frames, warnings = self._split(obj, frames, options)
        digest = files.write(obj, place.path, frames, frame_start, options.blend)
        try:
            self._play(obj, place.path, frame_start)
        except BaseException:
            files.withdraw(place.path)
            raise
        return Baked(cache_file=str(place.path), cache_digest=digest, warnings=(*place.warnings, *warnings))

    def clear(self, obj):
        """Remove the modifier, let go of its file, and bring back a mesh that was split."""
        for modifier in files.own_players(obj):
            files.release(obj, modifier)
            obj.modifiers.remove(modifier)
        split_mesh.take_back(obj)
        active = obj.modifiers.get(obj.hooke.bake.active_modifier)
        if active is not None:
            obj.modifiers.active = active
        return []

    def summary(self, record, brief=False):
        """Where the file lies."""
        parted = ", its mesh split where it tears" if record.whole_mesh is not None else ""
        return f"to {Path(record.cache_file).name if brief else record.cache_file}{parted}"

    def _split(self, obj, frames, options):
        """Frames of the mesh as it is baked, which is split where that is asked for, and sentences about it."""
        if not options.split:
            return frames, split_mesh.torn_sentence(obj, options.torn, len(frames))
        splitting = split_mesh.splitting_of(obj, frames, options.torn)
        if splitting is not None:
            split_mesh.put(obj, splitting)
            frames = split_mesh.SplitFrames(frames, splitting)
        return frames, split_mesh.warnings(obj, splitting)

    def _play(self, obj, path, frame_start):
        record, own = obj.hooke.bake, output_nodes.find(obj)
        active = obj.modifiers.active
        record.active_modifier = active.name if active is not None else ""
        inputs.turn_off(record, [own])
        modifier = obj.modifiers.new(files.PLAYER, "MESH_CACHE")
        item = record.items.add()
        item.kind, item.name = "CACHE", modifier.name
        modifier.show_expanded = False
        modifier.cache_format, modifier.filepath = "PC2", places.stored(path)
        modifier.frame_start = frame_start
        modifier.interpolation, modifier.deform_mode = "LINEAR", "OVERWRITE"
        obj.modifiers.move(obj.modifiers.find(modifier.name), obj.modifiers.find(own.name) + 1)

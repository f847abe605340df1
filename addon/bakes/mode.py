# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of a bake mode."""

from collections.abc import Callable
from typing import NamedTuple


class Options(NamedTuple):
    """Options of a mode.

    step: frames from one shape key to the next; tolerance: largest error [m] of principal shapes.
    filepath: cache file, "" for a place beside the .blend; blend: file the bake will be saved into, "" for the open
    one. split: whether a mesh that tears is split; torn: number of a frame -> mask of the faces that are torn in it, or
    None. stop: called now and then; what it raises ends the bake.
    """

    step: int = 1
    tolerance: float = 1e-3
    filepath: str = ""
    blend: str = ""
    split: bool = False
    torn: Callable = lambda index: None
    stop: Callable[[], None] = lambda: None


class Baked(NamedTuple):
    """The result of a bake.

    shapes: number of shape keys; largest_error: largest distance [m] of any vertex from its simulated position in
    any frame, as Blender evaluates the bake; cache_file: absolute path, "" without one; cache_digest: checksum of its
    content. warnings: sentences the artist should read.
    """

    shapes: int = 0
    largest_error: float = 0.0
    cache_file: str = ""
    cache_digest: str = ""
    warnings: tuple[str, ...] = ()


def range_length(obj):
    """Number of frames in an object's range."""
    return max(obj.hooke.frame_end - obj.hooke.frame_start + 1, 0)


def range_size(obj, poses=None):
    """Size [bytes] of so many poses of an object's mesh, of its whole range unless given: three floats a vertex."""
    return 12 * (range_length(obj) if poses is None else poses) * len(obj.data.vertices)


def megabytes(obj, poses):
    """Size of so many poses of an object's mesh, for people."""
    size = 1e-6 * range_size(obj, poses)
    return f"{size:,.0f} MB" if size >= 1.0 else f"{size:.1g} MB"


class BakeMode:
    """A way to keep simulated frames. A mode

    1. raises MeshError in `check` where its bake would not look like the simulation, before anything is simulated;
    2. `make`s the bake from frames it reads by index, and notes everything it adds or changes in the record;
    3. `clear`s what the record says it added, as far as that can be its own: a record comes from a file, and may name
       what is the user's. `bakes.clear` brings back what it muted or turned off;
    4. leaves undoing a failed `make` to `bakes.make`, too, so whatever it changes is noted before it is changed;
    5. says in `warnings` where what modifiers do besides moving vertices may differ from the live simulation;
    6. says in `cost` what it would come to, before anything is simulated;
    7. notes a modifier that plays a file of its own as an item CACHE, and the file's checksum in the record: then
       `files` moves, keeps and deletes that file with the .blend.
    """

    id: str
    label: str
    description: str
    # Names of the object's settings that this mode reads, and of options that name files it writes.
    settings: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    # Whether the frames are in shape keys, as exports of morph targets need them.
    in_shape_keys = False

    def check(self, obj, options):
        """Raise MeshError if the object cannot be baked this way with these Options."""

    def own_files(self, obj, options):
        """Paths of files that a bake with these Options writes where it chooses, a list; raises MeshError."""
        return []

    def cost(self, obj):
        """Cost of baking the object's range, keys and memory, in a few words."""
        raise TypeError(f"{type(self).__name__} does not say what it costs: a bake mode must")

    def warnings(self, obj):
        """Sentences about what this bake cannot keep of the object, as a list."""
        return []

    def make(self, obj, frames, frame_start, options):
        """Bake frames, object space, float32, shape (vertex_count, 3) each; returns Baked."""
        raise TypeError(f"{type(self).__name__} makes nothing: a bake mode must")

    def clear(self, obj):
        """Remove the bake's data; returns sentences about parts that stay, a list."""
        raise TypeError(f"{type(self).__name__} clears nothing: a bake mode must")

    def summary(self, record, brief=False):
        """The result of a bake, in a few words that follow "baked"; record: Object.hooke.bake; brief: files by name."""
        raise TypeError(f"{type(self).__name__} says nothing of its bakes: a bake mode must")

# SPDX-License-Identifier: GPL-3.0-or-later
"""An object's frames on disk: when they are taken up, and what keeps new ones from getting there."""

from ...core.cache import CacheError
from ...core.cache_files import files_of
from ...core.file_lock import NAME
from .. import cache_files, preflight, sections
from .take import changed_since

# For `ObjectCache.taken_up_at`: every frame, and none.
ANY, NONE = None, -1


class ObjectCache:
    """What a session knows of its object's cache on disk.

    taken_up_at: the one frame, by index, at which frames may be taken up, ANY while nothing speaks against it, NONE
    after they were found to be of something else. stale: number of frames found there that are of something else;
    changed: what that is, a list of words.
    problem: why frames are not kept on disk though they should be, or "".
    keeps: whether frames that are there stay, and those that do not fit to them go to a spare cache beside them.
    spare: whether that is in use.
    """

    def __init__(self):
        self.taken_up_at: int | None = ANY
        self.stale = 0
        self.changed: list[str] = []
        self.problem = ""
        self.keeps = self.spare = False

    def hand_to(self, take, inputs, index):
        """Let a Take have the frames if they were made from its inputs; returns whether it took them.

        index: as in `Take.adopt`. Raises MeshError for an object that cannot be simulated.
        """
        if self.taken_up_at not in (ANY, index):
            return False
        if self._hand_to(take, inputs, index):
            return True
        if self.keeps and not self.spare and cache_files.made_from(inputs.where.obj) is not None:
            self.spare = True
            return self._hand_to(take, inputs, index)
        return False

    def reject(self):
        """Take the frames up no more: they are of something else."""
        if self.keeps and not self.spare:
            self.spare, self.taken_up_at = True, ANY
        else:
            self.taken_up_at = NONE

    def exists(self, obj):
        """Whether frames of the object are on disk."""
        return cache_files.exists(obj)

    def path(self, obj):
        """PC2 file of the cache in use, or None."""
        return cache_files.path_of(obj, self.spare)

    def files(self, obj):
        """Paths of all files that frames of the object may be kept in, a list."""
        paths = [cache_files.path_of(obj, spare) for spare in (False, True)]
        return [
            file for path in paths if path is not None for file in (*files_of(path), path.with_name(NAME))
        ]

    def store(self, inputs, vertex_count, made_from):
        """Empty Frames for a new simulation, on disk if that is possible."""
        frames, self.problem = cache_files.create(inputs.where.obj, vertex_count, made_from, self.spare)
        self.taken_up_at, self.stale, self.changed = ANY, 0, []
        return frames

    def _hand_to(self, take, inputs, index):
        obj = inputs.where.obj
        made_from = cache_files.made_from(obj, self.spare)
        if made_from is None:
            return False
        # A stale cache is asked for at every frame: edges and weights are read only if the rest fits.
        if changed := changed_since(made_from, inputs):
            self.changed = changed
            self.stale = cache_files.count(obj, self.spare)
            return False
        preflight.check_object(obj)
        # They may be those of the take itself, which have grown since it opened them.
        take.release()
        try:
            frames = cache_files.open_frames(obj, self.spare)
        except CacheError as error:
            self.problem = str(error)
            return False
        adopted = False
        try:
            adopted = take.adopt(frames, inputs, index, sections.starts_elsewhere(obj))
        except CacheError as error:
            self.problem = str(error)
        finally:
            if not adopted:
                self.changed = changed_since(made_from, inputs, thorough=True) or self.changed
                self.stale = len(frames)
                frames.close()
        if adopted:
            self.taken_up_at, self.stale, self.changed, self.problem = ANY, 0, [], ""
        return adopted

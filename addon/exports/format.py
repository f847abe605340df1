# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of an export format."""

from ...core import held_files, output_files
from ...core.file_kinds import Kind


class Format:
    """A file format: how it is called, its file name extensions, the usual one first, and which exporter writes it.

    kind: of its files, which a new one may take the place of. remedy: what to do where this Blender does not have the
    exporter.
    """

    id: str
    label: str
    description: str
    extensions: tuple[str, ...]
    kind: Kind
    remedy = "use a Blender that was built with it, as those of blender.org are"

    @property
    def extension(self):
        """The usual one."""
        return self.extensions[0]

    def named(self, filepath):
        """The file that is written for a path, which may lack the extension."""
        return filepath if filepath.lower().endswith(self.extensions) else filepath + self.extension

    def available(self):
        """Whether this Blender has the exporter."""
        raise TypeError(f"{type(self).__name__} does not say whether it is available: a format must")

    def check(self, obj):
        """Raise MeshError if the format cannot hold the object's bake."""

    def warnings(self, obj, exported):
        """Sentences about what the format holds otherwise than the scene shows it, as a list.

        exported: all objects that are exported, a set.
        """
        return []

    def scene_warnings(self, scene):
        """Sentences about differences between the format and the scene, a list."""
        return []

    def write(self, filepath, selected, first, last):
        """Export the frames first to last: the selected objects, or all."""
        raise TypeError(f"{type(self).__name__} writes nothing: a format must")

    def put(self, path, *what):
        """Have `write` make the file of a path; raises Refused where it must not take its place, OSError."""
        made = output_files.partial(path)
        try:
            self.write(str(made), *what)
            output_files.put(made, path, self.kind)
        finally:
            held_files.remove(made)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a bake from the command line reads and writes, each under one name and for one purpose."""

from pathlib import Path
from typing import NamedTuple

import bpy

from ...core import output_files
from ...core.file_kinds import BLEND, Kind
from ...core.output_files import Output
from ...core.pc2 import PC2
from . import places
from .report import REPORT


class CommandFiles(NamedTuple):
    """Paths; source: the .blend file that is baked, None where none is open; others: None where not given."""

    source: Path | None
    output: Path
    cache_file: Path | None
    report: Path | None

    @classmethod
    def of(cls, options, source):
        """Files that a bake's options name; the output is the source unless they name another."""
        output = options.output if options.output is not None else source
        cache_file = places.with_ending(options.cache_file) if options.cache_file is not None else None
        return cls(source, output, cache_file, options.report)

    def absolute(self):
        """The same as absolute paths."""
        return self._replace(
            **{role: path.absolute() for role, path in self._asdict().items() if path is not None}
        )

    def check(self, name, others=()):
        """Raise Refused unless each can be written, over its own kind alone, and is no other one's file.

        name: of the object that is baked. others: (role, path) of what else is written, see `output_files.check`.
        """
        outputs = [Output("--output", self.output, BLEND)]
        if self.cache_file is not None:
            outputs.append(
                Output("--cache-file", self.cache_file, Kind(f"from a bake of '{name}'", PC2.recognises))
            )
        if self.report is not None:
            outputs.append(Output("--report", self.report, REPORT))
        others = [*others]
        # A bake is saved into its own file unless it is told otherwise.
        if self.source is not None and not output_files.is_same(self.output, self.source):
            others.append(("the file that is baked", self.source))
        output_files.check(outputs, others)


def linked():
    """(role, path) of what the open file is linked to, a list: what it needs is none of its outputs."""
    return [
        (f"the library of '{library.name}'", places.absolute(library.filepath, library.parent))
        for library in bpy.data.libraries
    ]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke's rule of what may be written over, for scripts that run where NumPy, which the rest of core needs, is not."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

from commands import escape_letters

_CORE = "hooke_core_files"


def _alone(name):
    """A file of core without what `import hooke.core` brings."""
    if _CORE not in sys.modules:
        sys.modules[_CORE] = ModuleType(_CORE)
        sys.modules[_CORE].__path__ = [str(Path(__file__).resolve().parents[1] / "core")]
    return importlib.import_module(f"{_CORE}.{name}")


file_kinds = _alone("file_kinds")
output_files = _alone("output_files")


def check(folder, kinds):
    """Make a folder for results; raises output_files.Refused where one would take the place of anything else.

    kinds: file_kinds.Kind by file name.
    """
    output_files.make_folder(folder)
    output_files.check([output_files.Output(name, folder / name, kind) for name, kind in kinds.items()])


def put_all(files, folder, kind):
    """Write files that are elsewhere into a folder, all of one Kind; raises output_files.Refused before the first."""
    check(folder, {file.name: kind for file in files})
    for file in files:
        output_files.write(folder / file.name, file.read_bytes(), kind)


def status_of(program, work):
    """Exit status that a function returns; 2, with a sentence on stderr, where it would write over what is others'."""
    escape_letters()
    try:
        return work()
    except output_files.Refused as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2

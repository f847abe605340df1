# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the compiled library of this very source, and says why there is none."""

import ctypes
import hashlib
import importlib.util
import logging
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Where a checkout's own library is built to, and the package of the wheel that brings one.
BUILT, PACKAGE = HERE / "built", "hooke_kernels"
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_LOG = logging.getLogger("hooke")
# Compilers for a checkout's own library.
_COMPILING = HERE.parents[1] / "scripts" / "compiling.py"
# Of a library far larger than any of Hooke's nothing is read.
_LARGEST = 20_000_000


class NoLibrary(Exception):
    """No library can be used; the message says why in one sentence. asked_for: whether somebody wants it so."""

    def __init__(self, reason, asked_for=False):
        super().__init__(reason)
        self.asked_for = asked_for

    def said(self):
        """A sentence for the user, which is logged; "" where the definitions were asked for."""
        if self.asked_for:
            return ""
        words = f"Hooke calculates by NumPy, in twice the time: {self}"
        _LOG.warning(words)
        return words


def sources(folder=HERE):
    """The C files, by name."""
    return sorted([*folder.glob("*.c"), *folder.glob("*.h")])


def digest_of(folder):
    """A checksum of the C source in a folder, which names what was compiled from it: 12 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sources(folder):
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:12]


# Of the C that lay beside the signatures when these were imported. What lies there when a library is first asked for
# may be newer: an extension that was updated under a running Blender.
SOURCE = digest_of(HERE)


def name_of(source, content, suffix):
    """The file name of a library: by its source and by its own content."""
    return f"hooke_kernels-{source}-{hashlib.sha256(content).hexdigest()[:16]}{suffix}"


def load():
    """The library as ctypes has it; raises NoLibrary.

    A file is opened by the system's loader only where its name says that it is of this source and its content is what
    the name says: what is cut off would end the process.
    """
    reasons = []
    for folder in _folders():
        for path in sorted(folder.glob(f"hooke_kernels-{SOURCE}-*{SUFFIX}")):
            try:
                return _open(path)
            except (OSError, NoLibrary) as error:
                reasons.append(f"{path.name}: {error}")
        if not reasons and any(folder.glob("hooke_kernels-*")):
            reasons.append(f"{folder.name} holds a library of another version or platform")
    reason = "; ".join(reasons) or "no compiled library is installed"
    own, others = "run `python scripts/compiling.py`", "install Hooke's zip or wheel for this platform"
    raise NoLibrary(f"{reason}: {own if _COMPILING.is_file() else others}")


def _open(path):
    if not 0 < path.stat().st_size <= _LARGEST:
        raise NoLibrary("it is damaged")
    content = path.read_bytes()
    if path.name != name_of(SOURCE, content, SUFFIX):
        raise NoLibrary("it is damaged")
    return ctypes.CDLL(str(path))


def _folders():
    """Where libraries may lie: the checkout's own, then the wheel's."""
    yield BUILT
    found = importlib.util.find_spec(PACKAGE)
    if found is not None and found.origin is not None:
        yield Path(found.origin).parent

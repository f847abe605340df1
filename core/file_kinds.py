# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of files that are written, known again by their content and never by their name alone.

Needs nothing but Python, as does `output_files`: scripts without NumPy use both.
"""

import gzip
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

# A report is shorter.
_LONGEST_JSON = 1 << 24
# RFC 8878: a frame of Zstandard, and one of other content. Of the seekable format, which Blender writes: the end of the
# table of frames, its number of frames, descriptor and magic, and an entry's sizes.
_ZSTANDARD, _SKIPPABLE = b"\x28\xb5\x2f\xfd", 0x184D2A5E
_TABLE_END, _TABLE_MAGIC = struct.Struct("<IBI"), 0x8F92EAB1
_HEAD = struct.Struct("<II")


class Kind(NamedTuple):
    """A kind of file.

    name: what it is called, with its article; recognises: whether a binary file, open at its start, is one; may raise
    OSError and ValueError.
    """

    name: str
    recognises: Callable[[BinaryIO], bool]


def beginning(name, *signatures):
    """A Kind of files that begin with one of some bytes."""
    longest = max(map(len, signatures))
    return Kind(name, lambda file: file.read(longest).startswith(signatures))


def marked_json(name, **marks):
    """A Kind of JSON objects that hold certain values by name."""

    def recognises(file):
        text = file.read(_LONGEST_JSON + 1)
        found = json.loads(text) if len(text) <= _LONGEST_JSON else None
        return isinstance(found, dict) and all(found.get(mark) == value for mark, value in marks.items())

    return Kind(name, recognises)


def archive_of(name, *endings, holding=()):
    """A Kind of zip files with a member whose name has one of some endings, and that has all of some bytes in it."""

    def recognises(file):
        try:
            with zipfile.ZipFile(file) as archive:
                members = [member for member in archive.namelist() if member.endswith(endings)]
                return any(all(part in archive.read(member) for part in holding) for member in members)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
            return False

    return Kind(name, recognises)


def _is_blend(file):
    begin = file.read(7)
    if begin.startswith(b"\x1f\x8b"):
        file.seek(0)
        try:
            begin = gzip.GzipFile(fileobj=file).read(7)
        except (EOFError, zlib.error):
            return False
    return begin == b"BLENDER" or (begin.startswith(_ZSTANDARD) and _is_seekable(file))


def _is_seekable(file):
    """Whether a file of Zstandard ends with a table of all its frames: no other program's does by default."""
    size = file.seek(0, os.SEEK_END)
    if size < _TABLE_END.size:
        return False
    file.seek(size - _TABLE_END.size)
    count, descriptor, magic = _TABLE_END.unpack(file.read(_TABLE_END.size))
    # With the highest bit entries have a checksum.
    entry = _HEAD.size + 4 * (descriptor >> 7)
    content = count * entry + _TABLE_END.size
    if magic != _TABLE_MAGIC or content + _HEAD.size > size:
        return False
    file.seek(size - content - _HEAD.size)
    head, table = _HEAD.unpack(file.read(_HEAD.size)), file.read(count * entry)
    frames = sum(_HEAD.unpack_from(table, entry * number)[0] for number in range(count))
    return head == (_SKIPPABLE, content) and frames + _HEAD.size + content == size


BLEND = Kind("a .blend file", _is_blend)
PNG = beginning("a PNG picture", b"\x89PNG\r\n\x1a\n")
GIF = beginning("a GIF picture", b"GIF87a", b"GIF89a")

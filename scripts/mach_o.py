# SPDX-License-Identifier: GPL-3.0-or-later
"""What a macOS library says of itself: the least system it asks for, and its signature, made here where it has none.

Formats: Apple's <mach-o/loader.h>, and cs_blobs.h of the XNU kernel. A signature ad hoc names nobody; it is checksums
of the pages, which a loader that asks for one compares.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator

_MAGIC, _HEADER = 0xFEEDFACF, 32
_SEGMENT, _SIGNATURE, _LEAST, _BUILD = 0x19, 0x1D, 0x24, 0x32
# Big-endian, whatever the processor.
_SUPER_BLOB, _DIRECTORY = 0xFADE0CC0, 0xFADE0C02
_CODE_DIRECTORY = struct.Struct(">9I4B4I4Q")
_VERSION, _AD_HOC, _SHA256 = 0x20400, 0x2, 2
_PAGE = 12


class NoLibrary(ValueError):
    """A file that is no library of 64 bits for macOS, or none that can be signed."""


def least_macos(content: bytes) -> tuple[int, int]:
    """Major and minor version of the least macOS that a library asks for; raises NoLibrary."""
    for kind, at, _ in load_commands(content):
        if kind in (_LEAST, _BUILD):
            (packed,) = struct.unpack_from("<I", content, at + (8 if kind == _LEAST else 12))
            return packed >> 16, packed >> 8 & 255
    raise NoLibrary("the library does not say which macOS it asks for")


def is_signed(content: bytes) -> bool:
    """Whether a library has a signature ad hoc and every page the checksum that is written there; raises NoLibrary."""
    for kind, at, _ in load_commands(content):
        if kind == _SIGNATURE:
            begin, size = struct.unpack_from("<2I", content, at + 8)
            return _is_right(content[:begin], content[begin : begin + size])
    return False


def signed(content: bytes, name: str) -> bytes:
    """The library with a signature ad hoc by a name, as it is where it has one; raises NoLibrary."""
    if is_signed(content):
        return content
    code = bytearray(content) + bytes(-len(content) % 16)
    commands = list(load_commands(content))
    count, taken = struct.unpack_from("<2I", code, 16)
    end, room = _HEADER + taken, min(_sections(content, commands))
    if any(kind == _SIGNATURE for kind, _, _ in commands) or end + 16 > room:
        raise NoLibrary("the library cannot be signed: its header has no room, or a signature that is wrong")
    size = _signature_size(len(code), name)
    struct.pack_into("<2I", code, 16, count + 1, taken + 16)
    struct.pack_into("<4I", code, end, _SIGNATURE, 16, len(code), size)
    text = _grow_link_edit(code, commands, len(code) + size)
    return bytes(code) + _signature(bytes(code), name, text)


def load_commands(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Generator of the load commands: kind, offset and size."""
    if len(content) < _HEADER or struct.unpack_from("<I", content)[0] != _MAGIC:
        raise NoLibrary("the file is no library of 64 bits for macOS")
    at = _HEADER
    for _ in range(struct.unpack_from("<I", content, 16)[0]):
        kind, size = struct.unpack_from("<2I", content, at)
        if size < 8 or at + size > len(content):
            raise NoLibrary("the library is damaged")
        yield kind, at, size
        at += size


def _sections(content: bytes, commands) -> Iterator[int]:
    """Generator of the offsets at which sections have their content, and the end of the file."""
    yield len(content)
    for kind, at, _ in commands:
        if kind == _SEGMENT:
            for number in range(struct.unpack_from("<I", content, at + 64)[0]):
                (offset,) = struct.unpack_from("<I", content, at + 72 + 80 * number + 48)
                if offset:
                    yield offset


def _grow_link_edit(code: bytearray, commands, end: int) -> int:
    """Let the last segment reach as far as the signature will; returns the bytes of the segment with the code."""
    text = 0
    for kind, at, _ in commands:
        if kind != _SEGMENT:
            continue
        name = bytes(code[at + 8 : at + 24]).rstrip(b"\0")
        _, size, offset, file_size = struct.unpack_from("<4Q", code, at + 24)
        if name == b"__TEXT":
            text = file_size
        if name == b"__LINKEDIT":
            # In memory segments are whole pages, of 16 KiB on Apple's own processors.
            struct.pack_into("<Q", code, at + 32, max(size, end - offset + (-(end - offset) % 0x4000)))
            struct.pack_into("<Q", code, at + 48, end - offset)
    return text


def _signature_size(code_size: int, name: str) -> int:
    pages = -(-code_size // (1 << _PAGE))
    return 20 + _CODE_DIRECTORY.size + len(name) + 1 + 32 * pages


def _signature(code: bytes, name: str, text: int) -> bytes:
    """A super blob with a code directory alone; text: bytes of the segment with the code."""
    pages = [code[at : at + (1 << _PAGE)] for at in range(0, len(code), 1 << _PAGE)]
    named = name.encode() + b"\0"
    hashes_at = _CODE_DIRECTORY.size + len(named)
    directory = _CODE_DIRECTORY.pack(
        *(_DIRECTORY, hashes_at + 32 * len(pages), _VERSION, _AD_HOC),
        *(hashes_at, _CODE_DIRECTORY.size, 0, len(pages), len(code)),
        *(32, _SHA256, 0, _PAGE),
        # Nothing scattered, no team, nothing past 4 GiB; then the segment with the code, which starts no program.
        *(0, 0, 0, 0, 0),
        *(0, text, 0),
    )
    blob = directory + named + b"".join(hashlib.sha256(page).digest() for page in pages)
    return struct.pack(">5I", _SUPER_BLOB, 20 + len(blob), 1, 0, 20) + blob


def _is_right(code: bytes, signature: bytes) -> bool:
    magic, _, count = struct.unpack_from(">3I", signature)
    if magic != _SUPER_BLOB:
        return False
    for number in range(count):
        (at,) = struct.unpack_from(">I", signature, 16 + 8 * number)
        blob = signature[at:]
        kind, _, _, flags, hashes, _, _, pages, limit = struct.unpack_from(">9I", blob)
        if kind == _DIRECTORY:
            size, how, _, page = struct.unpack_from(">4B", blob, 36)
            if (size, how) != (32, _SHA256) or not flags & _AD_HOC or limit != len(code):
                return False
            parts = [code[begin : begin + (1 << page)] for begin in range(0, limit, 1 << page)]
            written = [blob[hashes + 32 * n : hashes + 32 * n + 32] for n in range(pages)]
            return written == [hashlib.sha256(part).digest() for part in parts]
    return False

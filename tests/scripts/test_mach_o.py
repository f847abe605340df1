# SPDX-License-Identifier: GPL-3.0-or-later
"""The least macOS of a library and its signature, read from a small one that is written here by Apple's headers."""

import hashlib
import struct

import mach_o
import pytest

NAME = "hooke_kernels"


def segment(name, offset, size, *sections):
    """LC_SEGMENT_64; sections: offsets of their content."""
    head = struct.pack(
        "<2I16s4Q4I", 0x19, 72 + 80 * len(sections), name, offset, size, offset, size, 5, 5, 0, 0
    )
    head = head[:64] + struct.pack("<2I", len(sections), 0)
    return head + b"".join(
        struct.pack("<16s16s2Q8I", b"__text", name, at, 8, at, *[0] * 7) for at in sections
    )


def library(least, room=512):
    """A library of two segments; least: the command that says which macOS it asks for; room: for commands."""
    code = bytes(range(256)) * 24
    commands = [
        segment(b"__TEXT", 0, room + len(code), room),
        segment(b"__LINKEDIT", room + len(code), 100),
        least,
    ]
    size = sum(map(len, commands))
    head = struct.pack("<8I", 0xFEEDFACF, 0x01000007, 3, 6, len(commands), size, 0, 0)
    return (head + b"".join(commands)).ljust(room, b"\0") + code + bytes(100)


OLD = struct.pack("<4I", 0x24, 16, 10 << 16 | 13 << 8, 15 << 16)
NEW = struct.pack("<6I", 0x32, 24, 1, 11 << 16, 15 << 16, 0)


@pytest.mark.parametrize(("least", "version"), [(OLD, (10, 13)), (NEW, (11, 0))])
def test_the_least_system_is_read(least, version):
    assert mach_o.least_macos(library(least)) == version


def test_what_says_nothing_of_it_is_refused():
    with pytest.raises(mach_o.NoLibrary, match="does not say"):
        mach_o.least_macos(library(struct.pack("<6I", 0x1B, 24, 0, 0, 0, 0)))


@pytest.mark.parametrize("content", [b"", b"\x7fELF" + bytes(100), library(OLD)[:200]])
def test_what_is_no_library_is_refused(content):
    with pytest.raises(mach_o.NoLibrary):
        list(mach_o.load_commands(content))
        mach_o.least_macos(content)


def test_it_is_signed_page_by_page():
    plain = library(OLD)
    content = mach_o.signed(plain, NAME)
    assert not mach_o.is_signed(plain) and mach_o.is_signed(content)
    assert mach_o.signed(content, NAME) == content
    count, taken = struct.unpack_from("<2I", content, 16)
    kind, size, begin, length = struct.unpack_from("<4I", content, 32 + taken - 16)
    assert (count, kind, size) == (4, 0x1D, 16)
    assert begin % 16 == 0 and begin + length == len(content)
    # The directory, by hand: page checksums at its end, the identifier before them.
    first = hashlib.sha256(content[:4096]).digest()
    last = hashlib.sha256(content[4096:begin]).digest()
    assert content.endswith(NAME.encode() + b"\0" + first + last)
    # __LINKEDIT reaches to the end of the file.
    at = content.index(b"__LINKEDIT") - 8
    _, size, offset, file_size = struct.unpack_from("<4Q", content, at + 24)
    assert offset + file_size == len(content) and size >= file_size


@pytest.mark.parametrize("at", [600, 5000])
def test_a_page_that_was_changed_is_found(at):
    content = bytearray(mach_o.signed(library(NEW), NAME))
    content[at] ^= 1
    assert not mach_o.is_signed(bytes(content))


def test_a_header_without_room_is_refused():
    with pytest.raises(mach_o.NoLibrary, match="no room"):
        mach_o.signed(library(OLD, room=32 + 152 + 72 + 16), NAME)

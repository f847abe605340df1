# SPDX-License-Identifier: GPL-3.0-or-later
"""PC2, the file of positions that Blender's Mesh Cache modifier plays.

Magic, version, point count, first frame, frames between samples, sample count; then float32 positions.
"""

import contextlib
import math
import os
import secrets
import struct
from pathlib import Path

from . import held_files
from .file_kinds import Kind
from .frames import CacheError, single_precision
from .regular_file import open_regular, write_all

MAGIC = b"POINTCACHE2\0"
HEADER = struct.Struct("<12siiffi")
COUNT_AT = HEADER.size - 4


def header(vertex_count, frame_start, count, sample_rate=1.0):
    """The bytes before the positions."""
    return HEADER.pack(MAGIC, 1, vertex_count, frame_start, sample_rate, count)


def counted(content, size):
    """Vertices, first frame and whole frames of a file, by its first bytes and its size in bytes.

    Raises ValueError where the bytes are no header of frames one apart.
    """
    if len(content) < HEADER.size:
        raise ValueError("it ends in its header")
    magic, version, vertex_count, frame_start, sample_rate, count = HEADER.unpack(content[: HEADER.size])
    if magic != MAGIC or version != 1:
        raise ValueError("it is no PC2 file of version 1")
    if vertex_count < 1 or count < 0 or sample_rate != 1.0 or not math.isfinite(frame_start):
        raise ValueError("its header makes no sense")
    return vertex_count, frame_start, min(count, (size - HEADER.size) // (12 * vertex_count))


def _is_pc2(file):
    counted(file.read(HEADER.size), os.fstat(file.fileno()).st_size)
    return True


PC2 = Kind("a PC2 file", _is_pc2)


def write_pc2(path, frames, frame_start, sample_rate=1.0):
    """Write frames, float32 of shape (vertex_count, 3) each, as a PC2 file, which appears when it is whole.

    Raises CacheError where a frame is not finite or the file cannot be written, and leaves what was there before.
    """
    path = Path(path)
    # A name of its own, short enough where that of the file is as long as the system allows.
    partial = path.with_name(f"{path.name[:40]}.{secrets.token_hex(4)}.partial")
    try:
        file = open_regular(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            with file:
                _write(file, path, frames, frame_start, sample_rate)
                os.fsync(file.fileno())
            held_files.replace(partial, path)
        except BaseException:
            with contextlib.suppress(OSError):
                held_files.remove(partial)
            raise
        _settle(path.parent)
    except OSError as error:
        reason = held_files.because(error, "choose another file")
        raise CacheError(f"{path} cannot be written {reason}") from error


def _write(file, path, frames, frame_start, sample_rate):
    count, written, shape = len(frames), 0, None
    for positions in frames:
        positions = single_precision(positions, f"frame {frame_start + written * sample_rate:g}")
        if shape is None:
            shape = positions.shape
            write_all(file, header(shape[0], frame_start, count, sample_rate))
        if positions.shape != shape:
            raise CacheError(
                f"{path} cannot be written: frames of {shape[0]} and of {len(positions)} vertices"
            )
        write_all(file, positions.data.cast("B"))
        written += 1
    if not written or written != count:
        raise CacheError(f"{path} cannot be written: {written} of {count} frames are there")


def _settle(folder):
    """Let a file's new name outlast a power cut, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

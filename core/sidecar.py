# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines beside a cache's positions: what it is and of whom, and the checksum and note of every frame.

A line is JSON, `["checksum",value]`, the checksum over the value and all lines before: a line that is missing, twice,
in another place or of another cache ends the file before it.
"""

import itertools
import secrets
import zlib

from .bounded_json import LONGEST, from_json, to_json
from .regular_file import RegularFile

_FORMAT = "hooke cache 2"
_LONGEST_OWNER = 1000
_BLOCK = 1 << 16
# PC2 holds the first frame in single precision.
_LAST_FRAME = 1 << 24
_PREFIX = len('["00000000",')
_FIRST = {"format", "owner", "vertex_count", "frame_start", "run", "inputs"}


class Sidecar:
    """An open sidecar.

    owner: whose cache it is, a str, or None; vertex_count, frame_start: as the PC2 header must have them.
    inputs: what the frames were made from. notes, checksums, snapshot_sizes [bytes]: one a frame.
    `create` and `open` make instances; methods raise OSError, and ValueError where the file is no sidecar.
    """

    def __init__(self, file, first, chain, end):
        self._file, self._first_line = file, b""
        self.owner, self.inputs = first["owner"], first["inputs"]
        self.vertex_count, self.frame_start = first["vertex_count"], first["frame_start"]
        self.notes: list = []
        self.checksums: list = []
        self.snapshot_sizes: list = []
        # The checksum and the offset behind the first line and every frame's.
        self._chains, self._ends = [chain], [end]

    @classmethod
    def create(cls, path, owner, vertex_count, frame_start, inputs):
        """A sidecar without frames, which is written when `begin` is called."""
        if len(_beginning(owner)) > _LONGEST_OWNER:
            raise ValueError(f"the owner's name of {len(owner)} characters is too long: give a shorter one")
        if vertex_count < 1 or abs(frame_start) > _LAST_FRAME:
            raise ValueError(
                f"{vertex_count} vertices from frame {frame_start} on cannot be cached: give some, and an earlier frame"
            )
        first = {"format": _FORMAT, "owner": owner}
        first |= {"vertex_count": int(vertex_count), "frame_start": int(frame_start)}
        # No two caches begin alike: parts of one are never taken for parts of another.
        first |= {"run": secrets.token_hex(8), "inputs": inputs}
        line, chain = _line(first, 0)
        file = RegularFile(path, writable=True, create=True)
        created = cls(file, from_json(line[_PREFIX:-2]), chain, len(line))
        created._first_line = line
        return created

    def begin(self):
        """Write the first line in place of all that is in the file."""
        self._file.truncate(0)
        self._file.write(0, self._first_line)

    @classmethod
    def open(cls, path, *, writable=False, most=0):
        """The file as far as it checks out, but at most so many frames of it."""
        file = RegularFile(path, writable=writable)
        try:
            lines = _lines(file)
            line = next(lines, b"")
            first, chain = _value(line, 0)
            _check_first(first)
            sidecar = cls(file, first, chain, len(line) + 1)
            for line in itertools.islice(lines, most):
                sidecar.keep(len(line) + 1, *_frame(line, sidecar.chain))
        except _Ends:
            pass
        except BaseException:
            file.close()
            raise
        return sidecar

    def line(self, checksum, snapshot_size, note):
        """The next frame's line, and the chain it ends with; raises ValueError for a note that is too large."""
        return _line([checksum, snapshot_size, note], self._chains[-1])

    def write(self, line):
        """Write the next frame's line, which counts when `keep` is told."""
        self._file.write(self._ends[-1], line)

    def keep(self, size, chain, checksum, snapshot_size, note):
        """Count a frame whose line has been written, in bytes of size."""
        self._ends.append(self._ends[-1] + size)
        self._chains.append(chain)
        self.checksums.append(checksum)
        self.snapshot_sizes.append(snapshot_size)
        self.notes.append(note)

    def end_before(self, frame):
        """Forget a frame and all behind it."""
        for kept in (self.notes, self.checksums, self.snapshot_sizes):
            del kept[frame:]
        for kept in (self._chains, self._ends):
            del kept[frame + 1 :]

    def cut(self):
        """Remove from the file what is behind the frames that count."""
        # `keep` may have been interrupted before its last step.
        self.end_before(len(self.notes))
        self._file.truncate(self._ends[-1])

    @property
    def chain(self):
        """Checksum of all lines that count."""
        return self._chains[-1]

    def chain_of(self, count):
        """Checksum of the lines of so many frames and the first line, at most of all that count."""
        return self._chains[: count + 1][-1]

    def close(self):
        """Close the file."""
        self._file.close()


def belongs_to(file, owner):
    """Whether a file is empty or begins as a sidecar of an owner's, None for anyone's, whatever follows."""
    begin = file.read(0, _LONGEST_OWNER + 100)
    of_owner = _beginning(owner) if owner is not None else b'{"format":"hooke cache '
    # Version 1 did not say whose it is.
    return not begin or begin[_PREFIX:].startswith(of_owner) or begin.startswith(b'{"format":"hooke cache 1"')


def _beginning(owner):
    return to_json({"format": _FORMAT, "owner": owner})[:-1]


def _line(value, chain):
    text = to_json(value)
    chain = zlib.crc32(text, chain)
    return b'["%08x",%b]\n' % (chain, text), chain


def _lines(file):
    """Generator of the lines that are whole, without their ends."""
    at, rest = 0, b""
    while len(rest) <= LONGEST + _PREFIX and (block := file.read(at, _BLOCK)):
        at += len(block)
        *lines, rest = (rest + block).split(b"\n")
        yield from lines


def _value(line, chain):
    """The content of a line, and the chain after it; raises ValueError where the checksum is wrong."""
    text = line[_PREFIX:-1]
    chain = zlib.crc32(text, chain)
    if line != b'["%08x",%b]' % (chain, text):
        raise ValueError("a line of its sidecar does not check out")
    return from_json(text), chain


def _check_first(first):
    if not isinstance(first, dict) or first.get("format") != _FORMAT or first.keys() != _FIRST:
        raise ValueError("it is no cache of this version")
    owner, numbers = first["owner"], (first["vertex_count"], first["frame_start"])
    if not (owner is None or isinstance(owner, str)) or any(type(number) is not int for number in numbers):
        raise ValueError("its sidecar's first line makes no sense")


def _frame(line, chain):
    """Chain, checksum, bytes of the snapshot, and note of a frame's line."""
    try:
        value, chain = _value(line, chain)
        checksum, snapshot_size, note = value
    except (ValueError, TypeError) as error:
        raise _Ends from error
    if type(checksum) is not int or type(snapshot_size) is not int:
        raise _Ends
    return chain, checksum, snapshot_size, note


class _Ends(Exception):
    """A frame's line that does not check out."""

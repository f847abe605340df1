# SPDX-License-Identifier: GPL-3.0-or-later
"""What may have happened to the files of a cache: strategies of changes, each from contents to contents.

Contents are a dict from suffix to bytes, or to an int for a file of so many bytes without any on the disk.
"""

import json
import struct
import zlib

from hypothesis import strategies as st

from .caches import SUFFIXES

suffixes = st.sampled_from(SUFFIXES)
places = st.floats(0.0, 1.0, exclude_max=True)
counts = st.sampled_from([-(2**31), -1, 0, 1, 3, 4, 6, 8, 2**24, 2**31 - 1]) | st.integers(
    -(2**31), 2**31 - 1
)
sizes = st.sampled_from([2**20, 2**31, 2**40])
states = st.sampled_from([".state0", ".state1"])
depths = st.sampled_from([10, 40, 2000, 200_000])


def on_bytes(change):
    """A change of one file's bytes as one of contents; what is not there, or is no bytes any more, stays."""

    def changed(files, suffix, other):
        data = files.get(suffix)
        return files | {suffix: change(data)} if isinstance(data, bytes) and data else files

    return changed


def spliced(suffix, place, removed, inserted):
    def change(data):
        at = int(place * len(data))
        return data[:at] + inserted + data[at + removed :]

    return lambda files, other: on_bytes(change)(files, suffix, other)


def flipped(suffix, place, bit):
    def change(data):
        at = int(place * len(data))
        return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]

    return lambda files, other: on_bytes(change)(files, suffix, other)


def cut_off(suffix, place):
    return lambda files, other: on_bytes(lambda data: data[: int(place * len(data))])(files, suffix, other)


def hollow(suffix, size):
    """A file that says it is huge, with nothing behind what it holds."""

    def change(files, other):
        data = files.get(suffix, b"")
        return files | {suffix: (data if isinstance(data, bytes) else b"", size)}

    return change


def exchanged(first, second):
    return lambda files, other: files | {first: files.get(second, b""), second: files.get(first, b"")}


def of_other_cache(chosen):
    return lambda files, other: files | {suffix: other[suffix] for suffix in chosen}


def missing(suffix):
    return lambda files, other: {name: data for name, data in files.items() if name != suffix}


def header_number(at, value):
    return lambda files, other: on_bytes(lambda data: data[:at] + struct.pack("<i", value) + data[at + 4 :])(
        files, ".pc2", other
    )


def blocks_exchanged(suffix, size, first, second, head):
    """Two blocks of a file in each other's place: frames, or arrays of a snapshot."""

    def change(data):
        blocks = [data[at : at + size] for at in range(head, len(data), size)]
        if len(blocks) > max(first, second):
            blocks[first], blocks[second] = blocks[second], blocks[first]
        return data[:head] + b"".join(blocks)

    return lambda files, other: on_bytes(change)(files, suffix, other)


def lines_changed(order):
    """Lines of the sidecar left out, repeated and moved."""

    def change(data):
        lines = data.splitlines(keepends=True)
        return b"".join(lines[number % len(lines)] for number in order)

    return lambda files, other: on_bytes(change)(files, ".jsonl", other)


def line_forged(number, text):
    """A line of the sidecar that says something else, with the checksum that belongs to it."""

    def change(data):
        lines = data.splitlines()
        place = number % len(lines)
        before = int(lines[place - 1][2:10], 16) if place and lines[place - 1][2:10].isalnum() else 0
        lines[place] = b'["%08x",%b]' % (zlib.crc32(text, before), text)
        return b"\n".join([*lines, b""])

    def changed(files, other):
        try:
            return on_bytes(change)(files, ".jsonl", other)
        except ValueError:
            return files

    return changed


def state_forged(suffix, text):
    """A snapshot whose header says something else, with the checksum of a short file that belongs to it."""
    content = struct.pack("<8sII", b"HOOKEST2", len(text), zlib.crc32(text)) + text
    return lambda files, other: files | {suffix: content}


def arrays_forged(suffix, arrays, size):
    """A snapshot of the right frame whose arrays are others, in a file that says it has room for them."""

    def change(files, other):
        data = files.get(suffix)
        try:
            _, length, _ = struct.unpack_from("<8sII", data)
            header = json.loads(data[16 : 16 + length]) | {"arrays": arrays}
        except (TypeError, ValueError, RecursionError, struct.error):
            return files
        text = json.dumps(header).encode()
        return files | {suffix: (struct.pack("<8sII", b"HOOKEST2", len(text), 0) + text, size)}

    return change


def nested(depth):
    return st.sampled_from(
        [b"[" * depth + b"]" * depth, b"[" * depth, b'{"a":' * depth + b"1" + b"}" * depth]
    )


json_values = st.recursive(
    st.none() | st.booleans() | counts | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
).map(lambda value: json.dumps(value).encode())
texts = json_values | depths.flatmap(nested) | st.binary(max_size=40).map(lambda b: b.replace(b"\n", b""))
first_lines = st.fixed_dictionaries(
    {
        "format": st.sampled_from(["hooke cache 2", "hooke cache 1", 2]),
        "owner": st.sampled_from(["a", "b", None, 3, []]),
        "vertex_count": counts,
        "frame_start": counts | st.floats(),
        "run": st.just(""),
        "inputs": st.none(),
    }
).map(lambda first: json.dumps(first, separators=(",", ":")).encode())
arrays = st.lists(
    st.tuples(
        st.sampled_from(["x", "v", "t", 3]),
        st.sampled_from(["<f8", "|O", "<U9", "<i8"]),
        st.lists(counts | st.just(2**14), max_size=3),
    ),
    max_size=3,
)
state_headers = st.fixed_dictionaries({"frame": counts, "chain": counts, "arrays": arrays}).map(
    lambda header: json.dumps(header).encode()
)

damage = st.one_of(
    st.builds(flipped, suffixes, places, st.integers(0, 7)),
    st.builds(cut_off, suffixes, places),
    st.builds(spliced, suffixes, places, st.integers(0, 40), st.binary(max_size=40)),
    st.builds(hollow, suffixes, sizes),
    st.builds(exchanged, suffixes, suffixes),
    st.builds(of_other_cache, st.sets(suffixes, min_size=1)),
    st.builds(missing, suffixes),
    st.builds(header_number, st.sampled_from([12, 16, 20, 24, 28]), counts),
    st.builds(
        blocks_exchanged, st.just(".pc2"), st.just(84), st.integers(0, 5), st.integers(0, 5), st.just(32)
    ),
    st.builds(
        blocks_exchanged,
        states,
        st.sampled_from([8, 24, 168]),
        st.integers(0, 5),
        st.integers(0, 5),
        st.integers(0, 600),
    ),
    st.builds(lines_changed, st.lists(st.integers(0, 6), max_size=8)),
    st.builds(line_forged, st.integers(0, 6), texts),
    st.builds(line_forged, st.just(0), first_lines),
    st.builds(state_forged, states, texts | state_headers),
    st.builds(arrays_forged, states, arrays, sizes),
)

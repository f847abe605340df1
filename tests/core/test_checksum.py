# SPDX-License-Identifier: GPL-3.0-or-later
"""The checksum of arrays tells apart what storage and programs confuse."""

import zlib

import numpy as np
import pytest

from hooke.core.checksum import checksum

SIZES = [0, 1, 511, 4095, 4096, 4097, 4608, 122_412]


def content(size):
    """Bytes without a pattern."""
    return np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8)


@pytest.mark.parametrize("size", SIZES)
def test_it_is_that_of_the_sums(size):
    data = content(size)
    rows = size // 512 if size >= 4096 else 0
    table = [
        [int.from_bytes(data[at : at + 8], "little") for at in range(row, row + 512, 8)]
        for row in range(0, 512 * rows, 512)
    ]
    expected = zlib.crc32(data[512 * rows :].tobytes(), 7)
    if rows:
        for sums in ([sum(column) for column in zip(*table, strict=True)], [sum(row) for row in table]):
            expected = zlib.crc32(b"".join((value % 2**64).to_bytes(8, "little") for value in sums), expected)
    assert checksum(data.data, 7) == expected


@pytest.mark.parametrize("size", SIZES[1:])
def test_every_bit_counts(size):
    data = content(size)
    whole = checksum(data.data)
    for at in {0, size - 1, size // 2, size // 3, max(0, size - 9), max(0, size - 513)}:
        for bit in range(8):
            data[at] ^= 1 << bit
            assert checksum(data.data) != whole
            data[at] ^= 1 << bit


@pytest.mark.parametrize("block", [4, 8, 12, 512, 4096, 40_000])
def test_moved_doubled_and_emptied_blocks_are_told_apart(block):
    data = content(122_412)
    whole = checksum(data.data)
    for first, second in ((0, block), (block, 2 * block + 300), (0, 122_412 - block)):
        here, there = slice(first, first + block), slice(second, second + block)
        moved, doubled, emptied = data.copy(), data.copy(), data.copy()
        moved[here], moved[there] = data[there], data[here]
        doubled[there] = data[here]
        emptied[there] = 0
        for changed in (moved, doubled, emptied, np.roll(data, block)):
            assert checksum(changed.data) != whole

# SPDX-License-Identifier: GPL-3.0-or-later
"""Distinct rows of indices are NumPy's own, whatever is asked of them."""

import numpy as np
import pytest

from core.listed import distinct_rows

ASKED = ("return_index", "return_inverse", "return_counts")
LARGE = np.iinfo(np.int32).max


@pytest.mark.parametrize("asked", [(), ASKED[:1], ASKED[1:], ASKED], ids=len)
@pytest.mark.parametrize(("count", "width", "above"), [(0, 2, 1), (1, 3, 9), (500, 2, 12), (300, 4, LARGE)])
def test_rows_are_told_apart_as_numpy_does(count, width, above, asked):
    rng = np.random.default_rng(count + width)
    some = rng.integers(0, above, (max(count // 4, 1), width))
    rows = some[rng.integers(0, len(some), count)]
    ours, theirs = (
        of(rows, **how, **dict.fromkeys(asked, True))
        for of, how in ((distinct_rows, {}), (np.unique, {"axis": 0}))
    )
    for one, other in zip(*((of if asked else (of,)) for of in (ours, theirs)), strict=True):
        assert np.array_equal(one, np.reshape(other, one.shape)) and one.dtype == other.dtype

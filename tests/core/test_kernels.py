# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kernel against its definition, whatever the sizes, the threads and the indices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooke.core.kernels import CHOSEN, Indices
from hooke.core.kernels.kernel import agrees
from hooke.core.kernels.library import NoLibrary, load

KERNELS = pytest.mark.parametrize("kernel", CHOSEN.kernels, ids=lambda kernel: kernel.name)


@pytest.fixture(scope="module", autouse=True)
def library():
    """The compiled library, which tests/conftest.py made."""
    try:
        return load()
    except NoLibrary as error:
        pytest.skip(str(error))


def outputs(kernel, values):
    return [
        value for argument, value in zip(kernel.signature.arguments, values, strict=True) if argument.written
    ]


@KERNELS
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), size=st.one_of(st.integers(0, 40), st.just(500)))
def test_twin_is_its_definition_to_rounding(kernel, seed, size):
    assert agrees(kernel, load(), kernel.example(np.random.default_rng(seed), size))


@KERNELS
@pytest.mark.parametrize("size", [0, 1, 2, 500])
def test_bits_are_the_same_on_any_number_of_threads(kernel, size, monkeypatch):
    monkeypatch.setattr(kernel, "grain", 1)
    found = []
    for count in (1, 2, 7):
        values = kernel.example(np.random.default_rng(7), size)
        CHOSEN.threads.use(count)
        try:
            kernel.run_twin(load(), values)
        finally:
            CHOSEN.threads.use()
        found.append([value.tobytes() for value in outputs(kernel, values)])
    assert found[0] == found[1] == found[2]


@KERNELS
@pytest.mark.parametrize("way", ["twin", "definition"])
def test_what_c_cannot_read_is_refused(kernel, way):
    for number, argument in enumerate(kernel.signature.arguments):
        if argument.dimensions is None:
            continue
        values = list(kernel.example(np.random.default_rng(7), 5))
        for wrong in refused(values[number], argument):
            values[number] = wrong
            with pytest.raises((TypeError, ValueError, IndexError), match=kernel.name):
                kernel.run_twin(load(), values) if way == "twin" else kernel.define(*values)


def refused(value, argument):
    """Arrays of another kind, another layout, read-only where it is written, and out of range."""
    if isinstance(value, Indices):
        yield Indices(value.values, value.below + 10**6)
        return
    yield np.zeros(value.shape, np.float16)
    wide = np.zeros((*value.shape, 2), value.dtype)
    yield wide[..., 0]
    yield wide
    if argument.written:
        still = value.copy()
        still.flags.writeable = False
        yield still


@given(values=st.lists(st.integers(-(2**40), 2**40), min_size=1), below=st.integers(0, 2**31 - 1))
def test_indices_out_of_range_are_refused(values, below):
    if all(0 <= value < below for value in values):
        assert (Indices(values, below).values == values).all()
    else:
        with pytest.raises(IndexError):
            Indices(values, below)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kernel against its definition, whatever the sizes, the threads and the indices."""

import inspect
import re
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hooke.core.kernels import CHOSEN, Indices
from hooke.core.kernels.kernel import agrees, named
from hooke.core.kernels.library import NoLibrary, load, sources
from hooke.core.kernels.signature import KINDS

# Entries before and behind an array that nothing may write to.
FENCE = 64

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


@pytest.mark.sampled(16)
@KERNELS
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), size=st.one_of(st.integers(0, 40), st.just(500)))
def test_twin_is_its_definition_to_rounding(kernel, seed, size):
    assert agrees(kernel, load(), kernel.example(np.random.default_rng(seed), size))


@pytest.mark.sampled(4)
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
    """Arrays of another kind, another layout or read-only where it is written, and out of range."""
    if isinstance(value, Indices):
        yield Indices(value.values, value.below + 10**6)
        return
    yield np.zeros(value.shape, np.float16)
    wide = np.zeros((*value.shape, 2), value.dtype)
    yield wide
    if argument.written:
        if value.size > 1:
            yield wide[..., 0]
        still = value.copy()
        still.flags.writeable = False
        yield still


def spread(value):
    """The same entries, none of which lies beside the next."""
    wide = np.full((*value.shape[::-1], 3), 77, value.dtype)
    wide[..., 1] = value.T
    return wide[..., 1].T


@KERNELS
@pytest.mark.parametrize("way", ["twin", "definition"])
def test_what_is_only_read_may_lie_in_any_order(kernel, way):
    def run(values):
        kernel.run_twin(load(), values) if way == "twin" else kernel.define(*values)
        return [value.tobytes() for value in outputs(kernel, values)]

    arguments = kernel.signature.arguments
    values = kernel.example(np.random.default_rng(7), 5)
    spaced = [
        value.copy() if argument.written else spread(value) if argument.plain else value
        for value, argument in zip(values, arguments, strict=True)
    ]
    assert run(spaced) == run(values)


@pytest.mark.parametrize("definitions", [False, True])
def test_a_bound_kernel_reads_what_lies_otherwise_anew_in_every_call(definitions):
    values, out = np.arange(12.0).reshape(4, 3).T, np.zeros((4, 4), np.float32)
    with CHOSEN.definitions() if definitions else nullcontext():
        to_lanes = named("to_lanes").bound(out=out)
        for _ in range(2):
            to_lanes(values, 2.0)
            assert (out[:, :3] == 2.0 * values.T).all()
            values += 1.0
        with pytest.raises(TypeError, match="rows is not contiguous"):
            named("to_lanes").bound(rows=values)


@pytest.mark.sampled(10)
@KERNELS
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(0, 60))
def test_whatever_indices_are_in_range_nothing_else_is_written(kernel, seed, size):
    # What they mean may be nonsense. Under the sanitizers of docs/kernels.md it is not read either.
    random, values, fences = np.random.default_rng(seed), [], []
    for value, argument in zip(kernel.example(random, size), kernel.signature.arguments, strict=True):
        if isinstance(value, Indices) and value.below > 0:
            value = Indices(random.integers(0, value.below, value.shape), value.below)
        elif argument.written:
            fenced = np.full(value.size + 2 * FENCE, 77, value.dtype)
            fenced[FENCE : FENCE + value.size] = value.ravel()
            value = fenced[FENCE : FENCE + value.size].reshape(value.shape)
            fences += [fenced[:FENCE], fenced[len(fenced) - FENCE :]]
        values.append(value)
    with np.errstate(all="ignore"):
        kernel.run_twin(load(), values)
    assert all((fence == 77).all() for fence in fences)


@given(values=st.lists(st.integers(-(2**40), 2**40), min_size=1), below=st.integers(0, 2**31 - 1))
def test_indices_out_of_range_are_refused(values, below):
    if all(0 <= value < below for value in values):
        assert (Indices(values, below).values == values).all()
    else:
        with pytest.raises(IndexError):
            Indices(values, below)


@KERNELS
def test_the_twin_declares_what_it_is_given(kernel):
    source = " ".join(path.read_text(encoding="utf-8") for path in sources() if path.suffix == ".c")
    declared = re.search(rf"KERNEL {kernel.name}\(([^)]*)\)", source)[1]
    signature = kernel.signature
    expected = [
        f"{'' if argument.written or argument.dimensions is None else 'const '}{KINDS[argument.kind]} "
        f"{'' if argument.dimensions is None else '*'}{argument.name}"
        for argument in signature.arguments
    ]
    expected += [f"int64_t {size}" for size in (*signature.sizes, "first", "last")]
    assert [" ".join(word.split()) for word in declared.split(",")] == expected


@KERNELS
def test_the_definition_takes_the_arguments_of_the_signature(kernel):
    names = tuple(argument.name for argument in kernel.signature.arguments)
    assert tuple(inspect.signature(kernel.definition).parameters) == names

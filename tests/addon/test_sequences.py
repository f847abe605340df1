# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever users do, in whatever order: what is shown as well is what a bake has, and what is theirs stays."""

import pytest

from . import sequences

SEEDS = 100


def test_short_sequences(empty_file):
    assert sequences.checked(range(4), 12, empty_file) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("ten", range(0, SEEDS, 10))
def test_long_sequences(ten, empty_file):
    assert sequences.checked(range(1000 + ten, 1010 + ten), 40, empty_file) == ""


def test_a_sequence_with_a_fault_is_shrunk_to_what_it_takes(monkeypatch, empty_file):
    # In place of a defect: after a pin and a move, in any order, something is wrong.
    done: list = []
    monkeypatch.setitem(sequences.ACTIONS, "adds", lambda rng: done.clear())
    for name in ("paints", "moves", "jumps"):
        monkeypatch.setitem(sequences.ACTIONS, name, lambda rng, name=name: done.append(name))
    monkeypatch.setattr(sequences, "_wrong", lambda *_: "off" if {"paints", "moves"} <= {*done} else "")
    sequence = [(name, 0.5) for name in ("adds", *["jumps"] * 7, "paints", *["jumps"] * 9, "moves", "jumps")]
    fault = sequences.run(sequence, empty_file)
    assert fault.after == 19
    short = sequences.shrunk(sequence, empty_file, fault.what)
    assert [name for name, _ in short] == ["adds", "paints", "moves"]

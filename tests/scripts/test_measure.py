# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab derives from its runs: orders, thresholds, counts, blocks of the page."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from measuring import measured
from measuring.measure import call_counts, exponent, largest, order
from measuring.page import kept_rows, read_block, significant, spread, table, write_block

from ..waiting import HANGS

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def test_exponent_of_a_power_law():
    n = np.array([3.0, 10.0, 200.0])
    assert exponent(n, 0.7 * n**1.5) == pytest.approx(1.5, abs=1e-12)


def test_order_is_fitted_where_the_error_is_neither_coarse_nor_rounding():
    dt = 2.0 ** -np.arange(1, 12)
    errors = np.maximum(dt**4, 3e-12)
    errors[:2] = 9.0
    # dt^4 reaches rounding at dt = 0.0013: the three smallest steps above it are 2^-7, 2^-8 and 2^-9.
    assert order(dt, errors) == pytest.approx(4.0, abs=1e-12)


def test_order_needs_errors_above_rounding():
    with pytest.raises(ValueError, match="not above rounding: take larger steps"):
        order([0.1, 0.2], [1e-15, 2e-15])


@pytest.mark.parametrize("threshold", [0.02, 1.0, 900.0])
def test_bisection_finds_the_threshold(threshold):
    found = largest(lambda value: value <= threshold, 0.01, 1000.0, precision=1e-6)
    assert found == pytest.approx(threshold, rel=1e-6)


def test_bisection_says_never_and_always():
    assert largest(lambda value: False, 0.01, 1000.0) == 0.0
    assert largest(lambda value: True, 0.01, 1000.0) == np.inf


def test_calls_are_counted_where_they_happen():
    def counted():
        return None

    def uncounted():
        counted()

    counts = call_counts(lambda: [uncounted() for _ in range(3)], [counted])
    assert counts == {counted: 3}


@pytest.mark.parametrize(
    ("value", "digits", "words"),
    [
        (0.0, 2, "0"),
        (1234.4, 2, "1234"),
        (0.03149, 2, "0.031"),
        (4.78e-6, 3, "4.78·10⁻⁶"),
        (2.09e5, 2, "2.1·10⁵"),
    ],
)
def test_significant_digits(value, digits, words):
    assert significant(value, digits) == words


def test_a_block_replaces_what_stood_between_its_markers(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- lab:x -->\nold\n<!-- /lab:x -->\nb\n", encoding="utf-8")
    for _ in range(2):
        write_block("x", table(["Method", "Order"], [["Verlet", 2]]), page)
    shown = "| Method | Order |\n| :-- | --: |\n| Verlet | 2 |"
    assert page.read_text(encoding="utf-8") == f"a\n<!-- lab:x -->\n{shown}\n<!-- /lab:x -->\nb\n"


def test_rows_of_a_page_are_read_as_they_were_written(tmp_path):
    page, header = tmp_path / "page.md", ("scene", "a", "b")
    page.write_text("<!-- lab:x -->\n<!-- /lab:x -->\n", encoding="utf-8")
    rows = [("one", "1", "2"), ("two", "3, 4", "–")]
    other = table(("scene", "c"), [("one", "9")])
    write_block("x", f"{other}\n\nWords.\n\n{table(header, rows)}\n\nMore.", page)
    assert kept_rows(header, read_block("x", page)) == rows
    assert kept_rows(("scene", "a"), read_block("x", page)) == []


def test_a_page_without_the_markers_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match=r"page\.md has no markers <!-- lab:x -->"):
        write_block("x", "text", page)


@pytest.fixture
def measured_page(tmp_path, monkeypatch):
    """A Measured of three rows, and what its page says."""
    page = tmp_path / "page.md"
    page.write_text("<!-- lab:x -->\nold\n<!-- /lab:x -->\n", encoding="utf-8")
    monkeypatch.setattr(measured, "DOCS", tmp_path)
    scenes = {("one", "a"): (1, 2), ("one", "b"): (5, 6), ("two", "a"): (3, 4)}

    def write(factor, beginnings=()):
        def quantity(a, b):
            return a + b, f"{factor * a * b} m"

        measured.Measured("x", "page.md", ("scene", "", "a", "b"), scenes, quantity, "Note.").write(
            beginnings
        )
        return read_block("x", page)

    return write


def test_a_measurement_writes_a_row_for_each_scene(measured_page):
    assert measured_page(1).splitlines() == [
        "Note.",
        "",
        "| scene |  | a | b |",
        "| :-- | --: | --: | --: |",
        "| one | a | 3 | 2 m |",
        "| one | b | 11 | 30 m |",
        "| two | a | 7 | 12 m |",
    ]


def test_a_row_takes_the_place_of_its_own_and_no_others(measured_page):
    measured_page(1, ["two", "one, a"])
    assert measured_page(10, ["one"]).splitlines()[4:] == [
        "| one | a | 3 | 20 m |",
        "| one | b | 11 | 300 m |",
        "| two | a | 7 | 12 m |",
    ]


def test_a_table_without_such_a_row_stays(measured_page):
    whole = measured_page(1)
    assert measured_page(10, ["three"]) == whole


def test_a_subject_without_such_a_row_ends_and_names_what_there_is():
    words = [sys.executable, SCRIPTS / "measuring", "lab", "conservation", "--row", "ropes"]
    ended = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=HANGS)
    assert ended.returncode == 1
    assert "no row begins with “ropes”: there are cotton at two corners; " in ended.stderr


def test_times_are_told_by_their_median_and_range():
    assert spread([4.0, 1.0, 3.04, 9.0]) == "3.5 (1.0–9.0)"

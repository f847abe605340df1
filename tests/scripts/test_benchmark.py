# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark measures what it says: stretch, distance, and a plain implementation of the same method."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="matplotlib draws the benchmark's picture and is not installed")

from benchmark import race, reference
from benchmark import truth as truth_picture
from benchmark.packages import HookeCore
from measuring.page import DOCS, kept_rows, read_block
from numpy.testing import assert_allclose
from theory import courses, naive

from hooke.core import Simulation

QUADS, FRAMES = 4, 12


def test_stretch_of_a_sheet_drawn_out_along_one_axis():
    sheet = courses.sheet(QUADS)
    stretched = sheet.stretches(sheet.points * [1.5, 1.0, 1.0])
    along = sheet.points[sheet.edges[:, 0], 1] == sheet.points[sheet.edges[:, 1], 1]
    assert along.sum() == QUADS * (QUADS + 1)
    assert_allclose(stretched, np.where(along, 0.5, 0.0), atol=1e-12)


def test_distance_of_a_moved_sheet():
    points = courses.sheet(QUADS).points
    assert courses.distance(points + np.array([0.3, 0.0, -0.4]), points) == pytest.approx(0.5)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", courses.COURSES)
def test_the_reference_keeps_its_pins_where_the_course_has_them_and_its_springs_whole(
    name, monkeypatch, tmp_path
):
    monkeypatch.setattr(reference, "FOLDER", tmp_path)
    course = courses.COURSES[name](8)
    frames = reference.frames(course, FRAMES)
    for number, x in enumerate(frames, start=1):
        assert_allclose(x[course.pinned], course.pin_targets(number / courses.FPS), atol=1e-12)
    assert np.abs(frames[-1] - course.points).max() > 0.01 * course.size
    # A quarter of the length is beyond what any course's weight makes of its springs.
    assert max(course.stretches(x).max() for x in frames) < 0.25
    # A longer reference is not taken for a shorter one, nor one course for another.
    assert len(reference.frames(course, FRAMES + 4)) == FRAMES + 4
    assert_allclose(reference.frames(course, 3), frames[:3])


@pytest.mark.nightly
@pytest.mark.parametrize("ordering", naive.ORDERINGS)
def test_the_plain_implementation_makes_the_same_frames(ordering):
    # So fine a sheet that ten iterations stay within Hooke's budget of energy.
    network = courses.sheet(80).network()
    core = Simulation(network, dt=0.033, iterations=10)
    plain = naive.NaiveProjectiveDynamics(network, 0.033, 10, naive.ORDERINGS[ordering])
    for _ in range(FRAMES):
        core.step()
        plain.step()
    assert np.abs(plain.x - network.points).max() > 0.1
    assert_allclose(plain.x, core.state.x, atol=1e-9)


def test_a_race_measures_everyone_and_says_who_failed(monkeypatch, tmp_path):
    class Broken(HookeCore):
        def advance(self):
            raise RuntimeError("has no fuel")

    class Still(HookeCore):
        def advance(self):
            pass

    monkeypatch.setattr(reference, "FOLDER", tmp_path)
    course = courses.sheet(QUADS)
    simulation = Simulation(course.network(), dt=1.0 / courses.FPS, substeps=2, iterations=3)
    truth = np.array(list(simulation.frames(FRAMES)))
    monkeypatch.setattr(reference, "frames", lambda *_: truth)
    everyone = [
        HookeCore("same", substeps=2, iterations=3),
        Broken("broken"),
        Still("still"),
        HookeCore("other"),
    ]
    options = SimpleNamespace(quads=QUADS, frames=FRAMES)
    found = race.races("rivals", everyone, ["sheet"], options)
    same, broken, still, other = (found.quantity(*found.scenes[each.name,]) for each in everyone)
    assert (
        {len(row) for row in (same, broken, still, other)}
        == {len(found.headings) - 1}
        == {len(race.HEADINGS)}
    )
    assert broken[0] == "RuntimeError: has no fuel"
    assert still[0] == f"RuntimeError: after {FRAMES} frames nothing has moved"
    assert same[1] == "0.000 m" < other[1] and same[2] == other[2] == "–"
    assert same[3] == f"{max(course.stretches(x).max() for x in truth):.1%}"


def test_the_picture_has_the_tables_that_are_written():
    # Where a heading in the page differs from what is written, nobody would be in the picture.
    for block in truth_picture.RACES:
        rows = kept_rows(("", *race.HEADINGS), read_block(block, DOCS / "benchmark.md"))
        assert any(row[0].startswith("Hooke") for row in rows), block

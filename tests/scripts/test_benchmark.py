# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark measures what it says: stretch, distance, and a plain implementation of the same method."""

import numpy as np
import pytest
from benchmark import naive, race, sheet
from benchmark.packages import HookeCore
from numpy.testing import assert_allclose

from hooke.core import Simulation

QUADS, FRAMES = 4, 12


def test_stretch_of_a_sheet_drawn_out_along_one_axis():
    points, faces, _ = sheet.grid(QUADS)
    sides = sheet.edges(faces)
    stretched = sheet.stretches(points * [1.5, 1.0, 1.0], points, sides)
    along = points[sides[:, 0], 1] == points[sides[:, 1], 1]
    assert along.sum() == QUADS * (QUADS + 1)
    assert_allclose(stretched, np.where(along, 0.5, 0.0), atol=1e-12)


def test_distance_of_a_moved_sheet():
    points, _, _ = sheet.grid(QUADS)
    assert sheet.distance(points + np.array([0.3, 0.0, -0.4]), points) == pytest.approx(0.5)


@pytest.mark.parametrize("ordering", naive.ORDERINGS)
def test_the_plain_implementation_makes_the_same_frames(ordering):
    # So fine a sheet that ten iterations stay within Hooke's budget of energy.
    network = sheet.network(80)
    core = Simulation(network, dt=0.033, iterations=10)
    plain = naive.NaiveProjectiveDynamics(network, 0.033, 10, naive.ORDERINGS[ordering])
    for _ in range(FRAMES):
        core.step()
        plain.step()
    assert np.abs(plain.x - network.points).max() > 0.1
    assert_allclose(plain.x, core.state.x, atol=1e-9)


def test_a_race_measures_everyone_and_says_who_failed():
    class Broken(HookeCore):
        def advance(self):
            raise RuntimeError("has no fuel")

    simulation = Simulation(sheet.network(QUADS), dt=1.0 / sheet.FPS, substeps=2, iterations=3)
    reference = np.array(list(simulation.frames(FRAMES)))
    contestants = [HookeCore("same", substeps=2, iterations=3), Broken("broken"), HookeCore("other")]
    same, broken, other = race.run(contestants, QUADS, FRAMES, reference)
    assert broken["failed"] == "RuntimeError: has no fuel"
    assert_allclose(same["distances"], 0.0, atol=1e-9)
    assert other["distances"][-1] > 1e-3
    points, faces, _ = sheet.grid(QUADS)
    worst = max(sheet.stretches(x, points, sheet.edges(faces)).max() for x in reference)
    assert same["worst_stretch"] == pytest.approx(worst)
    assert len(same["milliseconds"]) == FRAMES - race.WARM_UP
    assert {len(race.cells(row)) for row in (same, broken, other)} == {len(race.HEADINGS)}

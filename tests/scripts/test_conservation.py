# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab says of energy, rest and momentum, on motions that are known; and of presets and their sheets."""

from dataclasses import replace

import numpy as np
import pytest
from energies.conservation_scenes import SCENES, Scene
from energies.traces import resting_from, trace
from lab import conservation
from lab.presets import PRESETS
from measuring.page import DOCS, kept_rows, read_block
from numpy.testing import assert_allclose
from theory.preset_materials import material
from theory.preset_sheets import apart, motion, profile

from hooke.core import SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

STANDARD = EFFORTS["STANDARD"]


def test_what_falls_freely_gains_nothing_and_keeps_its_momentum():
    # 1 kg. BDF2 of a constant acceleration is exact but for its first step, which loses g dt^2 / 2 of height.
    found = trace(Scene(lambda: SpringNetwork.grid((4, 4), 0.3)), STANDARD, 1)
    assert found.momentum < 1e-12
    assert np.abs(found.gained).max() < 0.01
    assert found.kinetic[-1] == pytest.approx(0.5 * 9.81**2, rel=1e-9)


def test_lifting_is_the_work_of_the_pins():
    # A particle on a soft spring that is lifted slowly: what it has in the end is what the pin did.
    network = SpringNetwork(
        [[0, 0, 0], [0, 0, -1]], [[0, 1]], masses=0.1, stiffness=200.0, damping=2.0, pins=[0]
    )

    def lifted(t):
        return np.array([0.0, 0.0, 0.25 * (1.0 - np.cos(np.pi * t))])

    found = trace(Scene(lambda: network, lifted), EFFORTS["CONVERGED"], 1)
    # m g L of the free particle, 1 m: lifting half a metre would be 0.5.
    assert np.abs(found.gained[-1]) < 0.02


def test_rest_is_for_good():
    kinetic = np.array([0.0, 1.0, 1e-5, 2e-4, 1e-5, 0.0])
    assert resting_from(kinetic) == 4
    assert resting_from(kinetic[:4]) is None


def test_the_page_has_rows_that_are_kept():
    # Where a heading in the page differs from what is written, all rows would be lost.
    for measured in conservation.TABLES:
        kept = kept_rows(measured.headings, read_block(measured.block, DOCS / measured.page))
        assert kept and {row[0] for row in kept} <= set(SCENES)


@pytest.mark.parametrize("name", SCENES)
def test_scenes_are_let_go_without_damping(name):
    network = SCENES[name].build()
    assert not network.damping.any()
    targets = SCENES[name].pin_targets(network)
    if targets is not None:
        assert_allclose(targets(0.0), network.points[network.hard_pins], atol=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_read_as_the_sidebar_sets_them(preset):
    made = material(preset)
    assert made.stretch > made.shear > made.bending > 0.0
    if preset == "Cotton":
        cotton = replace(Material(), bending=1.3e-5, line_bending=1e-4)
        assert vars(made) == pytest.approx(vars(cotton))


def test_a_finer_sheet_is_seen_where_the_coarse_one_has_vertices():
    coarse, fine = (motion(Material(), quads, seconds=1, every=quads // 4) for quads in (4, 8))
    assert coarse.shape == fine.shape == (24, 5, 5, 3)
    assert profile(fine).shape == (24, 5, 2)
    assert_allclose(apart(fine, fine + np.array([0.3, 0.0, -0.4])), 0.5)
    # Pinned corners are the same of both.
    assert_allclose(fine[:, 0, [0, -1]], coarse[:, 0, [0, -1]], atol=1e-12)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel ticks what is well, and says of the rest what is wrong and what to change."""

import pytest

from hooke.addon import readout
from hooke.addon.play import sessions
from hooke.addon.readout import dismissed_remarks
from hooke.core.kernels import CHOSEN

from .blowing import field
from .colliding import collider, mesh
from .scenes import add_hooke, grid, play

FRAMES = range(1, 13)
# Solved: a residual of a thousandth, and springs that give little.
WELL = {"effort": "CONVERGED", "stiffness": 2000.0}


def doubts(obj):
    """The icon of the status, and what it complains of."""
    told = readout.report(obj)
    return told.icon, [complaint.text for complaint in told.complaints]


def test_what_is_well_has_a_tick(scene):
    obj = add_hooke(grid(), **WELL)
    play(obj, FRAMES)
    assert doubts(obj) == ("CHECKMARK", [])


def test_kernels_that_are_not_compiled_are_told_of(scene, monkeypatch):
    obj = add_hooke(grid(), **WELL)
    play(obj, FRAMES)
    remark = "Hooke calculates by NumPy, in twice the time: built is empty: compile it"
    monkeypatch.setattr(CHOSEN, "remark", remark)
    assert doubts(obj) == ("INFO", [remark])
    dismissed_remarks.put(obj, dismissed_remarks.key(readout.report(obj).complaints[0]))
    assert doubts(obj) == ("CHECKMARK", [])


def session_share(obj):
    """Mean share of the stiffness that the object's simulation carries."""
    return float(sessions.find(obj).take.simulation.integrator.stiffness_share().mean())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("measure", "word"), [("SPRING", "Stiffness"), ("AREA", "Stretch")])
def test_a_stretched_sheet_is_told_of(scene, measure, word):
    obj = add_hooke(grid(), effort="CONVERGED", air_drag=0.0, stiffness=10.0, stretch_stiffness=5.0)
    obj.hooke.measure = measure
    play(obj, FRAMES)
    icon, sentences = doubts(obj)
    assert icon != "CHECKMARK"
    assert sentences[0].startswith("Stretched by ") and sentences[0].endswith(f"raise Quality, or {word}")


def test_a_sheet_that_lags_behind_its_stiffness_is_told_of(scene):
    obj = add_hooke(
        grid(), stiffness=1e7, substeps=1, iterations=1, acceleration="NONE", carried_stiffness="ALL"
    )
    play(obj, FRAMES)
    icon, sentences = doubts(obj)
    assert icon != "CHECKMARK"
    assert any("Moves slower than it should" in sentence for sentence in sentences)


def test_what_cannot_be_carried_is_not_seen_and_does_not_lag(scene):
    obj = add_hooke(grid(side=21), effort="STANDARD", stiffness=1e7)
    play(obj, FRAMES)
    share = session_share(obj)
    assert 0.0 < share < 0.9
    running = sessions.find(obj)
    # What the whole stiffness would have left of a spring's stretch is a share of that: of a sheet of 2 m, 4 mm.
    softer = running.simulation.integrator.stiffness_share()
    beyond = running.network.strains(running.simulation.state.x).clip(0.0) * (1.0 - softer)
    assert 0.0 < beyond.mean() < 0.005
    assert doubts(obj) == ("CHECKMARK", [])
    assert dict(readout.diagnostics(obj))["Effective Stiffness"] == f"{100 * share:.0f} %"


def test_all_of_the_stiffness_is_nothing_to_tell(scene):
    obj = add_hooke(grid(), **WELL)
    play(obj, FRAMES)
    assert session_share(obj) == 1.0
    assert doubts(obj) == ("CHECKMARK", [])


def test_a_free_fall_is_told_of(scene):
    obj = add_hooke(grid(pins={}), **WELL)
    play(obj, FRAMES)
    icon, sentences = doubts(obj)
    assert icon != "CHECKMARK"
    assert sentences == ["Falls freely: put what shall hold into a vertex group, and choose it as Pin Group"]


def test_springs_that_are_pressed_together_are_not_stretched(scene):
    # Both pins move to one place: the row between them is folded, and nothing is longer than it was.
    obj = add_hooke(grid(pins={0: 1.0, 4: 1.0}), **WELL)
    obj.vertex_groups["Pin"].add(range(25), 1.0, "REPLACE")
    obj.scale.x = 0.5
    obj.keyframe_insert("scale", frame=12)
    obj.scale.x = 1.0
    obj.keyframe_insert("scale", frame=1)
    play(obj, FRAMES)
    assert "strain 0.0 %" in readout.status(obj)[0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("build", "said"),
    [
        (
            lambda: collider(mesh("Wire", [(0, 0, 0), (1, 0, 0)], [])),
            "'Wire' has no faces and does not collide",
        ),
        (lambda: field("TEXTURE", 5.0), "Force field 'Field' (Texture) is not supported"),
        (lambda: field("FORCE", 5.0, use_absorption=True), "its Absorption is not supported"),
    ],
    ids=["collider", "field", "absorption"],
)
def test_what_is_in_sight_and_does_not_act_takes_the_tick_away(build, said, scene):
    cloth = add_hooke(grid(), **WELL)
    other = build()
    play(cloth, FRAMES)
    icon, sentences = doubts(cloth)
    assert icon == "INFO" and len(sentences) == 1 and said in sentences[0]
    # What is hidden is meant to be.
    other.hide_set(True)
    play(cloth, FRAMES)
    assert doubts(cloth) == ("CHECKMARK", [])

# SPDX-License-Identifier: GPL-3.0-or-later
"""What pins hold inside a collider does not collide with it, and the status says so."""

from hooke.addon import readout
from hooke.addon.play import sessions

from .colliding import block, collider
from .scenes import add_hooke, grid, play

FRAMES = range(1, 13)


def test_a_hoist_in_its_pole_does_not_collide_with_it_and_that_is_said(scene):
    obj = add_hooke(grid(side=9, pins=dict.fromkeys(range(9), 1.0)), effort="STANDARD", stiffness=2000.0)
    # Rows are 0.25 m apart: the pole reaches to 0.31 m from the pins, and a row beyond them.
    pole = collider(block("Pole", size=0.6))
    pole.scale, pole.location = (8.0, 1.0, 1.0), (0.0, -1.0, 0.0)
    free = max(strain(obj, pole, 0.0), 0.01)
    assert strain(obj, pole, 1.0) < 1.2 * free
    report = readout.report(obj)
    assert report.icon == "INFO"
    assert [each.text for each in report.complaints] == [
        "The 9 pinned vertices hold 9 beside them nearer than 30 mm to 'Pole', 9 of them inside: these do not collide "
        "with it; move them, or choose another group"
    ]


def strain(obj, pole, shown):
    """Largest stretch in the frames played, beside the pole or without it."""
    pole.hide_set(not shown)
    largest = []
    for frame in FRAMES:
        play(obj, [frame])
        largest.append(sessions.find(obj).strain)
    return max(largest)

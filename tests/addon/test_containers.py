# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that keep things inside: what begins outside of one is told, and what has no inside is refused."""

import numpy as np
import pytest

from hooke.addon import readout

from .colliding import block, collider, dropped, flat_square, tube
from .scenes import play, same_bits, status


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", ["AUTO", "SPHERE", "BOX", "DEFORMING"])
def test_what_begins_outside_a_container_is_told(shape, scene):
    # Of 81 vertices every 0.25 m, the nine about the middle are within 0.4 m of it, in the cube and in its ball.
    cloth = dropped(lambda _: collider(block(size=0.8, height=0.0), shape=shape, inside=True))
    play(cloth, range(1, 3))
    (told,) = [doubt.text for doubt in readout.report(cloth).complaints if "begin" in doubt.text]
    assert told.startswith("72 vertices begin outside 'Block', which keeps things inside, and come in slowly")


def open_pipe(cloth):
    collider(tube("Table"))


@pytest.mark.parametrize("shape", ["AUTO", "MESH", "DEFORMING"])
@pytest.mark.parametrize("build", [flat_square, open_pipe])
def test_what_is_open_keeps_nothing_inside(build, shape, scene):
    cloth = dropped(build)
    for obj in scene.objects:
        if obj.name == "Table":
            obj.hooke_collider.shape, obj.hooke_collider.inside = shape, True
    shown = play(cloth, range(1, 7))
    assert np.isfinite(np.array(list(shown.values()))).all()
    assert status(cloth).startswith("'Table' cannot collide as it is set: it is open and has no inside")
    assert same_bits(shown[6], shown[1])

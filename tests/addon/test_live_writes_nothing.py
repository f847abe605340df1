# SPDX-License-Identifier: GPL-3.0-or-later
"""Live simulation writes an attribute of its own and nothing else: not the base mesh, not the user's keys."""

import bpy
import numpy as np
import pytest

from .keyed_meshes import KEYED_MESHES
from .scenes import activate, add_hooke, play
from .snapshots import differences, snapshot

FRAMES = range(1, 8)
LOOKED_AT = (1, 2, 7)
OWN_ATTRIBUTE = "hooke_position"


@pytest.fixture(params=KEYED_MESHES, ids=lambda build: build.__name__)
def obj(request, scene):
    """Each of the meshes, not yet simulated."""
    return request.param()


def without_own_attribute(state):
    """The snapshot without what the simulation may write, in which the order of attributes stays."""
    mesh = dict(state["mesh"])
    mesh["attributes"] = [item for item in mesh["attributes"] if item["name"] != OWN_ATTRIBUTE]
    return {**state, "mesh": mesh}


@pytest.mark.sampled(3)
def test_base_mesh_and_user_keys_stay_as_they_are_at_every_frame(obj, scene):
    untouched = {}
    for frame in LOOKED_AT:
        scene.frame_set(frame)
        untouched[frame] = snapshot(obj)
    add_hooke(obj, substeps=1)
    scene.frame_set(1)
    with_hooke = snapshot(obj)
    for frame in FRAMES:
        scene.frame_set(frame)
        if frame not in LOOKED_AT:
            continue
        now = without_own_attribute(snapshot(obj))
        # Adding Hooke added a modifier, a node group and settings; the rest is as it was without Hooke.
        for part in ("mesh", "weights", "normals", "keys", "actions", "animation"):
            assert differences(untouched[frame][part], now[part]) == []
        assert now["hooke"] == with_hooke["hooke"]
        assert now["counts"] == with_hooke["counts"]
    scene.frame_set(1)
    assert differences(with_hooke, snapshot(obj)) == []


@pytest.mark.sampled(3)
def test_the_simulation_moves_what_is_shown(obj, scene):
    shown = play(add_hooke(obj, substeps=1), FRAMES)
    assert np.abs(shown[7] - shown[1]).max() > 0.05


@pytest.mark.sampled(4)
@pytest.mark.combined
@pytest.mark.parametrize("played", [0, 7])
def test_removing_hooke_leaves_nothing(played, obj, scene):
    scene.frame_set(7)
    before = snapshot(obj)
    settings = before.pop("hooke")
    # Which pin group was found stays, for whoever adds Hooke again.
    settings.pop("pin_group")
    add_hooke(obj)
    play(obj, range(1, played + 1))
    scene.frame_set(7)
    activate(obj)
    assert bpy.ops.hooke.remove() == {"FINISHED"}
    after = snapshot(obj)
    kept = after.pop("hooke")
    assert kept.pop("pin_group") == "Pin"
    # The range was taken from the scene, and stays as well.
    assert differences({**settings, "frame_end": scene.frame_end}, kept) == []
    assert differences(before, after) == []

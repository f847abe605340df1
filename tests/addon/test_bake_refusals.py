# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be baked as it looks live is refused in one sentence, and everything stays as it was."""

import bpy
import numpy as np
import pytest

from hooke.addon import bakes, readout
from hooke.addon.bakes import MODES
from hooke.addon.play import sessions
from hooke.addon.readout import before_flight

from .full_disk import files_up_to
from .scenes import activate, add_hooke, grid, link, play, same_bits, status
from .snapshots import differences, snapshot

FRAMES = range(1, 13)


@pytest.fixture(params=MODES)
def mode(request):
    """Each way to bake."""
    return request.param


@pytest.mark.combined
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("frame", [0, 4, 11])
def test_frames_that_are_not_finite(bad, frame, mode, scene, tmp_path):
    obj = add_hooke(grid())
    frames = list(play(obj, FRAMES).values())
    scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    before = snapshot(obj)
    frames[frame][7, 1] = bad
    with pytest.raises(ValueError, match=f"frame {frame + 1} of 'Cloth' .*: press Reset and simulate again"):
        bakes.make(obj, mode, frames, 1, bakes.Options(step=5))
    assert differences(before, snapshot(obj)) == []
    assert not obj.hooke.bake.exists
    assert [path.name for path in tmp_path.rglob("*.pc2*") if "cache" not in path.parts] == []


def test_frames_of_another_mesh(mode, scene):
    obj = add_hooke(grid())
    frames = [np.zeros((24, 3), np.float32)] * 12
    with pytest.raises(ValueError, match="frame 1 of 'Cloth' holds 24 vertices and the mesh 25"):
        bakes.make(obj, mode, frames, 1)
    assert not obj.hooke.bake.exists


def test_a_full_disk_loses_neither_frames_nor_file(scene, tmp_path):
    obj = add_hooke(grid())
    live = play(obj, FRAMES)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    scene.frame_set(1)
    before = snapshot(obj)
    files = sorted(tmp_path.rglob("*"))
    with (
        files_up_to(1000),
        pytest.raises(RuntimeError, match=r"the cache of 'Cloth' cannot be written .*\(File too large\)"),
    ):
        bpy.ops.hooke.bake(mode="MESH_CACHE")
    assert differences(before, snapshot(obj)) == []
    assert sorted(tmp_path.rglob("*")) == files
    assert len(sessions.find(obj).frames) == 12
    assert all(
        same_bits(frame, live[number]) for number, frame in enumerate(sessions.find(obj).frames, start=1)
    )


@pytest.mark.sampled(2)
def test_two_modifiers_of_hooke(mode, scene):
    obj = add_hooke(grid())
    live = play(obj, FRAMES)
    scene.frame_set(1)
    bpy.ops.object.modifier_copy(modifier="Hooke")
    second = obj.modifiers[1].name
    sentence = f"'Cloth' has Hooke's modifier 2 times ('Hooke', '{second}')"
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.hooke.bake(mode=mode)
    assert sentence in str(refused.value) and "remove all but one" in str(refused.value)
    bpy.ops.hooke.reset()
    play(obj, FRAMES)
    assert sentence in status(obj)
    obj.modifiers.remove(obj.modifiers[second])
    assert same_bits(play(obj, FRAMES), live)


def overridden(library):
    """A library override of an object with Hooke in a file."""
    obj = add_hooke(grid(name="There"))
    bpy.data.libraries.write(library, {obj})
    bpy.data.objects.remove(obj)
    with bpy.data.libraries.load(library, link=True) as (_, data):
        data.objects = ["There"]
    return link(data.objects[0]).override_create(remap_local_usages=True)


@pytest.mark.sampled(2)
def test_a_library_override_with_a_mesh_of_its_own(mode, scene, tmp_path):
    override = overridden(str(tmp_path / "library.blend"))
    override.data = override.data.copy()
    activate(override)
    with pytest.raises(RuntimeError, match=r"'There' is a library override, .* make it local first"):
        bpy.ops.hooke.bake(mode=mode)
    assert not override.hooke.bake.exists and override.modifiers["Hooke"].show_viewport
    bpy.ops.hooke.pre_flight()
    (found,) = [each for each in before_flight.told(override) if "library override" in each.complaint.text]
    assert (found.remedy, found.label) == ("LOCAL", "Make Local")
    live = play(override, FRAMES)
    assert bpy.ops.hooke.mend(remedy="LOCAL") == {"FINISHED"}
    assert not before_flight.told(override)
    scene.frame_set(1)
    assert bpy.ops.hooke.bake(mode=mode) == {"FINISHED"}
    np.testing.assert_allclose(play(override, FRAMES)[FRAMES[-1]], live[FRAMES[-1]], atol=2e-3)


def test_a_library_override_of_a_linked_mesh_is_made_local_and_baked_with_two_clicks(scene, tmp_path):
    override = overridden(str(tmp_path / "library.blend"))
    activate(override)
    play(override, FRAMES)
    report = readout.report(override)
    assert "is linked from" in report.complaints[0].text and report.complaints[0].remedies[0] == "LOCAL"
    assert bpy.ops.hooke.mend(remedy="LOCAL") == {"FINISHED"}
    assert override.library is override.data.library is override.override_library is None
    live = play(override, FRAMES)
    assert readout.report(override).icon == "CHECKMARK"
    assert bpy.ops.hooke.bake(mode="MESH_CACHE") == {"FINISHED"}
    assert same_bits(play(override, FRAMES), live)


def attributes(obj):
    """Names of what Hooke stores on the mesh."""
    return [attribute.name for attribute in obj.data.attributes if attribute.name.startswith("hooke")]


@pytest.mark.combined
@pytest.mark.parametrize("how", ["apply", "convert"])
@pytest.mark.parametrize("after", ["remove", "update", "save"])
@pytest.mark.parametrize("frame", [1, 5])
def test_applying_leaves_nothing_of_hooke_on_the_mesh(frame, after, how, scene, tmp_path):
    obj = add_hooke(grid())
    shown = play(obj, FRAMES)
    scene.frame_set(frame)
    if how == "apply":
        bpy.ops.object.modifier_apply(modifier="Hooke")
    else:
        bpy.ops.object.convert(target="MESH")
    points = np.array([vertex.co for vertex in obj.data.vertices], dtype=np.float32)
    assert same_bits(points, shown[frame])
    if after == "remove":
        assert bpy.ops.hooke.remove() == {"FINISHED"}
    elif after == "update":
        bpy.context.view_layer.update()
    else:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "applied.blend"))
    assert attributes(obj) == []
    assert "gone" in status(obj) or after != "update"

# SPDX-License-Identifier: GPL-3.0-or-later
"""What is inside closed meshes: pressure and volume act, are told, and are the same on every way to a frame."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions
from hooke.addon.sections import SECTIONS

from .scenes import activate, add_hooke, bake, clear_bake, mesh_object, play, same_bits, status
from .script import run

FRAMES = range(1, 11)


def ball(**settings):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.25, location=(0.0, 0.0, 0.6))
    return add_hooke(bpy.context.object, **settings)


def volume(obj):
    return sessions.find(obj).simulation.network.enclosure_operators.volumes(
        np.ascontiguousarray(sessions.find(obj).simulation.state.x.T)
    )[0]


@pytest.fixture
def balloon(scene):
    """Above a floor that it meets within the frames."""
    obj = ball(pressure=500.0, gravity_weight=4.0)
    bpy.ops.hooke.add_floor()
    activate(obj)
    return obj


def test_it_is_blown_up_and_tells_its_volume(balloon):
    play(balloon, FRAMES)
    network = sessions.find(balloon).simulation.network
    rest = network.enclosure_operators.volumes(np.ascontiguousarray(network.points.T))[0]
    assert "stopped" not in status(balloon)
    assert f" · {1e3 * volume(balloon):.3g} L" in status(balloon)
    assert dict(readout.diagnostics(balloon))["Pressure"] == "500 Pa"
    assert volume(balloon) > 1.003 * rest


@pytest.mark.newest
def test_it_is_the_same_scrubbed_simulated_again_and_baked(balloon):
    live = play(balloon, FRAMES)
    assert same_bits(play(balloon, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    assert same_bits(play(balloon, FRAMES), live)
    balloon.hooke.frame_end = FRAMES[-1]
    bake(balloon, "MESH_CACHE")
    assert same_bits(play(balloon, FRAMES), live)
    clear_bake(balloon)


@pytest.mark.newest
def test_it_goes_on_in_another_session_to_the_same_bits(balloon, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "ball.blend"))
    name = balloon.name
    live = play(balloon, FRAMES)
    bpy.ops.hooke.reset()
    play(balloon, FRAMES[:6])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "ball.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "ball.blend"))
    assert same_bits(play(bpy.data.objects[name], FRAMES), live)


@pytest.mark.newest
def test_a_changed_pressure_makes_frames_stale(balloon):
    before = play(balloon, FRAMES)
    balloon.hooke.pressure = 2000.0
    after = play(balloon, FRAMES)
    size = [np.ptp(frames[FRAMES[-1]], axis=0).max() for frames in (before, after)]
    assert size[1] > 1.01 * size[0]


def test_the_volume_is_kept_on_a_floor(scene):
    obj = ball(keep_volume=True, gravity_weight=4.0)
    bpy.ops.hooke.add_floor()
    play(obj, range(1, 20))
    assert dict(readout.diagnostics(obj))["Volume"].endswith("%)")
    assert float(dict(readout.diagnostics(obj))["Volume"].split("(")[1].split(" ")[0]) == pytest.approx(
        100, abs=2
    )


def test_an_open_mesh_is_told(scene):
    bpy.ops.mesh.primitive_cube_add()
    faces = [list(face.vertices) for face in bpy.context.object.data.polygons][1:]
    points = [vertex.co for vertex in bpy.context.object.data.vertices]
    obj = add_hooke(mesh_object(points, faces=faces), pressure=10.0)
    play(obj, range(1, 4))
    assert "needs closed faces, but the surface is open: fill the holes" in status(obj)


def test_inside_out_and_open_pieces_are_told(scene):
    obj = ball(pressure=10.0)
    obj.data.flip_normals()
    play(obj, range(1, 4))
    told = [complaint.text for complaint in readout.report(obj).complaints]
    assert any("Faces point inwards" in text for text in told)
    points = [vertex.co for vertex in obj.data.vertices]
    faces = [list(face.vertices) for face in obj.data.polygons]
    count = len(points)
    points += [(2, 0, 0), (3, 0, 0), (2, 1, 0)]
    other = add_hooke(mesh_object(points, faces=[*faces, [count, count + 1, count + 2]]), pressure=10.0)
    play(other, range(1, 4))
    told = [complaint.text for complaint in readout.report(other).complaints]
    assert any("1 piece is open" in text for text in told)


def test_what_leaves_it_out_says_so(scene):
    obj = ball(pressure=10.0, integrator="POSITION_BASED")
    play(obj, range(1, 4))
    told = [complaint.text for complaint in readout.report(obj).complaints]
    assert any(text.startswith("Bending and Pressure do not act with") for text in told)


def test_what_is_filled_has_nothing_else_inside(scene):
    obj = ball(pressure=1000.0, fill_stiffness=100.0)
    play(obj, range(1, 4))
    section = next(each for each in SECTIONS if each.id == "pressure")
    assert not section.counts(obj) and "stopped" not in status(obj)


def test_the_command_line_sets_it(balloon, tmp_path):
    file, out = tmp_path / "ball.blend", tmp_path / "out.blend"
    name = balloon.name
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    options = ("--pressure", "1500", "--keep-volume", "--volume-share", "1.1", "--bulk-modulus", "50")
    done = run(file, "--object", name, "--frames", "1-4", "--output", out, *options)
    assert done.returncode == 0, done.stderr
    settings = bpy.data.objects[name].hooke
    assert (settings.pressure, settings.keep_volume) == (1500.0, True)
    assert settings.volume_share == pytest.approx(1.1) and settings.bulk_modulus == 50.0

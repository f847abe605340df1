# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed zip in the real application: enabled, simulating, baking, and gone when disabled."""

import json

import pytest


@pytest.fixture(scope="session")
def driven(application):
    """What drive_simulation.py saw: a cloth added, played, baked and cleared."""
    return application.drive("drive_simulation.py")


@pytest.fixture(scope="session")
def flag(application, tmp_path_factory):
    """A file with an object Flag, that the application saved."""
    path = tmp_path_factory.mktemp("flag") / "flag.blend"
    application.drive("drive_flag.py", path)
    return path


def test_the_extension_is_enabled_with_its_libraries(driven):
    assert driven["enabled"]
    # From the zip's wheels: whatever the system has lies elsewhere.
    assert ".local/lib" in driven["scipy_file"].replace("\\", "/")
    assert ".local/lib" in driven["cholespy_file"].replace("\\", "/")


def test_cloth_falls_and_pins_hold(driven):
    # From rest, no vertex sinks further than in free fall: g t^2 / 2, times 1 + 1/n for the n steps taken.
    fallen = 9.81 * driven["seconds"] ** 2 / 2
    assert driven["pin_drift"] == 0.0
    assert 0.0 < driven["lowest_drop"] <= fallen * (1 + 1 / driven["steps"])


def test_the_base_mesh_is_never_written(driven):
    assert driven["base_mesh_unchanged"] and driven["base_mesh_unchanged_after_clear"]


# Blender mixes keys in float32 as basis + (key - basis): the last place of a coordinate below 1 m.
@pytest.mark.parametrize(
    ("mode", "limit"), [("SHAPE_KEYS", 2.0**-24), ("PRINCIPAL_SHAPES", 1e-3), ("MESH_CACHE", 0.0)]
)
def test_baked_frames_are_the_live_frames(mode, limit, driven):
    baked = driven["bakes"][mode]
    assert baked["difference"] <= limit
    keys = {"SHAPE_KEYS": driven["frame_count"], "MESH_CACHE": 0}
    assert baked["keys"] == keys.get(mode, baked["keys"])
    assert mode != "PRINCIPAL_SHAPES" or 0 < baked["keys"] < driven["frame_count"]


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"])
def test_clear_bake_restores_what_was_there(mode, driven):
    baked = driven["bakes"][mode]
    assert (baked["keys_after_clear"], baked["difference_after_clear"]) == (0, 0.0)


LABELS = {"GLTF": "glTF", "ALEMBIC": "Alembic", "USD": "USD"}


@pytest.mark.parametrize("form", LABELS)
def test_a_bake_is_exported(form, driven):
    exported = driven["bakes"]["PRINCIPAL_SHAPES"][form]
    # Distributions may build Blender without some exporters, which has to be said.
    assert (
        exported > 0
        if isinstance(exported, int)
        else f"this Blender has no exporter to {LABELS[form]}" in exported
    )


def test_disabling_leaves_nothing_behind(application):
    seen = application.drive("drive_disable.py")
    assert seen["while_enabled"]["handlers"] > 0 and seen["while_enabled"]["settings"]
    nothing = {"handlers": 0, "settings": False, "classes": [], "operators": []}
    assert seen["after_first_disable"] == nothing
    assert seen["while_enabled_again"] == seen["while_enabled"]
    assert seen["after_second_disable"] == nothing


def test_the_command_line_bakes(application, flag, tmp_path):
    output, report = tmp_path / "baked.blend", tmp_path / "report.json"
    words = ["--object", "Flag", "--pin-group", "hold", "--frames", "1-12"]
    printed = application.run(
        "-b", flag, "--command", "hooke", "bake", *words, "--output", output, "--report", report
    )
    # Libraries report what outlives the interpreter.
    assert "leaked" not in printed
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert figures["frames"] == 12 and output.stat().st_size > 0


@pytest.mark.newest
def test_the_command_line_refuses_an_unknown_object(application, flag):
    printed = application.run("-b", flag, "--command", "hooke", "bake", "--object", "Sail", status=2)
    assert "'Sail'" in printed and "'Flag'" in printed


@pytest.mark.newest
def test_the_command_is_gone_when_disabled(application):
    application.drive("drive_preference.py", "disable")
    try:
        assert "hooke" not in application.run("--command", "help").split()
    finally:
        application.drive("drive_preference.py", "enable")
    assert "hooke" in application.run("--command", "help").split()


@pytest.mark.newest
def test_with_a_deforming_collider_every_way_shows_the_same(application, tmp_path):
    file = tmp_path / "flag.blend"
    assert application.drive("drive_colliders.py", "FIRST", file) == {"played": 6}
    seen = application.drive("drive_colliders.py", "LAST", file)
    assert (seen["resumed"], seen["scrubbed"], seen["baked"]) == (True, True, True)
    assert seen["lifted"] > 0.05

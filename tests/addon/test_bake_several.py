# SPDX-License-Identifier: GPL-3.0-or-later
"""Several objects in one bake from the command line: one pass, one save, one report."""

import json
import re

import bpy
import pytest

from hooke.addon import cli

from .refusals import refused
from .scenes import add_hooke, baked_keys, grid, key_positions, same_bits, swing
from .script import ROOT, opened

NAMES = ("Flag", "Curtain", "Net")
FIELDS = ROOT / "docs" / "report.md"


@pytest.fixture
def project(scene, folder):
    """A saved file with three simulated sheets, one of which ends earlier and begins later, and one that is not."""
    for side, name in zip((4, 5, 6), NAMES, strict=True):
        obj = add_hooke(grid(side, name))
        swing(obj, distance=0.1 * side)
        obj.location.y = 5.0 * side
    obj.hooke.frame_start, obj.hooke.frame_end = 3, 9
    grid(3, "Plain")
    path = folder / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def run(*words):
    return cli.main(["bake", *map(str, words)])


def shapes(path, name):
    """Frame names and positions of an object's bake in a file."""
    return {key.name: key_positions(key) for key in baked_keys(opened(path, name))}


def named(names):
    return [word for name in names for word in ("--object", name)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", [named(NAMES), ["--all"]], ids=["named", "all"])
def test_one_command_bakes_what_three_do(words, project, folder):
    together, apart = folder / "together.blend", folder / "apart.blend"
    report = folder / "report.json"
    assert run(project, *words, "--output", together, "--report", report) == 0
    file, alone = project, {}
    for name in NAMES:
        assert run(file, "--object", name, "--output", apart, "--report", folder / f"{name}.json") == 0
        file, alone[name] = apart, json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    for name in NAMES:
        assert same_bits(shapes(together, name), shapes(apart, name))
    told = json.loads(report.read_text(encoding="utf-8"))
    assert {each["object"]: each["frames_checksum"] for each in told["objects"]} == {
        name: each["frames_checksum"] for name, each in alone.items()
    }
    assert {each["object"]: each["frames"] for each in told["objects"]} == {
        "Flag": 12,
        "Curtain": 12,
        "Net": 7,
    }


def test_each_has_a_cache_file_of_its_own(project, folder):
    output = folder / "out.blend"
    assert run(project, "--all", "--mode", "MESH_CACHE", "--output", output) == 0
    assert sorted(path.name for path in (folder / "out_hooke").glob("*.pc2")) == [
        f"{name}.pc2" for name in sorted(NAMES)
    ]
    # Another bake into the same file takes the place of these.
    assert run(project, "--all", "--mode", "MESH_CACHE", "--frames", "1-5", "--output", output) == 0
    assert len(list((folder / "out_hooke").glob("*.pc2"))) == len(NAMES)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--object", "Flag", "--object", "Flag"], "named twice"),
        (["--object", "Flag", "--object", "No"], "no object 'No'"),
        (["--object", "Flag", "--all"], "not allowed with"),
        (["--all", "--mode", "MESH_CACHE", "--cache-file", "one.pc2"], "cannot share one --cache-file"),
        ([*named(NAMES), "--pin-group", "Hem"], "no vertex group 'Hem'"),
    ],
)
def test_none_is_baked_where_one_cannot_be(words, reason, project, folder, capfd):
    words = [folder / word if word.endswith(".pc2") else word for word in words]
    assert reason in refused(folder, capfd, project, *words)


def test_a_scene_without_simulations(scene, folder, capfd):
    path = folder / "empty.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert "simulates nothing" in refused(folder, capfd, path, "--all")


def fields(told, within=""):
    """Names of the fields of a report, those of dicts with the name of what they are in."""
    found = set()
    for name, value in told.items():
        inner = value if isinstance(value, dict) else {}
        found |= fields(inner, f"{within}{name}.") if inner else {f"{within}{name}"}
        for each in value if isinstance(value, list) else ():
            found |= fields(each)
    return found


def test_the_table_of_fields_is_whole(project, folder):
    one, several = folder / "one.json", folder / "several.json"
    assert run(project, "--object", "Flag", "--output", folder / "a.blend", "--report", one) == 0
    assert run(project, *named(NAMES[:2]), "--output", folder / "b.blend", "--report", several) == 0
    found = [fields(json.loads(path.read_text(encoding="utf-8"))) for path in (one, several)]
    lines = [line for line in FIELDS.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    documented = [name for line in lines for name in re.findall(r"`([\w.]+)`", line.split("|")[1])]
    assert len(documented) == len(set(documented))
    assert found[1] == set(documented)
    assert found[0] == set(documented) - {"objects"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's bake modes: what they write, print and report."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from .scenes import add_hooke, baked_keys, clear_bake, play, same_bits
from .script import opened, run

FRAMES = range(1, 13)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["in place", "elsewhere"])
def test_a_bake_to_a_mesh_cache(elsewhere, file, folder):
    (folder / "results").mkdir()
    output = folder / "results" / "out.blend" if elsewhere else file
    report = folder / "report.json"
    result = run(
        file,
        "--object",
        "Cloth",
        "--mode",
        "MESH_CACHE",
        "--output",
        output,
        "--report",
        report,
        "--frames",
        "1-12",
    )
    assert (result.returncode, result.stderr) == (0, "")
    figures = json.loads(report.read_text(encoding="utf-8"))
    cache = output.parent / f"{output.stem}_hooke" / "Cloth.pc2"
    assert (figures["mode"], figures["shapes"], figures["largest_error"]) == ("MESH_CACHE", 0, 0.0)
    assert figures["cache_file"] == str(cache) and cache.is_file()
    assert f"hooke: 'Cloth' to {cache}" in result.stdout.splitlines()
    live = play(add_hooke(opened(file)), FRAMES) if elsewhere else None
    obj = opened(output)
    (path,) = (modifier.filepath for modifier in obj.modifiers if modifier.type == "MESH_CACHE")
    assert path.startswith("//") and Path(bpy.path.abspath(path)) == cache
    shown = play(obj, FRAMES)
    if not elsewhere:
        clear_bake(obj)
        live = play(obj, FRAMES)
    assert same_bits(shown, live)


def test_another_bake_leaves_one_cache_file(file, folder):
    for stiffness in (100, 1000, 100):
        arguments = ("--mode", "MESH_CACHE", "--stiffness", stiffness, "--frames", "1-3")
        assert run(file, "--object", "Cloth", *arguments).returncode == 0
        sidecar, path = sorted((folder / "cloth_hooke").iterdir())
        assert sidecar == path.with_suffix(".jsonl")
        (modifier,) = (m for m in opened(file).modifiers if m.type == "MESH_CACHE")
        assert Path(bpy.path.abspath(modifier.filepath)) == path


def test_a_cache_file_of_its_own(file, folder):
    named = folder / "named.pc2"
    arguments = ("--object", "Cloth", "--frames", "1-3", "--mode", "MESH_CACHE", "--cache-file", named)
    for _ in range(2):
        result = run(file, *arguments)
        assert (result.returncode, result.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == ["cloth.blend", "named.pc2"]


def test_a_bake_to_principal_shapes(file, folder):
    report = folder / "report.json"
    arguments = ("--mode", "PRINCIPAL_SHAPES", "--tolerance", "0.004", "--frames", "1-12", "--report", report)
    result = run(file, "--object", "Cloth", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert figures["mode"] == "PRINCIPAL_SHAPES" and 0.0 < figures["largest_error"] <= 0.004
    obj = opened(file)
    assert figures["shapes"] == len(baked_keys(obj)) < 12
    said = f"hooke: 'Cloth' to {figures['shapes']} shape keys, largest error {1e3 * figures['largest_error']:.3g} mm"
    assert said in result.stdout.splitlines()
    shown = play(obj, FRAMES)
    clear_bake(obj)
    live = play(obj, FRAMES)
    error = max(np.linalg.norm(shown[frame].astype(float) - live[frame], axis=1).max() for frame in FRAMES)
    assert error == pytest.approx(figures["largest_error"], abs=1e-6)


def test_every_fifth_frame(file):
    assert run(file, "--object", "Cloth", "--frames", "1-12", "--step", "5").returncode == 0
    obj = opened(file)
    assert [key.name for key in baked_keys(obj)] == [f"Hooke {frame:04d}" for frame in (1, 6, 11, 12)]
    assert obj.hooke.bake_step == 5

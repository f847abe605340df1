# SPDX-License-Identifier: GPL-3.0-or-later
"""A small wedge from its command line to its folders, tables, pictures, and back into the artist's file."""

import csv
import hashlib
import json
import os
import shutil
import subprocess

import pytest
from conftest import ROOT, command, run, told
from folders import done, made_at, positions, table
from PIL import Image
from waiting import HANGS

# Symplectic Euler is stable for 100 N/m and not for 1e7 N/m at its 5 substeps.
WEDGE = ("--wedge", "stiffness=100,1e7", "--wedge", "damping=0:0.02:2")
COMMON = (
    "--frames=1-8",
    "--mode=MESH_CACHE",
    "--pin-group=Pin",
    "--integrator=SYMPLECTIC_EULER",
    "--substeps=5",
)


@pytest.fixture(scope="module")
def baked(cloth, tmp_path_factory):
    """A finished farm and its folder, two of whose four variants diverge."""
    output = tmp_path_factory.mktemp("farm") / "wedge"
    words = (cloth, "--object", "Cloth", *COMMON, *WEDGE, "--output", output, "--workers", 2)
    return run(*words, "--pictures", 2, "--size", "32x24", "--each"), output, words


def test_what_diverges_is_reported_and_the_others_go_on(baked):
    result, output, _ = baked
    assert result.returncode == 1
    assert done(output) == {1, 2}
    assert "2 of 4 variants are done, 2 unusable" in result.stderr.splitlines()[-1]
    sentences = [row["errors"]["sentence"] for row in table(output) if row["number"] in (3, 4)]
    assert all("diverged" in sentence for sentence in sentences)


def test_progress_is_told_with_the_time_left(baked):
    result, _, _ = baked
    assert "2 of 4 done · 2 failed · 0:00:00 left" in result.stderr
    assert "1_stiffness=100_damping=0: 100 %" in result.stderr


def test_the_bits_are_those_of_a_single_bake(baked, blender, cloth, tmp_path):
    _, output, _ = baked
    words = ["--stiffness=100", "--damping=0.02", "--output", tmp_path / "cloth.blend"]
    script = ROOT / "scripts" / "bake.py"
    subprocess.run(
        [*blender, script, cloth, "--object", "Cloth", *COMMON, *words],
        env={**os.environ, "HOOKE_CACHE": str(tmp_path / "cache")},
        check=True,
        timeout=HANGS,
    )
    single = (tmp_path / "cloth_hooke" / "Cloth.pc2").read_bytes()
    assert positions(output)[2] == hashlib.sha256(single).hexdigest()


def test_the_tables_say_the_same_of_every_variant(baked):
    _, output, _ = baked
    rows = table(output)
    assert [row["settings"] for row in rows] == [
        {"stiffness": stiffness, "damping": damping}
        for stiffness in ("100", "1e7")
        for damping in ("0", "0.02")
    ]
    for row in rows[:2]:
        report = json.loads((output / row["folder"] / "report.json").read_text(encoding="utf-8"))
        assert row["strains"]["largest"] == report["largest_strain"] > 0.0
        assert row["energies"] == report["energies"]
        assert row["energies"]["total"] == pytest.approx(
            sum(row["energies"][kind] for kind in ("kinetic", "potential"))
        )
        assert row["times"]["bake"] > 0.0 and row["frames"] == 8 and row["attempts"] == 1
        assert (output / row["folder"] / report["output"]).is_file()
        assert (output / row["folder"] / report["cache_file"]).is_file()
    with open(output / "table.csv", encoding="utf-8", newline="") as file:
        flat = list(csv.DictReader(file))
    assert [(row["stiffness"], row["status"]) for row in flat] == [
        ("100", "done"),
        ("100", "done"),
        ("1e7", "unusable"),
        ("1e7", "unusable"),
    ]
    assert [float(row["strains.largest"]) for row in flat[:2]] == [
        row["strains"]["largest"] for row in rows[:2]
    ]


def test_the_contact_sheet_has_every_variants_frames(baked):
    _, output, _ = baked
    with Image.open(output / "contact_sheet.png") as sheet:
        # Two variants side by side, of two frames of at most 32 by 24 pixels each.
        assert sheet.width > 2 * 2 * 24 and sheet.height > 2 * 24
    for row in table(output)[:2]:
        with Image.open(output / row["folder"] / "picture.png") as picture:
            # The cloth stands out from what is behind it, and moves from one frame to the next.
            half = picture.width // 2
            first, second = (
                picture.crop((left, 0, left + half, picture.height)).convert("L")
                for left in (0, picture.width - half)
            )
            assert first.getextrema()[1] - first.getextrema()[0] > 30
            assert first.tobytes() != second.tobytes()


def test_started_again_nothing_is_made_twice(baked):
    _, output, words = baked
    before = made_at(output)
    pictures = ("--pictures", 2, "--size", "32x24")
    again = told(*words, *pictures)
    assert again.returncode == 1
    # Neither what is done nor what would diverge again.
    assert made_at(output) == before
    assert "2 of 4 variants are done, 2 unusable" in again.stderr.splitlines()[-1]
    # Of one whose folder is removed the farm knows nothing.
    shutil.rmtree(output / table(output)[3]["folder"])
    assert run(*words, *pictures).returncode == 1
    after = made_at(output)
    assert {number: after[number] for number in (1, 2, 3)} == {number: before[number] for number in (1, 2, 3)}
    assert after[4] > before[4]


def test_a_baked_file_plays_and_clears_where_it_was_put(baked, blender, tmp_path):
    _, output, _ = baked
    moved = tmp_path / "elsewhere"
    shutil.copytree(output / table(output)[0]["folder"], moved)
    script = tmp_path / "look.py"
    script.write_text(
        LOOK.format(scripts=str(ROOT / "scripts"), blend=str(moved / "cloth.blend")), encoding="utf-8"
    )
    said = subprocess.run(
        [*blender, script], capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS
    )
    assert "path //cloth_hooke" in said.stdout and "moves True" in said.stdout, said
    assert "cleared True" in said.stdout


LOOK = """
import os, sys
sys.path.insert(0, {scripts!r})
import bpy
bpy.ops.wm.open_mainfile(filepath={blend!r})
cloth = bpy.data.objects["Cloth"]
player = next(modifier for modifier in cloth.modifiers if modifier.type == "MESH_CACHE")
print("path", player.filepath.replace(os.sep, "/"))
heights = []
for frame in (1, 8):
    bpy.context.scene.frame_set(frame)
    mesh = cloth.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    heights.append(min(vertex.co.z for vertex in mesh.vertices))
print("moves", heights[1] < heights[0] - 0.01)
import bake
bake.hooke_package()
bpy.context.view_layer.objects.active = cloth
bpy.ops.hooke.clear_bake()
print("cleared", not any(modifier.type == "MESH_CACHE" for modifier in cloth.modifiers))
sys.stdout.flush()
os._exit(0)
"""


def test_the_chosen_settings_go_into_the_artists_file(baked, blender, cloth, tmp_path):
    _, output, _ = baked
    artists = tmp_path / "artists.blend"
    shutil.copy(cloth, artists)
    applied = subprocess.run(
        command("apply", output, 2, "--file", artists),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert applied.returncode == 0, applied.stderr
    report = tmp_path / "report.json"
    words = [artists, "--object", "Cloth", "--output", tmp_path / "own.blend", "--report", report]
    subprocess.run([*blender, ROOT / "scripts" / "bake.py", *words], check=True, timeout=HANGS)
    # Baked with what the file says alone, it is the variant.
    single = (tmp_path / "own_hooke" / "Cloth.pc2").read_bytes()
    assert positions(output)[2] == hashlib.sha256(single).hexdigest()


@pytest.mark.nightly
def test_variants_that_move_alike_since_neither_stiffness_is_carried_are_named(cloth, tmp_path):
    output = tmp_path / "wedge"
    words = (
        cloth,
        "--object=Cloth",
        "--frames=1-4",
        "--mode=MESH_CACHE",
        "--pin-group=Pin",
        "--effort=DRAFT",
    )
    result = run(*words, "--wedge", "stiffness=100,1e8,1e9", "--output", output, "--workers", 2)
    assert result.returncode == 0
    bits = positions(output)
    assert bits[2] == bits[3] != bits[1]
    rows = table(output)
    assert [row["same_as"] for row in rows] == [None, None, 2]
    assert rows[0]["stiffness_share"] > 0.99 > rows[1]["stiffness_share"] > rows[2]["stiffness_share"] > 0.0
    assert "farm: 3 moves as 2 does, bit for bit: " in result.stderr
    with open(output / "table.csv", encoding="utf-8", newline="") as file:
        assert [row["same_as"] for row in csv.DictReader(file)] == ["", "", "2"]

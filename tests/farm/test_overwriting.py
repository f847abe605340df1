# SPDX-License-Identifier: GPL-3.0-or-later
"""A farm replaces nothing but its own results, and what is baked is none of them."""

import hashlib
import json
import os
import stat

import pytest
from conftest import told
from farming import contact_sheet, output_folder, publishing, wedge
from PIL import Image

from hooke.core import output_files


def state(folder):
    """What every entry of a folder is: its kind, where a link leads, and a file's checksum."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = os.lstat(path).st_mode
        content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(mode) else ""
        found[path] = stat.S_IFMT(mode), os.readlink(path) if path.is_symlink() else "", content
    return found


def refused(folder, *words):
    """Run a farm that must end with status 2 and one line, which is returned, and change nothing in a folder."""
    before = state(folder)
    result = told(*words)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr
    assert state(folder) == before
    return result.stderr


def opened(cloth, output):
    """A folder that a farm of the cloth has begun, without a variant."""
    identity = {"files": [str(cloth)], "objects": ["Cloth"], "axes": [], "common": []}
    with output_folder.opened(output, identity):
        pass
    return output


BARRED = {
    "text": lambda path: path.write_text("years of work", encoding="utf-8"),
    "link": lambda path: path.symlink_to(path.with_name("elsewhere")),
    "folder": lambda path: path.mkdir(),
    "FIFO": lambda path: os.mkfifo(path),
    "JSON": lambda path: path.write_text("[1, 2]", encoding="utf-8"),
    "CSV": lambda path: path.write_text("name,grade\n", encoding="utf-8"),
}


@pytest.mark.parametrize("barred", BARRED)
@pytest.mark.parametrize(
    "name", ["table.csv", "table.json", "contact_sheet.png", ".farm/wedge.json", ".farm"]
)
def test_what_is_in_a_result_s_place_stays(name, barred, cloth, tmp_path):
    output = tmp_path / "out"
    if name.startswith(".farm"):
        (output / name).parent.mkdir(parents=True)
    else:
        opened(cloth, output)
    (tmp_path / "elsewhere").write_text("years of work", encoding="utf-8")
    if (name, barred) == (".farm", "folder"):
        (output / ".farm").mkdir()
        (output / ".farm" / "wedge.json").write_text('{"years": "of work"}', encoding="utf-8")
    else:
        BARRED[barred](output / name)
    # No Blender is there to be started.
    words = (cloth, "--object", "Cloth", "--output", output, "--blender", tmp_path / "nowhere")
    refused(tmp_path, *words)


@pytest.mark.parametrize("barred", ["text", "link", "folder", "FIFO"])
def test_what_is_in_a_variant_s_place_stays(barred, tmp_path):
    variant = wedge.Variant(1, "1", "a.blend", "Cloth", {}, (), "key")
    made = tmp_path / ".1.01234567"
    made.mkdir()
    publishing.write_record(made, {"key": "key", "status": "done"})
    BARRED[barred](tmp_path / "1")
    if barred == "folder":
        (tmp_path / "1" / "thesis.txt").write_text("years of work", encoding="utf-8")
    before = state(tmp_path)
    with pytest.raises(output_folder.NotOurs, match=r"1 is no folder of a variant's"):
        output_folder.check_variants(tmp_path, [variant])
    with pytest.raises(OSError, match=r"is no folder of a variant's|Not a directory"):
        publishing.publish(made, tmp_path / "1")
    assert state(tmp_path) == before


@pytest.mark.parametrize("place", ["out/cloth.blend", "out/.farm/cloth.blend", "out/.farm/wedge.json"])
def test_what_is_baked_lies_nowhere_in_the_results(place, cloth, tmp_path):
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_bytes(cloth.read_bytes())
    (tmp_path / "linked").symlink_to(tmp_path / "out")
    for output in (tmp_path / "out", tmp_path / "linked", tmp_path / "out" / ".." / "out"):
        assert "lies in" in refused(tmp_path, file, "--object", "Cloth", "--output", output)


def test_what_is_baked_is_a_file(tmp_path):
    os.mkfifo(tmp_path / "fifo.blend")
    assert "is no file" in refused(
        tmp_path, tmp_path / "fifo.blend", "--object", "Cloth", "--output", tmp_path / "out"
    )


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("barred", ["text", "link", "folder", "FIFO"])
def test_settings_go_into_a_blend_alone(barred, named, cloth, tmp_path):
    output, file = opened(cloth, tmp_path / "out"), tmp_path / "file.blend"
    (tmp_path / "elsewhere").write_bytes(cloth.read_bytes())
    BARRED[barred](file)
    (output / "1").mkdir()
    record = {
        "key": "key",
        "status": "done",
        "number": 1,
        "file": str(file),
        "object": "Cloth",
        "arguments": [],
    }
    publishing.write_record(output / "1", record)
    refused(tmp_path, "apply", output, "1", *(["--file", file] if named else []))


def test_only_what_attempts_left_is_swept(tmp_path):
    names = (".git.bak", ".notes.0123abcd", ".1.notes", ".1_mass=2.0123abcg", "1.0123abcd")
    left = (".1.0123abcd", ".02_mass=1.5.89abcdef", ".01234567.replaced")
    for name in (*names, *left):
        (tmp_path / name).mkdir()
    output_folder.sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(names)


def test_of_the_contact_sheet_only_its_own_pages_go(tmp_path):
    folder, mine = tmp_path / "1", tmp_path / "contact_sheet-mine.png"
    folder.mkdir()
    Image.new("RGB", (4, 4)).save(mine)
    values = tuple(str(number) for number in range(130))
    axis = wedge.Axis("mass", values, tuple((f"--mass={value}",) for value in values))
    variants = list(wedge.Wedge(("a.blend",), ("Cloth",), (axis,), ()).variants({"a.blend": ""}))
    rows = [contact_sheet.tables.row(variant, {}) for variant in variants]
    before = mine.read_bytes()
    pages = contact_sheet.write(tmp_path, [axis], rows, [], (8, 8))
    assert [page.name for page in pages] == ["contact_sheet.png", "contact_sheet-2.png"]
    (page,) = contact_sheet.write(tmp_path, [axis], rows[:3], [], (8, 8))
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["contact_sheet-mine.png", page.name]
    page.write_text("years of work", encoding="utf-8")
    with pytest.raises(output_files.Refused, match="is not a PNG picture"):
        contact_sheet.write(tmp_path, [axis], rows[:3], [], (8, 8))
    assert (page.read_text(encoding="utf-8"), mine.read_bytes()) == ("years of work", before)


def test_tables_are_known_again(tmp_path):
    variants = list(wedge.Wedge(("a.blend",), ("Cloth",), (), ()).variants({"a.blend": ""}))
    rows = [contact_sheet.tables.row(variant, {}) for variant in variants]
    for _ in range(2):
        contact_sheet.tables.write(tmp_path, rows)
    assert json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))[0]["file"] == "a.blend"

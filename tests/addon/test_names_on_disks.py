# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of any names in one file: no two of their files are one on any disk, wherever the folder is taken."""

import shutil
import unicodedata
from collections import Counter

import bpy
import pytest

from hooke.addon import cache_files
from hooke.addon.bakes import places, played_file
from hooke.addon.play import inventory
from hooke.core.cache import frame_count

from .scenes import add_hooke, bake, grid, play, same_bits, swing
from .test_other_systems import is_device

# Lines of names of which several are one to some system.
NAMES = """Flag flag FLAG fLAG|Straße STRASSE strasse Strasse straẞe|été e\u0301te\u0301 ÉTÉ|\ufb01n fin FIN
\uff21 a A|x² x2 X2|K \u212a k|Σίσυφος ΣΊΣΥΦΟΣ σίσυφοσ|İ i I \u0131|\u017f s S|가 \u1100\u1161|ǆ ǅ Ǆ dž
con CON aux.txt nul com1 com¹ LPT9|dot. dot ..|x:y x?y|soft\u00adhyphen softhyphen""".replace(
    "|", " "
).split()
NAMES += ["trail ", "trail", "a" * 250, "A" * 250, "é" * 120, "É" * 120]

# How names are compared: capitals of single letters on NTFS, Unicode's cases on APFS, decomposed on HFS+; and coarser.
COMPARED = (
    lambda name: "".join(c.upper() if len(c.upper()) == 1 else c for c in name),
    lambda name: unicodedata.normalize("NFD", name).casefold(),
    lambda name: unicodedata.normalize("NFD", name).lower(),
    lambda name: unicodedata.normalize("NFKD", name).casefold(),
    lambda name: unicodedata.normalize("NFKC", name.upper()).lower(),
)


def assert_apart(names):
    for compared in COMPARED:
        (most, count) = Counter(map(compared, names)).most_common(1)[0]
        assert count == 1, most


def test_caches_and_bakes_are_apart(scene, folder):
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    objects = [grid(3, name, pins={}) for name in NAMES]
    assert len({obj.name for obj in objects}) == len(NAMES)
    bakes = folder / "shot_hooke"
    bakes.mkdir()
    for obj in objects:
        obj.hooke.cache_id = cache_files.new_id(obj)
        places.place(obj).path.touch()
    ids, files = [obj.hooke.cache_id for obj in objects], [path.name for path in bakes.iterdir()]
    assert all(map(cache_files.is_id, ids)) and len(files) == len(NAMES)
    assert_apart(ids)
    assert_apart(files)
    for name in [*files, *(f"{name}.bake.state0" for name in ids)]:
        assert not is_device(name) and len(name.encode()) <= 255
        assert not name.removesuffix(".pc2").endswith((".", " "))


def test_a_bake_keeps_away_from_what_lies_there(scene, folder):
    # Of an object that the file has no more, or of one that was baked on another system.
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    (folder / "shot_hooke").mkdir()
    (folder / "shot_hooke" / "FLAG.jsonl").touch()
    obj = add_hooke(grid(3, "flag"), frame_end=2)
    bake(obj, "MESH_CACHE")
    assert (folder / "shot_hooke" / "flag.001.pc2").is_file()


def test_a_cache_keeps_away_from_what_lies_there(scene):
    obj = add_hooke(grid(3, "Flag"), frame_end=2)
    play(obj, [1, 2])
    bpy.data.objects.remove(obj)
    other = add_hooke(grid(3, "flag"), frame_end=2)
    assert other.hooke.cache_id == "flag-2"


def test_a_file_that_is_named_is_none_that_another_plays(scene, folder):
    obj = add_hooke(grid(3, "Flag"), frame_end=2)
    bake(obj, "MESH_CACHE", filepath=str(folder / "Flag.pc2"))
    with pytest.raises(RuntimeError, match="is played by another object or bake already"):
        bake(add_hooke(grid(3, "flag"), frame_end=2), "MESH_CACHE", filepath=str(folder / "FLAG.pc2"))


def test_files_with_names_of_earlier_versions_part(scene, folder):
    objects = [add_hooke(grid(3, name), frame_end=3) for name in ("Flag", "Other")]
    swing(objects[1])
    objects[1].hooke.cache_id = "flag"
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    shown = [play(obj, [1, 2, 3]) for obj in objects]
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(folder / "shot.blend"))
    objects = [bpy.data.objects[name] for name in ("Flag", "Other")]
    for obj, before in zip(objects, shown, strict=True):
        assert same_bits(play(obj, [1, 2, 3]), before)
        assert frame_count(cache_files.path_of(obj)) == 3
    assert_apart([obj.hooke.cache_id for obj in objects])


@pytest.fixture
def two_bakes(scene, folder):
    """Two objects whose bakes lie beside the saved file."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    objects = [add_hooke(grid(3, name), frame_end=3) for name in ("Flag", "Other")]
    swing(objects[1])
    for obj in objects:
        bake(obj, "MESH_CACHE")
    bpy.ops.wm.save_mainfile()
    return objects


def opened_again(folder):
    bpy.ops.wm.open_mainfile(filepath=str(folder / "shot.blend"))
    return bpy.data.objects["Other"]


def another_bake(folder):
    shutil.copy(folder / "shot_hooke" / "Flag.pc2", folder / "shot_hooke" / "Other.pc2")
    return "plays a file that is not its bake"


def no_file(folder):
    (folder / "shot_hooke" / "Other.pc2").unlink()
    return "is not there"


@pytest.mark.parametrize("lose", [another_bake, no_file])
def test_a_bake_whose_file_is_another_is_told(lose, two_bakes, folder, capfd):
    assert played_file.problem(two_bakes[1]) == ""
    words = lose(folder)
    capfd.readouterr()
    obj = opened_again(folder)
    (told,) = [line for line in capfd.readouterr().err.splitlines() if line.startswith("hooke: ")]
    assert words in told and "'Other'" in told and "Clear Bake" in told
    (entry,) = [each for each in inventory.inventory()["objects"] if each["object"] == "Other"]
    assert words in entry["bake"]["problem"]
    assert words in played_file.problem(obj) and played_file.problem(bpy.data.objects["Flag"]) == ""

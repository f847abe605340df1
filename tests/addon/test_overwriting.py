# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk over what a bake from the command line reads and writes, every pair of it on one path and everything else in
its way: status 2, one line, and not a byte changed that was not named for it."""

import itertools
import json
import os
import stat

import bpy
import pytest

from hooke.addon import cli
from hooke.core import output_files
from hooke.core.file_kinds import BLEND
from hooke.core.pc2 import header

from .refusals import refused
from .scenes import baked_keys, play, same_bits
from .script import opened

SHORT = ("--object", "Cloth", "--frames", "1-3", "--mode", "MESH_CACHE")


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """A file of each kind that a bake writes, by the option that names it, made by a bake."""
    return {}


@pytest.fixture
def there(contents, file, folder):
    """The file to bake, and a function that puts a file of an option's kind, or text, where a path is."""
    if not contents:
        made = folder / "made"
        made.mkdir()
        named = {"--output": made / "a.blend", "--cache-file": made / "a.pc2", "--report": made / "a.json"}
        words = [str(word) for option in named.items() for word in option]
        assert cli.main(["bake", str(file), *SHORT, *words]) == 0
        contents |= {option: path.read_bytes() for option, path in named.items()}
        for path in named.values():
            path.unlink()
        made.rmdir()

    def put(path, option):
        path.write_bytes(contents.get(option, b"years of work"))
        return path

    return file, put


# Files are named as a cache is, to which an ending is added: what they are their names do not say.
ROLES = ("FILE", "--output", "--cache-file", "--report")


def same(path):
    return path


def spelled_otherwise(path):
    return path.parent / "sub" / ".." / path.name


def through_a_linked_folder(path):
    return path.parent / "linked" / path.name


def symbolic_link(path):
    other = path.with_name("symbolic.pc2")
    other.symlink_to(path)
    return other


def hard_link(path):
    other = path.with_name("hard.pc2")
    os.link(path, other)
    return other


WAYS = (same, spelled_otherwise, through_a_linked_folder, symbolic_link, hard_link)
PAIRS = [
    pair for pair in itertools.permutations(ROLES, 2) if pair != ("FILE", "--output") and pair[1] != "FILE"
]
# What is where both lead; the file that is baked is there as it is, and what is not there has no second name.
THERE = ("nothing", "of the first", "of the second", "text")
WALK = [
    (first, second, way, what)
    for (first, second), way, what in itertools.product(PAIRS, WAYS, THERE)
    if (first != "FILE" or what == "of the first") and (way is not hard_link or what != "nothing")
]


@pytest.mark.sampled(45)
@pytest.mark.parametrize(
    ("first", "second", "way", "what"), WALK, ids=lambda case: getattr(case, "__name__", case)
)
def test_no_two_roles_are_one_file(first, second, way, what, there, folder, capfd):
    file, put = there
    (folder / "sub").mkdir()
    (folder / "linked").symlink_to(folder)
    path = file if first == "FILE" else folder / "one.pc2"
    if first != "FILE" and what != "nothing":
        put(path, {"of the first": first, "of the second": second}.get(what))
    # Of itself, the file is saved into another one.
    words = {"--output": folder / "elsewhere.blend", first: path, second: way(path)}
    words.pop("FILE", None)
    refused(folder, capfd, file, *SHORT, *itertools.chain(*words.items()))


def link(path, put, option):
    path.symlink_to(put(path.with_name("target"), option))


def broken_link(path, put, option):
    path.symlink_to(path.with_name("missing"))


def link_to_the_file(path, put, option):
    path.symlink_to(path.with_name("cloth.blend"))


def text(path, put, option):
    put(path, None)


def nothing(path, put, option):
    path.touch()


def other_json(path, put, option):
    path.write_text(json.dumps({"object": "Cloth", "frames": 3}), encoding="utf-8")


def directory(path, put, option):
    path.mkdir()


def fifo(path, put, option):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes on Windows")
    os.mkfifo(path)


def device(path, put, option):
    if not hasattr(os, "mknod"):
        pytest.skip("there are no device files on Windows")
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")


def another(other):
    """A file of another option's kind."""

    def of_another(path, put, option):
        put(path, other)

    of_another.__name__ = f"of {other}"
    return of_another


BARRED = (link, broken_link, link_to_the_file, text, nothing, other_json, directory, fifo, device)
BARRED += tuple(map(another, ROLES[1:]))


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("option", "barred"),
    [(option, barred) for option in ROLES[1:] for barred in BARRED if barred.__name__ != f"of {option}"],
    ids=lambda case: getattr(case, "__name__", case),
)
def test_nothing_is_replaced_but_its_own_kind(option, barred, there, folder, capfd):
    file, put = there
    barred(folder / "named.pc2", put, option)
    words = {"--output": folder / "elsewhere.blend", option: folder / "named.pc2"}
    assert "named.pc2" in refused(folder, capfd, file, *SHORT, *itertools.chain(*words.items()))


def automatic_cache(folder):
    return folder / "out_hooke" / "Cloth.pc2"


def automatic_folder(folder):
    return folder / "out_hooke"


def simulated_frames(folder):
    return folder / "cloth_hooke" / "cache" / "Cloth.jsonl"


def frames_lock(folder):
    return folder / "cloth_hooke" / "cache" / "hooke.lock"


OWN = [("--report", automatic_cache), ("--report", automatic_folder)]
OWN += [
    (option, path_of) for option in ("--output", "--report") for path_of in (simulated_frames, frames_lock)
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("option", "path_of"), OWN, ids=lambda case: getattr(case, "__name__", case))
def test_what_a_bake_writes_by_itself_has_no_other_role(option, path_of, file, folder, capfd):
    path = path_of(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    words = {"--output": folder / "out.blend", option: path}
    refused(folder, capfd, file, *SHORT, *itertools.chain(*words.items()))


def test_a_library_of_the_file_is_no_output(scene, file, folder, capfd):
    opened(file)
    library = folder / "library.blend"
    bpy.data.libraries.write(str(library), {bpy.data.objects.new("There", None)}, fake_user=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, data):
        data.objects = ["There"]
    bpy.context.scene.collection.objects.link(data.objects[0])
    bpy.ops.wm.save_mainfile()
    assert "library" in refused(folder, capfd, file, *SHORT, "--output", library)


@pytest.mark.parametrize("way", WAYS[:3] + WAYS[4:], ids=lambda way: way.__name__)
def test_the_file_itself_may_be_the_output(way, file, folder):
    (folder / "sub").mkdir()
    (folder / "linked").symlink_to(folder)
    before = file.read_bytes()
    output = way(file)
    assert cli.main(["bake", str(file), "--object", "Cloth", "--frames", "1-3", "--output", str(output)]) == 0
    assert len(baked_keys(opened(output))) == 3
    # A second name keeps what was there.
    assert (file.read_bytes() == before) == (way is hard_link)


def test_each_is_replaced_by_its_own_kind(there, folder):
    file, put = there
    output, report = put(folder / "out", "--output"), put(folder / "figures", "--report")
    second = folder / "second"
    os.link(report, second)
    before = second.read_bytes()
    words = ["--object", "Cloth", "--frames", "1-4", "--output", output, "--report", report]
    assert cli.main(["bake", str(file), *map(str, words)]) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["frames"] == 4
    assert second.read_bytes() == before
    live = play(opened(file), [1])[1]
    assert same_bits(play(opened(output), [1])[1], live)


@pytest.mark.parametrize("compress", [False, True])
def test_blender_s_own_files_are_known(compress, scene, folder):
    path = folder / "file"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=compress, copy=True)
    (path,) = folder.iterdir()
    assert output_files.is_of(path, BLEND)
    path.write_bytes(path.read_bytes()[:-1] if compress else header(1, 1, 0))
    assert not output_files.is_of(path, BLEND)

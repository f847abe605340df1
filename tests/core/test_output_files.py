# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be written over: nothing but a regular file of the kind that is written, whatever path leads there."""

import gzip
import json
import os
import socket
import struct
import unicodedata
import zipfile

import pytest

from hooke.core import file_kinds, output_files
from hooke.core.file_kinds import BLEND, GIF, PNG
from hooke.core.output_files import Output, Refused, check, check_replaceable, is_of, write
from hooke.core.pc2 import PC2, header


def zstandard(*frames):
    """A file as Blender compresses it: frames, and a table of their sizes."""
    entries = b"".join(struct.pack("<II", len(frame), 100) for frame in frames)
    end = struct.pack("<IBI", len(frames), 0, 0x8F92EAB1)
    return b"".join(frames) + struct.pack("<II", 0x184D2A5E, len(entries + end)) + entries + end


REPORT = file_kinds.marked_json("a report", format="report")
ZIP = file_kinds.archive_of("a zip of ours", "manifest.toml", holding=(b"ours",))
FRAME = b"\x28\xb5\x2f\xfd" + bytes(20)
KINDS = {"blend": BLEND, "pc2": PC2, "report": REPORT, "png": PNG, "gif": GIF, "zip": ZIP}


def zipped(name, content):
    """A zip file of one member."""
    from io import BytesIO

    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, content)
    return made.getvalue()


# Contents by the kind they are of, None for those that are nobody's.
CONTENTS = {
    "a .blend": ("blend", b"BLENDER17-01v0502" + bytes(40)),
    "a .blend of old": ("blend", b"BLENDER-v249" + bytes(40)),
    "a .blend in gzip": ("blend", gzip.compress(b"BLENDER-v279" + bytes(40))),
    "a .blend in Zstandard": ("blend", zstandard(FRAME, FRAME)),
    "another program's Zstandard": (None, FRAME),
    "a cut table": (None, zstandard(FRAME, FRAME)[1:]),
    "gzip": (None, gzip.compress(b"years of work")),
    "cut gzip": (None, gzip.compress(b"BLENDER-v279")[:12]),
    "a PC2 file": ("pc2", header(25, 1, 2) + bytes(600)),
    "a PC2 header that makes no sense": (None, header(-1, 1, 2)),
    "a report": ("report", json.dumps({"format": "report"}).encode()),
    "somebody's JSON": (None, json.dumps({"format": "thesis"}).encode()),
    "a list": (None, b"[1, 2]"),
    "nested JSON": (None, b"[" * 100_000),
    "a PNG": ("png", b"\x89PNG\r\n\x1a\n" + bytes(9)),
    "a GIF": ("gif", b"GIF89a" + bytes(9)),
    "a zip of ours": ("zip", zipped("manifest.toml", "ours")),
    "a zip": (None, zipped("manifest.toml", "theirs")),
    "text": (None, b"years of work\n"),
    "nothing": (None, b""),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("content", CONTENTS)
def test_a_file_is_replaced_by_its_own_kind_alone(content, kind, tmp_path):
    # The name says nothing.
    path = tmp_path / f"file.{kind}"
    of_kind, before = CONTENTS[content]
    path.write_bytes(before)
    if of_kind == kind:
        write(path, b"new", KINDS[kind])
        assert path.read_bytes() == b"new"
    else:
        with pytest.raises(Refused, match=f"{path.name} exists and is not a"):
            write(path, b"new", KINDS[kind])
        assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def link(path, elsewhere):
    path.symlink_to(elsewhere)


def broken_link(path, elsewhere):
    path.symlink_to(elsewhere.with_name("missing"))


def folder(path, elsewhere):
    path.mkdir()


def fifo(path, elsewhere):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes on Windows")
    os.mkfifo(path)


def device(path, elsewhere):
    if not hasattr(os, "mknod"):
        pytest.skip("there are no device files on Windows")
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")


def socket_of(path, elsewhere):
    with socket.socket(socket.AF_UNIX) as made:
        # A path of a socket is short.
        before = os.getcwd()
        os.chdir(path.parent)
        try:
            made.bind(path.name)
        finally:
            os.chdir(before)


@pytest.mark.parametrize(
    "there", [link, broken_link, folder, fifo, device, socket_of], ids=lambda f: f.__name__
)
def test_what_is_no_regular_file_is_never_replaced(there, tmp_path):
    elsewhere, path = tmp_path / "elsewhere.blend", tmp_path / "file.blend"
    elsewhere.write_bytes(CONTENTS["a .blend"][1])
    there(path, elsewhere)
    before = os.lstat(path)
    with pytest.raises(Refused, match=r"file.blend (is a link to|cannot be written because it is a)"):
        write(path, b"new", BLEND)
    assert not is_of(path, BLEND)
    assert (os.lstat(path).st_ino, os.lstat(path).st_mode) == (before.st_ino, before.st_mode)
    assert elsewhere.read_bytes() == CONTENTS["a .blend"][1]
    assert sorted(os.listdir(tmp_path)) == ["elsewhere.blend", "file.blend"]


def test_a_second_name_keeps_what_was_there(tmp_path):
    path, second = tmp_path / "file.png", tmp_path / "second.png"
    path.write_bytes(CONTENTS["a PNG"][1])
    os.link(path, second)
    write(path, b"new", PNG)
    assert (path.read_bytes(), second.read_bytes()) == (b"new", CONTENTS["a PNG"][1])


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "file.png"
    path.write_bytes(CONTENTS["a PNG"][1])

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        write(path, b"new", PNG)
    assert (os.listdir(tmp_path), path.read_bytes()) == ([path.name], CONTENTS["a PNG"][1])


# Two names of one file each, made in a folder: that of a file that exists, or of one that is to be.
def same(path):
    return path


def spelled_otherwise(path):
    return path.parent / "in" / ".." / path.name


def through_a_linked_folder(path):
    (path.parent / "linked").symlink_to(path.parent)
    return path.parent / "linked" / path.name


def symbolic_link(path):
    other = path.with_name("link")
    other.symlink_to(path)
    return other


def hard_link(path):
    other = path.with_name("second")
    os.link(path, other)
    return other


def in_other_letters(path):
    return path.with_name(path.name.upper())


def composed_otherwise(path):
    return path.with_name(unicodedata.normalize("NFD", path.name))


LINKS = (same, spelled_otherwise, through_a_linked_folder, symbolic_link, hard_link)


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize(
    "other_name", [*LINKS, in_other_letters, composed_otherwise], ids=lambda f: f.__name__
)
def test_two_roles_are_never_one_file(other_name, exists, tmp_path):
    path = tmp_path / "fähre.blend"
    (tmp_path / "in").mkdir()
    if exists:
        path.write_bytes(CONTENTS["a .blend"][1])
    elif other_name is hard_link:
        pytest.skip("what is not there has no second name")
    other = other_name(path)
    if exists and other_name in (in_other_letters, composed_otherwise) and not other.exists():
        # Whether these are one file, the file system says: here they are two.
        check([Output("--output", path, BLEND)], [("--other", other)])
        return
    for one, two in ((path, other), (other, path)):
        with pytest.raises(Refused, match=r"are one file|is a link to"):
            check([Output("--output", one, BLEND), Output("--report", two, BLEND)])
        with pytest.raises(Refused, match=r"are one file|is a link to"):
            check([Output("--output", one, BLEND)], [("the source", two)])


def test_a_folder_that_another_file_is_to_lie_in_is_no_file(tmp_path):
    others = [("the cache", tmp_path / "shot_hooke" / "Cloth.pc2")]
    with pytest.raises(Refused, match="shot_hooke, in which the cache lies"):
        check([Output("--report", tmp_path / "shot_hooke", REPORT)], others)


def test_files_of_their_own_are_well(tmp_path):
    outputs = [Output(f"--{number}", tmp_path / f"file{number}", BLEND) for number in range(3)]
    check(outputs, [("the source", tmp_path / "source.blend")])
    assert os.listdir(tmp_path) == []


def test_devices_of_windows_are_none(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "name", "nt")
    with pytest.raises(Refused, match="because it is a device"):
        check_replaceable(tmp_path / "nul.json", REPORT)


def test_a_folder_that_cannot_be_is_said(tmp_path):
    (tmp_path / "file").write_text("years of work", encoding="utf-8")
    with pytest.raises(
        Refused, match=r"file cannot be a folder for what is written .File (already )?exists."
    ):
        output_files.make_folder(tmp_path / "file")
    output_files.make_folder(tmp_path / "new" / "deeper")
    assert (tmp_path / "new" / "deeper").is_dir()

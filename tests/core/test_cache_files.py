# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are not this cache's are neither read, written nor deleted: others', links, pipes, other owners'."""

import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from hooke.core.cache import CacheError, DiskFrames, frame_count, read_inputs, remove
from hooke.core.file_lock import NAME

from ..waiting import HANGS
from .caches import SUFFIXES, VERTICES, append, assert_holds, contents, filled, positions, snapshot


def create(path, owner="a"):
    """A cache of this owner in place of what is there, open."""
    return DiskFrames.create(path, VERTICES, 1, {}, owner=owner)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("act", [create, lambda path: remove(path, owner="a")], ids=["create", "remove"])
@pytest.mark.parametrize("content", [b"POINTCACHE2\0 of another program", b"{}\n", b'{"format":"mine"}\n'])
def test_files_of_other_programs_stay(content, act, suffix, tmp_path):
    path = tmp_path / "a.pc2"
    file = path.with_suffix(suffix)
    file.write_bytes(content)
    with pytest.raises(CacheError, match=f"{file.name} is not Hooke's"):
        act(path)
    assert contents(tmp_path) == {file.name: content}


@pytest.mark.parametrize("suffix", [".pc2", ".state0", ".state1"])
@pytest.mark.parametrize("act", [create, lambda path: remove(path, owner="a")], ids=["create", "remove"])
def test_a_sidecar_does_not_make_other_programs_files_hookes(act, suffix, tmp_path):
    path = filled(tmp_path / "a.pc2", 2, "a")
    path.with_suffix(suffix).write_bytes(b"something else")
    before = contents(tmp_path)
    with pytest.raises(CacheError, match=f"a{suffix} is not Hooke's"):
        act(path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("act", [create, lambda path: remove(path, owner="a")], ids=["create", "remove"])
@pytest.mark.parametrize("owner", ["b", "a ", "", None])
def test_caches_of_other_owners_stay(owner, act, tmp_path):
    path = filled(tmp_path / "a.pc2", 2, owner)
    before = contents(tmp_path)
    with pytest.raises(CacheError, match=r"a\.jsonl is not Hooke's, or of another object: move it away"):
        act(path)
    with pytest.raises(CacheError, match="belongs to another object"):
        DiskFrames.open(path, owner="a")
    assert read_inputs(path, owner="a") is None
    assert contents(tmp_path) == before
    assert_holds(path, 2, owner=owner)


def test_the_owner_may_do_all_and_so_may_who_asks_for_none(tmp_path):
    path = filled(tmp_path / "a.pc2", 2, 'a "quoted" \N{SNOWMAN}')
    assert_holds(path, 2, owner='a "quoted" \N{SNOWMAN}', vertex_count=VERTICES)
    create(path, 'a "quoted" \N{SNOWMAN}').close()
    assert_holds(path, 0)
    assert remove(path)
    assert contents(tmp_path) == {}


def test_a_copy_has_the_owner_it_is_made_for(tmp_path):
    frames = DiskFrames.open(filled(tmp_path / "a.pc2", 3, "a"))
    frames.copy(tmp_path / "b.pc2", owner="b").close()
    frames.close()
    assert_holds(tmp_path / "b.pc2", 3, owner="b")


def test_a_cache_of_version_1_is_stale_and_replaced(tmp_path):
    path = tmp_path / "a.pc2"
    header = filled(tmp_path / "other.pc2", 1).read_bytes()
    path.write_bytes(header)
    path.with_suffix(".jsonl").write_bytes(b'{"format":"hooke cache 1","inputs":{}}\n[0]\n')
    path.with_suffix(".state0").write_bytes(b'\x40\0\0\0{"frame": 0, "checksum": 1, "arrays": []}')
    assert read_inputs(path) is None
    with pytest.raises(CacheError, match=r"a\.pc2 cannot be read: .*; simulate again or remove it"):
        DiskFrames.open(path, owner="a")
    frames = create(path)
    append(frames, 0)
    frames.close()
    assert_holds(path, 1, owner="a")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_links_are_not_followed(suffix, tmp_path):
    others = filled(tmp_path / "others" / "a.pc2", 3, "a")
    path = filled(tmp_path / "mine" / "a.pc2", 3, "a")
    linked = path.with_suffix(suffix)
    linked.unlink()
    linked.symlink_to(others.with_suffix(suffix))
    before = contents(others.parent)
    for act in (create, lambda path: remove(path, owner="a")):
        with pytest.raises(CacheError, match=f"a{suffix} is a link: move it away"):
            act(path)
    if suffix in (".pc2", ".jsonl"):
        with pytest.raises(CacheError, match=f"a{suffix} is a link"):
            DiskFrames.open(path)
    else:
        frames = DiskFrames.open(path)
        assert (frames.snapshot() is None) == (suffix == ".state0")
        with pytest.raises(CacheError, match=f"a{suffix} is a link"):
            for number in (3, 4):
                append(frames, number)
        frames.close()
    assert contents(others.parent) == before and linked.is_symlink()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_dangling_link_is_not_followed(suffix, tmp_path):
    (tmp_path / f"a{suffix}").symlink_to(tmp_path / "elsewhere")
    for act in (create, remove):
        with pytest.raises(CacheError, match=f"a{suffix} is a link"):
            act(tmp_path / "a.pc2")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_with_a_second_name_is_read_and_not_written(suffix, tmp_path):
    path = filled(tmp_path / "a.pc2", 3, "a")
    os.link(path.with_suffix(suffix), tmp_path / "backup")
    before = contents(tmp_path)
    with pytest.raises(CacheError, match=f"a{suffix} is linked to another name"):
        create(path)
    frames = DiskFrames.open(path, owner="a")
    assert [frame.tobytes() for frame in frames] == [positions(number).tobytes() for number in range(3)]
    with pytest.raises(CacheError, match=f"a{suffix} is linked to another name"):
        for number in (3, 4):
            append(frames, number)
    frames.close()
    assert (tmp_path / "backup").read_bytes() == before["backup"]
    # To take one of the names away changes nothing under the other.
    assert remove(path, owner="a")
    assert contents(tmp_path) == {"backup": before["backup"]}


PIPES = """
    import os, sys
    from pathlib import Path
    from hooke.core.cache import CacheError, DiskFrames, frame_count, read_inputs, remove
    path = Path(sys.argv[1])
    for suffix in (".pc2", ".jsonl", ".state0", ".state1"):
        file = path.with_suffix(suffix)
        content = file.read_bytes()
        file.unlink()
        os.mkfifo(file)
        frame_count(path), read_inputs(path)
        for act in (lambda: DiskFrames.open(path).snapshot(), lambda: DiskFrames.create(path, 7, 1, {}),
                    lambda: remove(path)):
            try:
                act()
            except CacheError as error:
                print(error)
        file.unlink()
        file.write_bytes(content)
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes on Windows")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PIPES), str(path)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert result.returncode == 0, result.stderr
    # A snapshot that is no file is none: that cache opens.
    assert result.stdout.count("is no regular file") == 3 + 3 + 2 + 2


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path):
    for suffix in SUFFIXES:
        path = filled(tmp_path / suffix / "a.pc2", 1, "a")
        path.with_suffix(suffix).unlink(missing_ok=True)
        path.with_suffix(suffix).mkdir()
        with pytest.raises(CacheError, match="is no regular file"):
            create(path)


def test_where_nothing_may_be_written_frames_are_read(tmp_path):
    path = filled(tmp_path / "a.pc2", 3)
    (tmp_path / NAME).mkdir()
    frames = DiskFrames.open(path)
    assert not frames.writable and NAME in frames.read_only_reason
    assert frames[2].tobytes() == positions(2).tobytes()
    with pytest.raises(CacheError, match="it may only be read"):
        append(frames, 3)
    with pytest.raises(CacheError, match=NAME):
        remove(path)
    frames.close()


def test_a_cache_that_cannot_be_made_leaves_nothing(tmp_path):
    with pytest.raises(CacheError, match="0 vertices from frame 1 on cannot be cached"):
        DiskFrames.create(tmp_path / "new" / "deeper" / "a.pc2", 0, 1, {})
    (tmp_path / "a.state0").write_bytes(b"something else")
    with pytest.raises(CacheError):
        create(tmp_path / "a.pc2")
    assert [file.name for file in tmp_path.iterdir()] == ["a.state0"]


def test_frames_that_are_no_places_are_refused(tmp_path):
    frames = create(tmp_path / "a.pc2")
    append(frames, 0)
    for value in (np.nan, np.inf, 1e39):
        bad = positions(1).astype(np.float64)
        bad[4, 1] = value
        with pytest.raises(CacheError, match=r"frame 2 puts vertex 4 at .*, which is no place"):
            frames.append(bad)
    append(frames, 1)
    frames.close()
    assert_holds(tmp_path / "a.pc2", 2)


def test_a_snapshot_that_could_not_be_read_back_is_refused(tmp_path):
    frames = create(tmp_path / "a.pc2")
    for wrong in ({"x": np.zeros((7, 3, 2))}, {"X!": np.zeros(3)}, {"x": np.array(["text"])}):
        with pytest.raises(CacheError, match="no snapshot of a simulation has these arrays"):
            frames.append(positions(0), None, snapshot(0) | wrong)
    frames.close()
    assert_holds(tmp_path / "a.pc2", 0)


def test_another_mesh_is_another_cache(tmp_path):
    path = filled(tmp_path / "a.pc2", 2)
    with pytest.raises(CacheError, match="it holds 7 vertices a frame, not 8"):
        DiskFrames.open(path, vertex_count=8)
    assert frame_count(path) == 2


def test_what_is_closed_is_written_no_more(tmp_path):
    frames = create(tmp_path / "a.pc2")
    frames.close()
    with pytest.raises(CacheError, match="it was closed: open it again"):
        append(frames, 0)


def test_a_file_that_was_replaced_meanwhile_is_not_taken_for_it(tmp_path):
    frames = create(tmp_path / "a.pc2")
    append(frames, 0)
    # As when files of other caches need its place.
    frames.data.close()
    shutil.copyfile(tmp_path / "a.pc2", tmp_path / "copy")
    os.replace(tmp_path / "copy", tmp_path / "a.pc2")
    with pytest.raises(CacheError, match=r"a\.pc2 was replaced by another file"):
        append(frames, 1)
    frames.close()

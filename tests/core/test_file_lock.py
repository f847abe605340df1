# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks: one holder of a name, others beside it, gone with the process, and no file left behind."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from hooke.core.file_lock import NAME, FileBusy, Lock

from ..waiting import HANGS

OTHER = """
    import sys
    from hooke.core.file_lock import FileBusy, Lock
    for line in sys.stdin:
        act, path = line[:-1].split(" ", 1)
        try:
            lock = Lock(path)
        except FileBusy:
            print("busy", flush=True)
            continue
        if act == "try":
            lock.release()
        print("held", flush=True)
"""


class Other:
    """Another process that locks paths."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(OTHER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )

    def told(self, path, act="try"):
        """Whether the path is "held" or "busy" when it tries, to let go of it at once or to "keep" it."""
        self.process.stdin.write(f"{act} {path}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def kill(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def other():
    """Another process, for all tests that leave it alive."""
    process = Other()
    yield process
    process.kill()


@pytest.fixture(params=["of the open file", "of the process"])
def locks(request, monkeypatch):
    """Kinds of locks that systems have: what Linux has, and what others have."""
    if request.param == "of the process":
        fcntl = pytest.importorskip("fcntl", reason="Windows has a kind of its own")
        monkeypatch.delattr(fcntl, "F_OFD_SETLK", raising=False)


@pytest.mark.sampled(2)
def test_a_name_has_one_holder(tmp_path, other, locks):
    lock = Lock(tmp_path / "a")
    with pytest.raises(FileBusy):
        Lock(tmp_path / "a")
    assert other.told(tmp_path / "a") == "busy" and other.told(tmp_path / "b") == "held"
    second = Lock(tmp_path / "b")
    lock.release()
    assert other.told(tmp_path / "a") == "held" and other.told(tmp_path / "b") == "busy"
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_another_way_to_the_folder_is_no_way_around(tmp_path, other, locks):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    lock = Lock(tmp_path / "folder" / "a")
    with pytest.raises(FileBusy):
        Lock(tmp_path / "link" / "a")
    Lock(tmp_path / "link" / "b").release()
    assert other.told(tmp_path / "folder" / "a") == "busy"
    lock.release()


def test_what_nobody_refers_to_is_released(tmp_path):
    lock = Lock(tmp_path / "a")
    del lock
    Lock(tmp_path / "a").release()


@pytest.mark.sampled(2)
def test_a_lock_falls_with_the_process(tmp_path, locks):
    other = Other()
    assert other.told(tmp_path / "a", "keep") == "held"
    with pytest.raises(FileBusy):
        Lock(tmp_path / "a")
    other.kill()
    # The file stays, and is in nobody's way.
    assert [file.name for file in tmp_path.iterdir()] == [NAME]
    Lock(tmp_path / "a").release()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere a lock belongs to the process, not to the open file"
)
def test_copying_the_folder_releases_nothing(tmp_path, other):
    (tmp_path / "folder").mkdir()
    lock = Lock(tmp_path / "folder" / "a")
    shutil.copytree(tmp_path / "folder", tmp_path / "copy")
    assert other.told(tmp_path / "folder" / "a") == "busy"
    lock.release()


def test_a_link_in_the_place_of_the_lock_file_is_not_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=f"{NAME} is a link"):
        Lock(tmp_path / "folder" / "a")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lists no descriptors")
def test_many_locks_take_one_descriptor(tmp_path):
    before = set(os.listdir("/dev/fd"))
    locks = [Lock(tmp_path / str(number)) for number in range(300)]
    # One of the lock file; listing the descriptors takes one each time.
    assert len(set(os.listdir("/dev/fd")) - before) <= 1
    for lock in locks:
        lock.release()


COUNTER = """
    import sys
    from pathlib import Path
    from hooke.core.file_lock import FileBusy, Lock
    folder = Path(sys.argv[1])
    done = 0
    while done < 25:
        try:
            lock = Lock(folder / "a")
        except FileBusy:
            continue
        count = int((folder / "count").read_text() or 0)
        (folder / "count").write_text(str(count + 1))
        lock.release()
        done += 1
"""


@pytest.mark.nightly
def test_processes_that_lock_and_leave_never_meet(tmp_path):
    # The lock file is made and removed with nearly every turn.
    (tmp_path / "count").write_text("0", encoding="utf-8")
    command = [sys.executable, "-c", textwrap.dedent(COUNTER), str(tmp_path)]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(timeout=HANGS) for process in processes] == [0, 0, 0]
    assert (tmp_path / "count").read_text(encoding="utf-8") == "75"
    assert [file.name for file in tmp_path.iterdir()] == ["count"]

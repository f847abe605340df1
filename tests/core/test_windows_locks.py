# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lock file asks of Windows: that it calls what it should, not that Windows then does it.

A module of the name msvcrt writes down what it is asked and grants or refuses it; that its locks keep other processes
out was never seen.
"""

import importlib.util
import os
import sys
from types import ModuleType

import pytest

from hooke.core import file_lock, regular_file


@pytest.fixture
def windows(monkeypatch):
    """A copy of core/file_lock.py as it is imported where there is no fcntl, and what it asked of msvcrt."""
    asked = []

    class Msvcrt(ModuleType):
        """Locks as a set of bytes that somebody else holds."""

        LK_NBLCK, LK_UNLCK = 2, 0
        refused: frozenset[int] = frozenset()

        def locking(self, descriptor, mode, count):
            """One byte where the file is."""
            at = os.lseek(descriptor, 0, os.SEEK_CUR)
            asked.append((mode, at, count))
            if mode == self.LK_NBLCK and at in self.refused:
                raise OSError("held elsewhere")

    fake = Msvcrt("msvcrt")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    spec = importlib.util.spec_from_file_location("hooke.core.file_lock_on_windows", file_lock.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, fake, asked


def test_a_lock_is_one_byte_within_31_bits_and_is_given_back(windows, tmp_path):
    module, fake, asked = windows
    lock = module.Lock(tmp_path / "cloth.pc2")
    ((mode, at, count),) = asked
    assert (mode, count) == (fake.LK_NBLCK, 1) and 0 <= at < 2**31
    lock.release()
    assert asked[1:] == [(fake.LK_UNLCK, at, 1)]
    assert not (tmp_path / file_lock.NAME).exists()


def test_names_have_bytes_of_their_own(windows, tmp_path):
    module, _fake, asked = windows
    locks = [module.Lock(tmp_path / f"{name}.pc2") for name in ("cloth", "flag")]
    assert len({at for _, at, _ in asked}) == 2
    for lock in locks:
        lock.release()


def test_what_is_held_elsewhere_is_busy_and_leaves_nothing_open(windows, tmp_path):
    module, fake, asked = windows
    module.Lock(tmp_path / "cloth.pc2").release()
    fake.refused = frozenset({asked[0][1]})
    with pytest.raises(module.FileBusy):
        module.Lock(tmp_path / "cloth.pc2")
    assert module.open_locks == {}


def test_the_lock_file_is_closed_before_it_is_removed(windows, tmp_path, monkeypatch):
    module, _fake, _asked = windows
    lock = module.Lock(tmp_path / "cloth.pc2")
    (lock_file,) = module.open_locks.values()
    unlink, closed = type(tmp_path).unlink, []

    def note(path, **options):
        closed.append(lock_file.file.closed)
        unlink(path, **options)

    monkeypatch.setattr(type(tmp_path), "unlink", note)
    lock.release()
    assert closed == [True]


def test_without_the_flags_of_posix_links_are_not_followed_still(tmp_path, monkeypatch):
    # Windows has neither of the flags; what is left looks before it opens.
    for name in ("O_NOFOLLOW", "O_NONBLOCK"):
        monkeypatch.delattr(os, name, raising=False)
    (tmp_path / "file").write_bytes(b"kept")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(ValueError, match="link is a link"):
        regular_file.open_regular(tmp_path / "link", os.O_RDWR)
    with regular_file.open_regular(tmp_path / "file", os.O_RDONLY) as file:
        assert file.read() == b"kept"

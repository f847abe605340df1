# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts of a scene that are found once while all simulated objects are brought to a frame."""

from contextlib import contextmanager

# Results by their key while each search is made only once.
_kept: dict | None = None


@contextmanager
def looked_at_once():
    """Look only once at what may act on objects meanwhile: nothing may be shown, hidden or edited."""
    global _kept
    before, _kept = _kept, {}
    try:
        yield
    finally:
        _kept = before


def once(key, look):
    """The result of a function, or its earlier result for this key within the frame."""
    if _kept is None:
        return look()
    if key not in _kept:
        _kept[key] = look()
    return _kept[key]

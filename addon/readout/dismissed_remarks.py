# SPDX-License-Identifier: GPL-3.0-or-later
"""Remarks that are true and no fault: each is made until it is put away, and Reset brings all of them back."""

import re

# Figures change from frame to frame; a remark with other figures is the same remark.
_FIGURES = re.compile(r"-?[\d.,]*\d")
# About the frame that is shown: these go by themselves.
_PASSING = frozenset({"END", "NEWEST", "START"})
# Between remarks in the setting that holds them.
_SEPARATOR = "\n"


def key(complaint):
    """The key of a remark in the list of those put away."""
    return _FIGURES.sub("0", complaint.text)


def possible(complaint):
    """Whether a Complaint is a remark, which can be put away."""
    return complaint.icon != "ERROR" and not _PASSING & set(complaint.remedies)


def shown(obj, complaints):
    """Those of some Complaints that are not put away, faults before remarks and these before hints, a list."""
    away = set(obj.hooke.put_away.split(_SEPARATOR))
    left = [each for each in complaints if not (possible(each) and key(each) in away)]
    return sorted(left, key=lambda complaint: complaint.rank)


def put(obj, name):
    """Put away the remark with a key."""
    obj.hooke.put_away = _SEPARATOR.join(filter(None, [*obj.hooke.put_away.split(_SEPARATOR), name]))


def bring_back(obj):
    """Let all remarks be made again."""
    obj.hooke.property_unset("put_away")

# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON within bounds of length and nesting: to read what others wrote can neither hang nor overflow."""

import json
import re

LONGEST = 1 << 20
_DEEPEST = 32
# A string without an end goes on to the end of the text, or each quote in it would be tried as another beginning.
_STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]|\\.?)*+(?:"|\Z)|[][{}]', re.DOTALL)


def to_json(value):
    """Bytes without line ends; raises ValueError beyond the bounds."""
    text = json.dumps(value, separators=(",", ":")).encode()
    _check(text)
    return text


def from_json(text):
    """The value of some bytes of JSON; raises ValueError where they are no JSON or beyond the bounds."""
    _check(text)
    return json.loads(text)


def _check(text):
    if len(text) > LONGEST:
        raise ValueError(f"{len(text):,} bytes are more than {LONGEST:,}")
    if text.count(b"[") + text.count(b"{") <= _DEEPEST:
        return
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(found[0], 0)
        if depth > _DEEPEST:
            raise ValueError(f"it nests deeper than {_DEEPEST}")

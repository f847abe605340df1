# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of files as other systems take them: a folder may be moved, and meets them then."""

import re
import unicodedata
from functools import lru_cache

_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)", re.IGNORECASE)


def is_device(name):
    """Whether files of a name are devices to Windows, whatever ending follows: what is written there is gone."""
    return _DEVICES.match(name) is not None


@lru_cache(maxsize=1 << 14)
def folded(name):
    """The letters by which any system may compare a name: names that differ in them are two files everywhere.

    Coarser than each: Windows compares capitals, macOS letters without case and taken apart, and on some disks
    without those that are not seen. It is Unicode's compatibility caseless matching (The Unicode Standard, D146), of
    capitals, so that those of one capital are one.
    """
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    apart = unicodedata.normalize("NFD", seen).upper().casefold()
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", apart).upper().casefold())

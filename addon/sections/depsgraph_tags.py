# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects Blender evaluates anew because their settings were set, be it by a script."""

# By session_uid, since `take_tagged`.
_tagged: set[int] = set()


def tag(settings, _context):
    """Have Blender evaluate the object of some settings anew."""
    _tagged.add(settings.id_data.session_uid)
    settings.id_data.update_tag()


def take_tagged():
    """The session_uids of objects that were tagged; they are forgotten."""
    found = frozenset(_tagged)
    _tagged.clear()
    return found

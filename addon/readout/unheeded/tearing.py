# SPDX-License-Identifier: GPL-3.0-or-later
"""Tearing of what is filled, which holds together whatever it bears."""

from ...sections import is_filled
from ..complaint import Complaint


def of_filled(inputs):
    """Complaints about a solid that is to tear."""
    settings = inputs.where.obj.hooke
    if not (settings.tearing and is_filled(settings)):
        return []
    text = "Tearing does not act on what is filled: set Filling to 0, or turn Tearing off"
    return [Complaint(text, (), "INFO")]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which another file keeps some: they play, and hold no bake."""

from ...sections.cache_and_bake import not_editable
from ..complaint import Complaint


def holds_no_bake(inputs):
    """A Complaint about an object that plays and cannot be baked, with the way to have it baked."""
    text = not_editable(inputs.where.obj)
    return [Complaint(text, ("LOCAL",), "INFO")] if text else []

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of sheets that are set on a solid."""

from ...sections import without_effect
from ..complaint import Complaint


def of_filled(inputs):
    """Complaints about settings that have no effect on a solid."""
    settings = inputs.where.obj.hooke
    names = [settings.bl_rna.properties[name].name for name in without_effect(settings)]
    if not names:
        return []
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    text = (
        f"{listed} {'do' if len(names) > 1 else 'does'} not act on what is filled: set Filling to 0, or take "
    )
    return [Complaint(f"{text}{'these' if len(names) > 1 else 'it'} back", (), "INFO")]

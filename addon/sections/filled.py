# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an object is a solid."""


def is_filled(settings):
    """Whether what is inside an object is material: then it is no cloth; settings: Object.hooke."""
    return settings.measure == "AREA" and settings.fill_stiffness > 0.0

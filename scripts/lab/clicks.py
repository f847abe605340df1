# SPDX-License-Identifier: GPL-3.0-or-later
"""What is clicked to do a task; needs bpy."""

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy


class Click(NamedTuple):
    """What is pressed, and what that does to an object; panel: type of a panel that it opens, closed by default."""

    what: str
    does: Callable[[Any], object] = lambda obj: None
    panel: str = ""


def count(clicks):
    """Number of clicks; raises ValueError where a panel that counts as closed is open by default."""
    for click in clicks:
        if click.panel and "DEFAULT_CLOSED" not in getattr(getattr(bpy.types, click.panel), "bl_options", ()):
            raise ValueError(f"{click.panel} is open by default: opening it is no click")
    return len(clicks)


def listed(clicks):
    """The clicks in words."""
    return " · ".join(click.what for click in clicks) or "none beside saving and opening"

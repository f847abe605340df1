# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of `sections` for modules that still ask for them here."""

from . import sections
from .sections import (
    HookeSettings as HookeSettings,
)
from .sections import (
    begin as begin,
)
from .sections import (
    settings_fingerprint as settings_fingerprint,
)
from .sections import (
    shown_options as shown_options,
)
from .sections import (
    simulation as simulation,
)
from .sections import (
    starts_elsewhere as starts_elsewhere,
)
from .sections import (
    starts_from_saved_pose as starts_from_saved_pose,
)


def network(obj, points, edges, polygons, pins):
    """As `sections.network`, with the pins' weights, shape (vertex_count,)."""
    return sections.network(obj, points, edges, polygons, sections.read_maps(obj) | {"pin_group": pins})

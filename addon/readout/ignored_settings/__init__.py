# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of an object that Hooke ignores: the status names them, so that a tick means that all settings act.

The status reads the catalogue `IGNORED`: functions from Inputs of the object's mesh to Complaints. Those of `FORESEEN`
appear before the first frame alone: they are remarks, and nothing is wrong.
"""

from . import filled, library, order, painted, rest_shape, seams, weights

IGNORED = (
    order.below_hooke,
    order.below_collision,
    weights.changed,
    painted.without_strength,
    painted.empty_maps,
    painted.beyond_weights,
    rest_shape.keyed,
    rest_shape.of_cloth,
    seams.open_seams,
    filled.of_filled,
)
FORESEEN = (
    library.holds_no_bake,
    rest_shape.pulled,
    painted.pinned_by_nothing,
    painted.outside_maps,
    seams.hanging,
)


def foreseen(inputs):
    """Complaints that are told before an object is simulated, and not while it is; inputs: of its mesh."""
    return [complaint for find in FORESEEN for complaint in find(inputs)]


def ignored(inputs):
    """Complaints about an object, a list; inputs: of its mesh, see `play.inputs`."""
    return [complaint for find in IGNORED for complaint in find(inputs)]

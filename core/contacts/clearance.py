# SPDX-License-Identifier: GPL-3.0-or-later
"""How clear of a shape a body stays, by the boxes about both."""

import numpy as np


def clearance(box, ways, margin, thickness):
    """Height [m] over a shape that the body keeps at least, 0 where it may come to touch it, as far as boxes tell.

    box: lowest and highest corners about the shape, or None where it has no end; ways: Ways of the particles; margin:
    height within which they touch however little they move; thickness: distance to keep [m].
    """
    if box is None:
        return 0.0
    (low, high), (lowest, highest, farthest) = box, ways.box
    between = np.maximum(np.maximum(low - highest, lowest - high), 0.0)
    clear = float(np.linalg.norm(between) - thickness - max(farthest, margin))
    # Of what is not finite nothing is known.
    return clear if clear > 0.0 else 0.0

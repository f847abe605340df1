# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the pins of a body belong while it is simulated."""

import numpy as np

from .quantities import real_array


class PinTargets:
    """Targets of all pinned particles now, and on their way during a step.

    body: Body. now: [m], one row a pinned particle in index order.
    """

    def __init__(self, body):
        self._body, self._network = body, body.network
        self.now = self._network.points[self._network.pinned]

    def path(self, pin_targets, time, substeps):
        """Callable number of the substep -> targets of all pinned particles at its end.

        pin_targets: as in `Simulation.step`; time: number of the substep -> t at its end [s].
        """
        if pin_targets is None:
            return lambda number: self.now
        if callable(pin_targets):
            return lambda number: self.rows(pin_targets(time(number)))
        start, end = self.now, self.rows(pin_targets)

        def straight_line(number):
            # The last substep must end on the target itself, not on its rounding.
            return end if number == substeps else start + (number / substeps) * (end - start)

        return straight_line

    def rows(self, targets):
        """Targets of all pinned particles; raises ValueError for another shape, or where one is not finite."""
        targets = real_array("pin targets", targets)
        body, network = self._body, self._network
        if not np.isfinite(targets).all():
            raise ValueError("a pin target is not finite: check what moves the pinned vertices")
        if targets.shape == (len(body.pinned_vertices), 3) and body.vertex_count != network.vertex_count:
            vertices = np.zeros((body.vertex_count, 3))
            vertices[body.pinned_vertices] = targets
            # Where a particle is pinned, it is by pinned vertices alone.
            return body.particle_targets(vertices)[network.pinned]
        if targets.shape == (len(network.pinned), 3):
            return targets
        if targets.shape == (body.vertex_count, 3):
            return body.particle_targets(targets)[network.pinned]
        if targets.shape == (len(network.hard_pins), 3):
            rows = self.now.copy()
            rows[np.searchsorted(network.pinned, network.hard_pins)] = targets
            return rows
        raise ValueError(
            f"pin targets have shape {targets.shape}: give x, y, z for the {len(network.hard_pins)} hard "
            f"pins, the {len(network.pinned)} pinned vertices or all {body.vertex_count} vertices"
        )

    def restored(self, targets):
        """An array of finite numbers, one row a pinned particle, else ValueError."""
        targets = real_array("pin targets", targets)
        if targets.shape != self.now.shape or not np.isfinite(targets).all():
            raise ValueError(
                f"pin targets of shape {targets.shape}: give finite numbers of shape {self.now.shape}"
            )
        return targets

# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of a network from frame to frame: seams, plasticity, tearing, and functions of time."""

from collections.abc import Mapping

import numpy as np

from .quantities import told


class Changing:
    """Finds what a frame changes of a network.

    quantities: dict of name -> callable t [s] -> value, each as of `SpringNetwork.changed`; dt: of a frame [s].
    Raises ValueError where quantities is no dict of callables.
    """

    def __init__(self, quantities, dt):
        if not isinstance(quantities, Mapping):
            raise ValueError(f"quantities is {quantities!r}: give a dict of functions of time by name")
        for name, value in quantities.items():
            if not callable(value):
                raise ValueError(f"{name} of quantities is {told(value)}: give a function of time")
        self.quantities, self._dt = dict(quantities), dt

    def of_frame(self, network, x, t, passed):
        """Arguments of `SpringNetwork.changed` for the frame that ends at t, so long after the start [s]; {} for none.

        x: where particles are before it [m].
        """
        found = {name: value(t) for name, value in self.quantities.items()}
        if len(network.seams):
            seams, stencils = network.seams, network.stencils
            lengths, firm = seams.drawn(stencils, x, passed)
            # Of seams alone: others may change by themselves.
            given = np.array(found.get("stencil_stiffness", stencils.stiffness))
            given[seams.stencils] = firm[seams.stencils]
            found |= {"stencil_rest_lengths": lengths, "stencil_stiffness": given}
        if network.tearing is not None:
            found["broken"] = network.tearing.breaking(network, x)
        if network.yielding is not None:
            found |= self._flowed(network, x, found)
        return {name: value for name, value in found.items() if np.any(value != getattr(network, name))}

    def _flowed(self, network, x, found):
        """Lengths at rest after what yields has flowed, by those that they have otherwise."""
        yielding = network.yielding
        plastic = yielding.stretched(network, x, self._dt)
        lengths = plastic * found.get("rest_lengths", yielding.stretch.first)
        flowed = {"plastic": plastic, "rest_lengths": lengths}
        if len(yielding.bent):
            otherwise = found.get("stencil_rest_lengths", network.stencils.rest_lengths)
            flowed["stencil_rest_lengths"] = yielding.bends(network, x, otherwise, self._dt)
        return flowed

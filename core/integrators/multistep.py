# SPDX-License-Identifier: GPL-3.0-or-later
"""What an implicit integrator remembers of the step before, for BDF2 and for the secant."""

from ..solvers.secant import Secant
from ..state import State
from .integrator import Integrator


class Multistep(Integrator):
    """An integrator whose step may depend on the state one step before, and on what a Secant has learnt."""

    time_stepping: str
    _second_order: bool
    _previous: State | None
    _secant: Secant | None

    @property
    def history(self):
        """Of BDF2 the positions [m] and velocities [m/s] one step before the state, then that of `Secant`.

        () before the first step.
        """
        past = () if self._previous is None else (self._previous.x, self._previous.v)
        return past if self._secant is None else past + self._secant.history

    def restore_history(self, arrays):
        """Continue from a `history`; from () as at the very start.

        Raises ValueError for arrays that are no history of this method.
        """
        past = 2 if self._second_order else 0
        count = past if self._secant is None else past + 2
        if len(arrays) not in (0, count):
            raise ValueError(
                f"{self.label} with {self.time_stepping} keeps no history of {len(arrays)} arrays: restore "
                "what a simulation with the same time_stepping and acceleration gave"
            )
        self._previous = State(*arrays[:past]) if past and len(arrays) else None
        if self._secant is not None:
            self._secant.restore_history(arrays[past:])

    def correct(self, returned, corrected):
        """Move the past of vertices that contacts struck to where their new motion would come from.

        A contact is an impulse: BDF2's differences are of the smooth motion about it, or they would make a
        vertex rebound by a third of the speed it lost.
        """
        if self._previous is None:
            return
        struck = corrected.v - returned.v
        struck[self.system.network.hard_pins] = 0.0
        moved = corrected.x - returned.x
        self._previous = State(self._previous.x + moved - self.dt * struck, self._previous.v + struck)

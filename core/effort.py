# SPDX-License-Identifier: GPL-3.0-or-later
"""How much work a frame gets: settings of the solver under names that need no knowledge of it."""

from dataclasses import asdict, dataclass
from math import isclose


@dataclass(frozen=True)
class Effort:
    """Arguments of `Simulation` that trade time for truth, and what to expect of them.

    label, description: for people; the others as in `Simulation` and `ProjectiveDynamics`.
    """

    label: str
    description: str
    substeps: int
    iterations: int
    acceleration: str = "NONE"
    tolerance: float = 0.0
    time_stepping: str = "BACKWARD_EULER"
    carried_stiffness: str = "ALL"

    @property
    def settings(self):
        """The arguments by name."""
        return {name: value for name, value in asdict(self).items() if name not in ("label", "description")}


_TRUE = ("NEWTON", 0.0, "BDF2", "ATTAINABLE")

# Measured on hanging and swinging sheets; docs/solver_figures.md has the table.
EFFORTS = {
    "DRAFT": Effort(
        "Draft", "Fastest, to try out pins and timing: it stretches and lags a little", 2, 3, *_TRUE
    ),
    "STANDARD": Effort("Standard", "Plays ten thousand vertices live, with accurate motion", 3, 3, *_TRUE),
    "FINE": Effort(
        "Fine", "For final bakes: truer and stiffer, at about three times the time of Standard", 7, 4, *_TRUE
    ),
    "CONVERGED": Effort(
        "Converged",
        "Solves the equations of every substep to a thousandth with all the stiffness, as a reference: slow",
        5,
        1000,
        "NEWTON",
        1e-3,
        "BDF2",
    ),
}


def effort_of(settings):
    """Id of the effort whose settings these are, or None.

    settings: object with the attributes `Effort.settings` names.
    """
    for name, effort in EFFORTS.items():
        if all(_same(getattr(settings, key), value) for key, value in effort.settings.items()):
            return name
    return None


def _same(one, other):
    # Blender keeps numbers in single precision.
    return isclose(one, other, rel_tol=1e-6) if isinstance(other, float) else one == other

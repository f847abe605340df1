# SPDX-License-Identifier: GPL-3.0-or-later
"""How contacts take part in a simulation: the method and the set of contacts that belong together."""

from ..contact.potential_contacts import PotentialContacts
from ..contacts.seats import Seats
from . import INTEGRATORS
from .potential_dynamics import PotentialDynamics
from .potential_euler import PotentialEuler
from .split_contacts import SplitContacts

# Names of the laws.
CONTACT_LAWS = ("SEATS", "POTENTIAL")

# Methods that minimise contacts along with all else; the others are split from them.
_MINIMISING = {"PROJECTIVE_DYNAMICS": PotentialDynamics, "IMPLICIT_EULER": PotentialEuler}


def of_law(integrator, contact_law):
    """Class of the Integrator, and of the set of contacts, for an id in INTEGRATORS and a law of contact.

    Raises ValueError for laws that there are not.
    """
    if contact_law == "SEATS":
        return INTEGRATORS[integrator], Seats
    if contact_law not in CONTACT_LAWS:
        raise ValueError(f"contact_law is {contact_law!r}: use one of {', '.join(CONTACT_LAWS)}")
    if integrator in _MINIMISING:
        return _MINIMISING[integrator], PotentialContacts
    return INTEGRATORS[integrator], SplitContacts

# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts whose quantities are functions of time."""

from operator import is_

from .contact import Contact


def vary(contacts, t):
    """Whether any quantity of PotentialContacts is another one at t [s]."""
    return not all(map(is_, _at(contacts, t), contacts.made_of[1]))


def contacts_at(contacts, t):
    """PotentialContacts with all quantities as they are at t [s]: themselves where nothing changes, or t is None.

    What is known of a substep before is left to be restored.
    """
    if t is None or not vary(contacts, t):
        return contacts
    body, _, gravity = contacts.made_of
    return type(contacts)(body, _at(contacts, t), gravity)


def _at(contacts, t):
    return [of.at(t) if isinstance(of, Contact) else of for of in contacts.made_of[1]]

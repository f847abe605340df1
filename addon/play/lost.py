# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps a frame from being read or simulated though nothing was edited; the message says what."""


class Lost(Exception):
    """A frame that is not to be had from what is kept."""


class Otherwise(Lost):
    """What is around the object is of another kind than at the start; short: the message in few words; remedy: what
    helps; gone: the name of what is there no more, if that is all."""

    def __init__(self, message, remedy, short="", gone=""):
        super().__init__(message)
        self.remedy, self.short, self.gone = remedy, short, gone


class Damaged(Lost):
    """The frame cannot be read as it was made."""


class Unresumable(Lost, ValueError):
    """The frames end here and cannot be simulated on for what they lack."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of a frame that cannot be read or simulated although nothing was edited."""


class FrameError(Exception):
    """A frame that the kept ones do not give; the message says why."""


class OtherSurroundings(FrameError):
    """The surroundings of the object are of another kind than at the start frame.

    short: the message in few words; remedy: advice; gone: name of the thing that was removed, if that is all.
    """

    def __init__(self, message, remedy, short="", gone=""):
        super().__init__(message)
        self.remedy, self.short, self.gone = remedy, short, gone


class Damaged(FrameError):
    """The frame cannot be read as it was made."""


class Unresumable(FrameError, ValueError):
    """The frames end here, and lack values from which the simulation could continue."""

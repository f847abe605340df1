# SPDX-License-Identifier: GPL-3.0-or-later
"""A remedy of one click."""


class Remedy:
    """Something that can be set right: whether and how is said of an object in a scene."""

    id: str

    def label(self, obj, scene) -> str:
        """The button's text, "" where there is nothing to do."""
        raise TypeError(f"{type(self).__name__} says nothing: a remedy must")

    def apply(self, obj, scene):
        """Set it right; returns False where that changed nothing, which is told."""
        raise TypeError(f"{type(self).__name__} applies nothing: a remedy must")

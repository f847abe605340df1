# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendered pictures in a third of their size."""

from PIL import Image

COLOURS = 128


def few_colours(path, colours=COLOURS):
    """Write a PNG again with a palette of so many colours, without dithering: what is rendered has few."""
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(colours)
    small.save(path, optimize=True)

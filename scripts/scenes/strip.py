# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures side by side, and rows of them one below the other."""

from typing import Any

import bpy
import numpy as np

GAP = 5


def read_picture(path):
    """Pixels of an image file as stored, float32, shape (height, width, 4), first row on top."""
    image: Any = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.empty(4 * width * height, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[::-1]


def join(pictures, axis):
    """Pictures with a white gap between them: axis 1 side by side, 0 one below the other."""
    shape = list(pictures[0].shape)
    shape[axis] = GAP
    gap = np.ones(shape, dtype=np.float32)
    parts = [part for picture in pictures for part in (gap, picture)]
    return np.concatenate(parts[1:], axis=axis)


def write_picture(path, pixels):
    """Write pixels as `read_picture` gives them into a PNG, opaque and fully compressed."""
    height, width, _ = pixels.shape
    image: Any = bpy.data.images.new("Strip", width, height)
    image.pixels.foreach_set(np.ascontiguousarray(pixels[::-1], dtype=np.float32).ravel())
    scene = bpy.data.scenes.new("Strip")
    settings = scene.render.image_settings
    settings.file_format, settings.color_mode, settings.compression = "PNG", "RGB", 100
    # The pictures have had their scene's view transform: this one returns their pixels as they are.
    settings.color_management = "OVERRIDE"
    settings.view_settings.view_transform = "Standard"
    image.save_render(str(path), scene=scene)
    bpy.data.scenes.remove(scene)
    bpy.data.images.remove(image)

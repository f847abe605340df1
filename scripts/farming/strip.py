# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside Blender: pictures side by side in one."""

from typing import Any

import bpy
import numpy as np

GAP = 5


def join(paths, whole):
    """Write pictures of one height side by side as a PNG, opaque and fully compressed, a white gap between them."""
    parts = []
    for path in paths:
        image: Any = bpy.data.images.load(str(path))
        width, height = image.size
        pixels = np.empty(4 * width * height, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
        parts += [np.ones((height, GAP, 4), dtype=np.float32), pixels.reshape(height, width, 4)]
    pixels = np.concatenate(parts[1:], axis=1)
    image = bpy.data.images.new("Strip", pixels.shape[1], pixels.shape[0])
    image.pixels.foreach_set(pixels.ravel())
    scene = bpy.data.scenes.new("Strip")
    settings = scene.render.image_settings
    settings.file_format, settings.color_mode, settings.compression = "PNG", "RGB", 100
    # The pictures have had their scene's view transform: this one returns their pixels as they are.
    settings.color_management = "OVERRIDE"
    settings.view_settings.view_transform = "Standard"
    image.save_render(str(whole), scene=scene)
    bpy.data.scenes.remove(scene)
    bpy.data.images.remove(image)

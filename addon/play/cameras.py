# SPDX-License-Identifier: GPL-3.0-or-later
"""Which camera a marker switches to at a frame, for nodes and constraints that ask for the scene's camera."""


def switch(scene):
    """Give a scene the camera of its current frame, before the frame is evaluated.

    The window and renders do so. `Scene.frame_set` evaluates the frame first and switches then: a script would read
    the camera of the frame before, and every later evaluation another one.
    """
    camera = of_frame(scene)
    if camera is not None and camera != scene.camera:
        scene.camera = camera


def of_frame(scene):
    """The camera of the last marker up to the current frame, else of the first of all; None where no marker has one.

    As Blender chooses it: by the frame that the render's time remapping gives; cameras that no render shows are passed
    over.
    """
    markers = [
        marker
        for marker in scene.timeline_markers
        if marker.camera is not None and not marker.camera.hide_render
    ]
    now = int(scene.frame_current_final)
    passed = [marker for marker in markers if marker.frame <= now]
    if passed:
        return max(passed, key=lambda marker: marker.frame).camera
    return min(markers, key=lambda marker: marker.frame).camera if markers else None

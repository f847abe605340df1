# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's scenes.

Each scene is a module with NAME, FPS, FRAME_END, MOMENTS (frames for the picture strip), SETTINGS (of
Object.hooke), PANEL (a picture's width and height in pixels) and build(), which returns (scene, object to
simulate). `studio` has what they share, `strip` puts pictures side by side.
"""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's events: frames, edits at the start frame, files, undo and rendering."""

import sys
import traceback
from functools import partial
from pathlib import Path

import bpy
from bpy.app.handlers import persistent

from ...core.cache import CacheError
from .. import cache_files, preferences
from ..bakes import files, played_file
from ..console import warn
from ..mesh_io import MeshError
from . import cameras, ranges, sessions

# Rendering runs the frame handler in another thread than the viewport's drawing: Blender's interface lock must
# be on meanwhile. None outside a render, else the user's own setting of the lock.
_lock_before_render: bool | None = None

_folder_before_saving: Path | None = None

# Idle time after which the files of a cache are closed [s]: longer than pauses while scrubbing.
IDLE = 5.0

# Regions that tell of simulations.
_TELLING = {("VIEW_3D", "UI"), ("DOPESHEET_EDITOR", "WINDOW"), ("PROPERTIES", "WINDOW")}

# While a render is being ended, its scene and the camera that was taken from it.
_camera: tuple | None = None


@persistent
def _frame_changes(scene, *_):
    sessions.note_edits(scene)
    # A render that is being ended has no camera.
    if _camera is None and sessions.simulated_objects(scene):
        cameras.switch(scene)


@persistent
def _frame_changed(scene, depsgraph):
    sessions.update_scene(scene, depsgraph, rendering=_lock_before_render is not None)
    _redraw()


@persistent
def _depsgraph_updated(scene, depsgraph):
    if sessions.follow_edits(scene, depsgraph):
        _redraw()


@persistent
def _file_closes(*_):
    sessions.drop_all()
    files.discard_released()


@persistent
def _file_loaded(_path):
    files.after_load()
    sessions.drop_all()
    cache_files.forget_unsaved()
    for obj in bpy.data.objects:
        told = played_file.problem(obj) if obj.type == "MESH" else ""
        if told:
            warn(f"hooke: {told}")
    _show_soon()
    bpy.app.timers.register(let_go_of_idle, first_interval=IDLE, persistent=True)


@persistent
def _file_is_saved(path, *_):
    global _folder_before_saving
    try:
        _folder_before_saving = cache_files.folder()
    except CacheError:
        _folder_before_saving = None
    for scene in bpy.data.scenes:
        sessions.tidy(sessions.simulated_objects(scene))
    files.before_save(path)


@persistent
def _file_saved(path, *_):
    sessions.follow_saved_file(_folder_before_saving)
    files.after_save(path)


def _show_soon():
    """Show a file that was opened as it was left: its start poses, and which frames are cached."""
    if not bpy.app.background and not bpy.app.timers.is_registered(show_opened):
        bpy.app.timers.register(show_opened, first_interval=0.0)


def show_opened():
    """Show the frame of the scene that is open, as a change of frame would."""
    scene = bpy.context.scene
    if scene is not None and sessions.simulated_objects(scene):
        sessions.update_scene(scene, bpy.context.evaluated_depsgraph_get())


def let_go_of_idle():
    """Close idle caches, as Windows does not move or delete open files; returns the time until the next call [s]."""
    for frames in sessions.open_frames():
        frames.let_go(unused_for=IDLE)
    return IDLE


@persistent
def _undone(scene, *_):
    # Frames that a reset let go of are on disk until they are simulated again.
    sessions.take_up()
    # Undo brings back the mesh as it was saved, and with it the pose of another frame.
    depsgraph = bpy.context.evaluated_depsgraph_get()
    sessions.update_scene(scene, depsgraph)


@persistent
def _render_begins(scene, *_):
    global _lock_before_render
    preferences.use_threads(rendering=True)
    if _lock_before_render is None:
        _lock_before_render = scene.render.use_lock_interface
        scene.render.use_lock_interface = True


@persistent
def _render_frame(scene, *_):
    """Before a frame is evaluated: have what it shows, or end the render, since it would show something else."""
    global _camera
    sessions.note_edits(scene)
    try:
        ranges.complete(scene)
    except Exception as error:
        if not isinstance(error, MeshError):
            traceback.print_exception(error, file=sys.stderr)
        refused = f"{error}; the render ends before frame {scene.frame_current}"
        warn(f"hooke: {refused}")
        if not bpy.app.background:
            bpy.app.timers.register(partial(_tell, refused), first_interval=0.5)
        # No handler can end a render, but without a camera Blender does: the operator raises RuntimeError, and a
        # Blender that was started to render ends with status 1.
        _camera = scene, scene.camera
        scene.camera = None
        return
    # A render of a single picture evaluates without a change of frame.
    sessions.update_scene(scene, None, rendering=True)


def _tell(refused):
    """Say in the window why a render ended."""

    def draw(menu, _context):
        menu.layout.label(text=refused)

    bpy.context.window_manager.popup_menu(draw, title="Hooke", icon="ERROR")


@persistent
def _render_ends(scene, *_):
    global _lock_before_render, _camera
    if _camera is not None:
        _camera[0].camera, _camera = _camera[1], None
    sessions.let_go()
    preferences.use_threads()
    if _lock_before_render is not None:
        scene.render.use_lock_interface = _lock_before_render
        _lock_before_render = None


def _redraw():
    """Draw the panels and the lines of the caches anew: Blender does not, while it plays."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None else ():
        for area in window.screen.areas:
            for region in area.regions:
                if (area.type, region.type) in _TELLING:
                    region.tag_redraw()


_HANDLERS = {
    "frame_change_pre": _frame_changes,
    "frame_change_post": _frame_changed,
    "depsgraph_update_post": _depsgraph_updated,
    "load_pre": _file_closes,
    "load_post": _file_loaded,
    "save_pre": _file_is_saved,
    "save_post": _file_saved,
    "undo_post": _undone,
    "redo_post": _undone,
    "render_init": _render_begins,
    "render_pre": _render_frame,
    "render_complete": _render_ends,
    "render_cancel": _render_ends,
}


def register():
    """Add the handlers."""
    for event, handler in _HANDLERS.items():
        handlers = getattr(bpy.app.handlers, event)
        # Changes by other add-ons' handlers before a frame belong to that frame; they are no edit of the one before.
        handlers.insert(0 if event == "frame_change_pre" else len(handlers), handler)
    cache_files.forget_unsaved()
    _show_soon()


def unregister():
    """Remove the handlers, forget every simulation, and tidy up: Blender closes, or Hooke is turned off."""
    files.discard_released()
    for event, handler in _HANDLERS.items():
        getattr(bpy.app.handlers, event).remove(handler)
    for timer in (show_opened, let_go_of_idle):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    sessions.drop_all()

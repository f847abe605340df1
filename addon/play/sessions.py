# SPDX-License-Identifier: GPL-3.0-or-later
"""Running simulations, one session an object.

A frame is simulated only from the one before it, and only by its session's take: playback, scrubbing, rendering,
baking and the command line all go through it.
"""

from contextlib import contextmanager

import bpy

from .. import cache_files, mesh_io, output_nodes, sections
from . import upstream
from .inputs import Where
from .session import Session

# Every session, by the session_uid of its object.
by_object: dict[int, Session] = {}

# While a bake goes through the frames by itself, Blender's events are not followed.
_paused = False


@contextmanager
def paused():
    """Follow neither frames nor edits meanwhile."""
    global _paused
    _paused = True
    try:
        yield
    finally:
        _paused = False


def of(obj):
    """The object's session, which begins with this if there is none."""
    if obj.session_uid not in by_object:
        # Before anything is read or written under the name of its files.
        cache_files.part_copies(by_object)
        by_object[obj.session_uid] = Session()
    return by_object[obj.session_uid]


def find(obj):
    """The object's session, or None."""
    return by_object.get(obj.session_uid)


def to_bake(obj, count):
    """So many frames of an object's session, and a callable number of a frame -> mask of its torn faces, or None."""
    shown, faces = find(obj).displayed, len(obj.data.polygons)
    return shown.frames[:count], lambda index: shown.torn(index, faces)


def drop(obj):
    """Forget the object's simulation and show the pose that enters Hooke; frames on disk stay there."""
    running = by_object.pop(obj.session_uid, None)
    if running is not None:
        running.close()
    mesh_io.clear_positions(obj.data)


def reset(obj):
    """Forget the object's simulation; frames on disk stay until it is simulated again, and undo takes them up."""
    of(obj).begin_anew()
    mesh_io.clear_positions(obj.data)


def discard(obj):
    """Forget the object's simulation and remove its frames from disk too."""
    cache_files.part_copies(by_object)
    running = find(obj)
    drop(obj)
    cache_files.remove(obj, running is not None and running.cache.spare)


def drop_all():
    """Forget every simulation; frames on disk stay there."""
    for running in by_object.values():
        running.close()
    by_object.clear()


def open_frames():
    """Frames in use of which any are on disk, a list."""
    stored = (running.disk_frames() for running in by_object.values())
    return [frames for frames in stored if frames is not None]


def open_paths():
    """PC2 files that sessions have open."""
    return {frames.path for frames in open_frames()}


def simulated_objects(scene):
    """Objects of the scene that Hooke simulates, a bake aside."""
    return [
        obj for obj in scene.objects if obj.type == "MESH" and obj.hooke.enabled and not obj.hooke.bake.exists
    ]


def seen_layer(scene):
    """The view layer that the window shows, in which things are hidden or not."""
    window = bpy.context.window
    return window.view_layer if window is not None and window.scene == scene else scene.view_layers[0]


def _is_unseen(scene, depsgraph):
    """Whether a dependency graph is of another view layer than the seen one: a change of frame evaluates each."""
    return len(scene.view_layers) > 1 and depsgraph.view_layer != seen_layer(scene)


def in_turn(objects, scene, depsgraph):
    """Simulated objects and all that act on them, which are simulated too: these before those they act on.

    Those that collide with each other come together, in the scene's order.
    """
    among = {obj for obj in simulated_objects(scene) if sections.may_act(obj)}
    if not among:
        return objects
    # A dict keeps its order, and tests membership at once.
    ordered: dict = {}

    def visit(obj, waiting):
        if obj in ordered or obj in waiting:
            return
        members = sections.together(Where(obj, scene, depsgraph)) or [obj]
        for member in members:
            for source in sections.sources(Where(member, scene, depsgraph)):
                if source in among:
                    visit(source, {*waiting, *members})
        ordered.update(dict.fromkeys(members))

    for obj in objects:
        visit(obj, set())
    return list(ordered)


def findings(obj, scene, depsgraph):
    """What acts on an object from outside, and sentences about what does not, see `sections.findings`."""
    return sections.findings(Where(obj, scene, depsgraph))


def left_out(obj, scene, depsgraph):
    """Sentences about visible objects that do not act on an object, or only in part, a list."""
    with sections.looked_at_once():
        return sections.left_out(Where(obj, scene, depsgraph))


def update_scene(scene, depsgraph, rendering=False):
    """Show the scene's current frame on every simulated object; forget those that are gone.

    rendering: show it as it was made, see `ranges.complete`.
    """
    if _paused or sections.is_reading() or (not rendering and _is_unseen(scene, depsgraph)):
        return
    _forget_deleted()
    objects = simulated_objects(scene)
    with sections.looked_at_once():
        for obj in objects if rendering else _in_turn_or_told(objects, scene, depsgraph):
            running = of(obj)
            with running.telling(scene):
                running.follow_groups(obj)
                # A mesh in Edit Mode, be it through another object, is Blender's working copy, not ours to write.
                if not obj.data.is_editmode:
                    if rendering:
                        running.show_kept(obj, scene)
                    else:
                        running.show(obj, scene, depsgraph)


def _in_turn_or_told(objects, scene, depsgraph):
    """As `in_turn`; none, and each says why, where that cannot be found out."""
    try:
        return in_turn(objects, scene, depsgraph)
    except Exception as error:
        for obj in objects:
            of(obj).fail(error, scene)
        return []


def _forget_deleted():
    alive = {obj.session_uid for obj in bpy.data.objects}
    for uid in [uid for uid in by_object if uid not in alive]:
        by_object.pop(uid).close()


def take_up():
    """Let every session take up frames from disk again; undo may have given a copy back the name of the original's."""
    cache_files.part_copies(by_object)
    for running in by_object.values():
        running.take_up()


def let_go():
    """Let no session hold frames for a render any more."""
    for running in by_object.values():
        running.displayed.let_go()


def note_edits(scene):
    """Have what was edited since Blender last evaluated a scene compared in the frame that is shown next.

    A script that goes from frame to frame leaves no other event between an edit and a frame.
    """
    if _paused or not by_object:
        return
    pending, of_settings = upstream.edited(scene), sections.take_tagged()
    if not pending:
        return
    uses = upstream.uses()
    for obj in simulated_objects(scene):
        running = find(obj)
        if running is not None and not (running.edited and running.moved):
            around = [other for other in scene.objects if other.session_uid in running.around]
            acting = upstream.reached([obj, *around], uses)
            if not any(upstream.key(block) in pending for block in (scene, *acting)):
                continue
            running.edited = True
            # The mesh's own points are compared in every frame, and Hooke writes to it.
            acting.discard(obj.data)
            if upstream.key(obj.data) in pending and upstream.key(obj) not in pending:
                # What is written to a mesh touches its shape keys as well; an edit of these touches the object too.
                acting.discard(obj.data.shape_keys)
            if obj.session_uid in of_settings and obj.matrix_basis == running.placed:
                # Blender evaluates the object anew, which is where it was.
                acting.discard(obj)
            running.moved = running.moved or any(upstream.key(block) in pending for block in acting)


def follow_edits(scene, depsgraph):
    """After an edit: at the start frame take the new start pose, elsewhere forget what became stale.

    Returns whether any simulation may be another than before.
    """
    if _paused or sections.is_reading() or _is_unseen(scene, depsgraph):
        return False
    _forget_deleted()
    objects = simulated_objects(scene)
    cache_files.part_copies(by_object)
    tidy(objects)
    edited, any_touched = {update.id.original for update in depsgraph.updates}, False
    with sections.looked_at_once():
        for obj in objects:
            if scene.frame_current == obj.hooke.frame_start and not (
                obj.data.is_editmode or scene.frame_subframe
            ):
                of(obj).capture_start(obj, scene, depsgraph)
        for obj in objects:
            running = find(obj)
            if running is None:
                continue
            with running.telling(scene, stops=False):
                running.follow_groups(obj)
                if not obj.data.is_editmode and _touched(running, obj, scene, depsgraph, edited):
                    any_touched = True
                    running.recheck(obj, scene, depsgraph)
    return any_touched


def _touched(running, obj, scene, depsgraph, edited):
    """Whether an edit was of the object or of what acts on it, of what does, or of the scene's time or gravity."""
    own = {obj, obj.data, obj.data.shape_keys}
    before = running.around, running.of_scene
    around = running.look_around(obj, scene, depsgraph)
    acting = own.union(around, (source.data for source in around))
    return bool(edited & acting) or (running.around, running.of_scene) != before


def tidy(objects):
    """Remove what Hooke's modifier left on the meshes of simulated objects where it was applied or removed by hand."""
    for obj in objects:
        if not obj.data.is_editmode and output_nodes.find(obj) is None:
            mesh_io.remove_attributes(obj.data)


def follow_saved_file(before):
    """After saving under another name, take the caches along; before: their folder before saving."""
    for scene in bpy.data.scenes:
        cache_files.follow_saved_file(simulated_objects(scene), by_object, before)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking without an interface: objects simulated in one pass, saved once, told of in one report."""

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import bpy

from ...core import INTEGRATORS
from ...core.cache import CacheError
from .. import bakes, operators, preflight
from ..arguments import apply_settings, check_groups, check_mode_options, open_file, source
from ..bakes import files, report, saving
from ..bakes.command_files import CommandFiles, linked
from ..bakes.files import UnwrittenError
from ..console import say, warn
from ..mesh_io import MeshError
from ..play import current_frame, ranges, sessions
from ..play.range_operator import Progress


class _Wanted(NamedTuple):
    """An object to bake, its mode and Options, and whether frames that it had cached before are to stay."""

    obj: bpy.types.Object
    mode: str
    how: bakes.Options
    keeps_cache: bool


def bake(options):
    """Bake what the options of the command name; raises MeshError, Refused, CacheError, OSError."""
    named = _named_files(options)
    open_file(options.file)
    # The file may have been opened before Hooke was there to notice.
    files.after_load()
    scene, objects = _all_simulated() if options.all else _find_objects(options.object)
    if named.cache_file is not None and len(objects) > 1:
        raise MeshError(
            f"{len(objects)} objects cannot share one --cache-file: leave it out, or bake them one by one"
        )
    preflight.check_time(scene)
    # Frames an artist has cached stay; those of a run before this one, interrupted, are only to resume from.
    simulated = {obj for obj in objects if _is_simulated(obj)}
    for obj in objects:
        _apply_settings(scene, obj, options)
    wanted = [_wanted(obj, obj in simulated, options, named) for obj in objects]
    for obj in objects:
        _say_what_acts(scene, obj)
    try:
        entries, made = _simulate_and_save(scene, wanted, named.output)
    except UnwrittenError:
        # The frames are there to resume from once there is space.
        raise
    except MeshError as error:
        if isinstance(error.__cause__, CacheError):
            # Frames did not fit on the disk or in memory: those that did are there to go on from.
            raise error.__cause__ from error
        # Only an interrupted run has something to resume: this one would end the same way.
        _tidy(wanted)
        raise
    _tidy(wanted)
    for entry, baked, each in zip(entries, made, wanted, strict=True):
        for warning in baked.warnings:
            warn(f"hooke: {warning}")
        say(f"hooke: '{each.obj.name}' {bakes.summary(each.obj)}")
        say(f"hooke: baked {entry['frames']} frames of '{each.obj.name}' into {named.output}")
    if named.report is not None:
        report.write(named.report, entries, named.output)


def _wanted(obj, was_simulated, options, named):
    """The _Wanted of an object to which the options were applied; raises MeshError, Refused."""
    keeps_cache = was_simulated and sessions.of(obj).cache.exists(obj)
    sessions.of(obj).cache.keeps = keeps_cache
    mode = bakes.mode_for(obj, obj.hooke.bake_mode)
    check_mode_options(obj, mode, options)
    how = bakes.Options(
        step=obj.hooke.bake_step,
        tolerance=obj.hooke.bake_tolerance,
        filepath=str(named.cache_file or ""),
        blend=str(named.output),
        split=obj.hooke.bake_split,
    )
    bakes.check(obj, mode, how)
    kept = [("the cache of the bake", path) for path in bakes.own_files(obj, mode, how)]
    kept += [("the cache of simulated frames", path) for path in sessions.of(obj).cache.files(obj)]
    named.check(obj.name, kept + linked())
    return _Wanted(obj, mode, how, keeps_cache)


def _say_what_acts(scene, obj):
    """Say what acts on the object from outside, and warn of what does not, and of its mesh."""
    found, problems = sessions.findings(obj, scene, bpy.context.evaluated_depsgraph_get())
    for words in found:
        say(f"hooke: '{obj.name}' has {words}")
    for warning in [*preflight.mesh_warnings(obj), *problems]:
        warn(f"hooke: {warning}")


def _tidy(wanted):
    """Remove the simulated frames of objects, unless they had frames before."""
    for each in wanted:
        if not each.keeps_cache or sessions.of(each.obj).cache.spare:
            sessions.discard(each.obj)


def _simulate_and_save(scene, wanted, output):
    """Simulate, bake and save all, or leave the file as it was; returns entries of the report and Bakeds, lists."""
    made = []
    frame_before = scene.frame_current, scene.frame_subframe
    with _interrupts() as stop_if_interrupted:
        entries = _simulate(scene, [each.obj for each in wanted], stop_if_interrupted)
        # Before the first is baked: what the others are simulated with would be another then.
        shown = [
            sessions.to_bake(each.obj, entry["frames"]) for each, entry in zip(wanted, entries, strict=True)
        ]
        try:
            for (obj, mode, how, _), (frames, torn) in zip(wanted, shown, strict=True):
                how = how._replace(stop=stop_if_interrupted, torn=torn)
                made.append(bakes.make(obj, mode, frames, obj.hooke.frame_start, how))
            current_frame.go_to(scene, *frame_before)
            stop_if_interrupted()
            saving.save(output, [each.obj for each in wanted])
        except BaseException:
            for baked in made:
                if baked.cache_file:
                    files.withdraw(Path(baked.cache_file))
            raise
    entries = [
        report.entry(figures, each.mode, baked)
        for figures, each, baked in zip(entries, wanted, made, strict=True)
    ]
    return entries, made


def _named_files(options):
    """The CommandFiles of a bake, checked before its file is opened; raises MeshError, Refused."""
    baked = source(options.file)
    if baked is None and options.output is None:
        raise MeshError("no file is open to save the bake into: open one or give --output OUT.blend")
    named = CommandFiles.of(options, baked)
    named.check(", ".join(options.object or ()))
    return named.absolute()


def _all_simulated():
    """The scene that is open and all objects that Hooke simulates in it; raises MeshError where there are none."""
    scene = bpy.context.scene
    objects = [obj for obj in scene.objects if _is_simulated(obj)]
    if not objects:
        raise MeshError(f"Hooke simulates nothing in the scene '{scene.name}': name an object with --object")
    others = (obj for other in bpy.data.scenes for obj in other.objects if _is_simulated(obj))
    elsewhere = {obj.name for obj in others} - {obj.name for obj in objects}
    if elsewhere:
        names = ", ".join(repr(name) for name in sorted(elsewhere))
        warn(f"hooke: --all is the scene '{scene.name}', without {names}: bake those by --object")
    return scene, objects


def _is_simulated(obj):
    return obj.type == "MESH" and obj.hooke.enabled


def _find_objects(names):
    """The scene of the objects of these names, and the objects; raises MeshError unless they are in one."""
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise MeshError(f"object {twice!r} is named twice: leave one --object out")
    found = [_find_object(name) for name in names]
    scene = found[0][0]
    apart = next((obj for _, obj in found if obj.name not in scene.objects), None)
    if apart is not None:
        raise MeshError(f"{names[0]!r} and {apart.name!r} are not in one scene: bake them one by one")
    return scene, [obj for _, obj in found]


def _find_object(name):
    obj = bpy.data.objects.get(name)
    if obj is None:
        meshes = ", ".join(repr(other.name) for other in bpy.data.objects if other.type == "MESH")
        raise MeshError(
            f"there is no object {name!r} in the file: name one of its mesh objects, {meshes or 'none'}"
        )
    scenes = [bpy.context.scene, *bpy.data.scenes]
    scene = next((scene for scene in scenes if name in scene.objects), None)
    if scene is None:
        raise MeshError(f"object {name!r} is in no scene: link it to one")
    if scene != bpy.context.scene and bpy.context.window is not None:
        bpy.context.window.scene = scene
    return scene, obj


def _apply_settings(scene, obj, options):
    if obj.type == "MESH" and obj.hooke.bake.exists:
        say(f"hooke: replaces the bake of '{obj.name}'")
        bakes.clear(obj)
    if obj.type == "MESH":
        check_groups(obj, options)
    operators.add_hooke(scene, obj)
    apply_settings(obj, options)
    preflight.check_scipy(INTEGRATORS[obj.hooke.integrator])


@contextmanager
def _interrupts():
    """Note SIGINT instead of raising at once; gives the function that raises KeyboardInterrupt if one came.

    An exception within Blender's own calls would be printed and forgotten, and one within a write leave a part.
    """
    received: list[int] = []

    def stop_if_interrupted():
        if received:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    try:
        yield stop_if_interrupted
    finally:
        # Blender's own handler is not Python's to restore.
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)


class _Followed:
    """What is measured of an object while frames pass."""

    def __init__(self, obj):
        self.obj, self._running = obj, sessions.of(obj)
        self._milliseconds: list[float] = []
        self._strain, self._simulated = 0.0, 0

    def follow(self, frame):
        """Count a frame that all objects have, if it is of this one's range."""
        take, index = self._running.take, frame - self.obj.hooke.frame_start
        if not 0 <= index <= self.obj.hooke.frame_end - self.obj.hooke.frame_start:
            return
        if index == 0 and len(take) > 1:
            say(f"hooke: {len(take)} frames from the cache {self._running.cache.path(self.obj)}")
        if index == 0:
            # It may begin anew, where it finds frames of other inputs.
            self._milliseconds, self._strain = [], 0.0
        elif take.simulated > self._simulated:
            self._milliseconds.append(self._running.milliseconds)
        self._simulated = take.simulated
        self._strain = max(self._strain, take.strain(index) if index else 0.0)

    def figures(self):
        """What was simulated, see `report.figures`."""
        return report.figures(self.obj, self._running, self._milliseconds, self._strain)


def _simulate(scene, objects, stop_if_interrupted):
    """Simulate with a progress line every tenth of the frames; returns the figures of each object, a list."""
    first = min(obj.hooke.frame_start for obj in objects)
    total = max(obj.hooke.frame_end for obj in objects) - first + 1
    progress = Progress(", ".join(obj.name for obj in objects), total)
    followed = [_Followed(obj) for obj in objects]
    for frame in ranges.frames(scene, objects):
        stop_if_interrupted()
        for each in followed:
            each.follow(frame)
        if progress.reach(frame - first + 1):
            share, left = 100 * (frame - first + 1) // total, progress.seconds_left
            say(f"hooke: frame {frame}, {share} %, {left:.0f} s left")
    return [each.figures() for each in followed]

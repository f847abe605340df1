# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking without an interface: exit codes, progress and report."""

import json
import signal
import traceback
from contextlib import contextmanager
from pathlib import Path

import bpy

from ..core import INTEGRATORS
from ..core.cache import CacheError
from ..core.output_files import Refused
from . import bakes, farm_command, operators, preflight
from .arguments import apply_settings, check_groups, check_mode_options, open_file, parse, source
from .bakes import files, report, saving
from .bakes.command_files import CommandFiles, linked
from .bakes.files import UnwrittenError
from .console import say, warn
from .mesh_io import MeshError
from .play import inventory, ranges, sessions
from .play.range_operator import Progress
from .readout import before_flight

DONE, FAILED, UNUSABLE = 0, 1, 2

_command = None


def main(arguments):
    """Run `hooke bake …` or `hooke info …`, or hand `hooke farm …` on; returns the exit status.

    arguments: list of strings, the first is the sub-command.
    """
    try:
        return _status(arguments)
    finally:
        # The process may end without Python's own exit, which would let go of their locks.
        if arguments[:1] == ["bake"]:
            sessions.drop_all()


def _status(arguments):
    """The exit status of what the arguments ask for, once it was said what went wrong."""
    try:
        if arguments[:1] == ["farm"]:
            return farm_command.run(arguments[1:])
        options = parse(arguments)
        _COMMANDS[options.command](options)
    except UnwrittenError as error:
        warn(f"hooke: {error}{_kept()}")
        return FAILED
    except (MeshError, Refused, farm_command.NoFarm) as error:
        warn(f"hooke: {error}")
        return UNUSABLE
    except SystemExit as exit_request:
        return int(exit_request.code or DONE)
    except KeyboardInterrupt:
        warn(f"hooke: interrupted, nothing was saved{_kept()}")
        return FAILED
    except (CacheError, OSError) as error:
        warn(f"hooke: {error}{_kept()}")
        return FAILED
    except Exception as error:
        traceback.print_exc()
        warn(f"hooke: {error}")
        return FAILED
    return DONE


def _info(options):
    open_file(options.file)
    told = inventory.inventory()
    for entry in told["objects"]:
        obj = bpy.data.objects[entry["object"]]
        found = [] if entry["bake"] else before_flight.look(obj, bpy.data.scenes[entry["scene"]])
        entry["pre_flight"] = [complaint.text for complaint, *_ in found]
    lines = [*inventory.sentences(told), *map(_before_flight, told["objects"])]
    if options.json:
        # Of ASCII alone.
        print(json.dumps(told, indent=2), flush=True)
    else:
        for line in lines:
            say(line)


def _before_flight(entry):
    """What will go wrong with an object, as one line."""
    return f"'{entry['object']}': {' · '.join(entry['pre_flight']) or 'the pre-flight finds nothing wrong'}"


def _bake(options):
    named = _named_files(options)
    open_file(options.file)
    # The file may have been opened before Hooke was there to notice.
    files.after_load()
    scene, obj = _find_object(options.object)
    # Frames an artist has cached stay; those of a run before this one, interrupted, are only to resume from.
    was_simulated = obj.type == "MESH" and obj.hooke.enabled
    preflight.check_time(scene)
    _apply_settings(scene, obj, options)
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
    _say_what_acts(scene, obj)
    try:
        figures, baked = _simulate_and_save(scene, obj, mode, how, named.output)
    except UnwrittenError:
        # The frames are there to resume from once there is space.
        raise
    except MeshError as error:
        if isinstance(error.__cause__, CacheError):
            # Frames did not fit on the disk or in memory: those that did are there to go on from.
            raise error.__cause__ from error
        # Only an interrupted run has something to resume: this one would end the same way.
        _tidy(obj, keeps_cache)
        raise
    _tidy(obj, keeps_cache)
    for warning in baked.warnings:
        warn(f"hooke: {warning}")
    say(f"hooke: '{obj.name}' {bakes.summary(obj)}")
    say(f"hooke: baked {figures['frames']} frames of '{obj.name}' into {named.output}")
    if named.report is not None:
        report.write(named.report, figures, mode, baked, named.output)


def _say_what_acts(scene, obj):
    """Say what acts on the object from outside, and warn of what does not, and of its mesh."""
    found, problems = sessions.findings(obj, scene, bpy.context.evaluated_depsgraph_get())
    for words in found:
        say(f"hooke: '{obj.name}' has {words}")
    for warning in [*preflight.mesh_warnings(obj), *problems]:
        warn(f"hooke: {warning}")


_COMMANDS = {"bake": _bake, "info": _info}


def _tidy(obj, keeps_cache):
    """Remove the simulated frames, unless the object had frames before."""
    if not keeps_cache or sessions.of(obj).cache.spare:
        sessions.discard(obj)


def _kept():
    """What there is to go on from, as the end of a sentence."""
    on_disk = [getattr(frames, "kept", frames) for frames in sessions.open_frames()]
    told = [f"{len(frames)} simulated frames are kept in {frames.path}" for frames in on_disk if len(frames)]
    return f": {', '.join(told)}; the same command goes on from there" if told else ""


def _simulate_and_save(scene, obj, mode, how, output):
    """Simulate, bake and save, or leave the file as it was; returns the figures of the report and Baked."""
    settings, frame_before = obj.hooke, scene.frame_current
    with _interrupts() as stop_if_interrupted:
        figures = _simulate(scene, obj, stop_if_interrupted)
        frames, torn = sessions.to_bake(obj, figures["frames"])
        how = how._replace(stop=stop_if_interrupted, torn=torn)
        baked = bakes.make(obj, mode, frames, settings.frame_start, how)
        try:
            scene.frame_set(frame_before)
            stop_if_interrupted()
            saving.save(output, obj)
        except BaseException:
            if baked.cache_file:
                files.withdraw(Path(baked.cache_file))
            raise
    return figures, baked


def _named_files(options):
    """The CommandFiles of a bake, checked before its file is opened; raises MeshError, Refused."""
    baked = source(options.file)
    if baked is None and options.output is None:
        raise MeshError("no file is open to save the bake into: open one or give --output OUT.blend")
    named = CommandFiles.of(options, baked)
    named.check(options.object)
    return named.absolute()


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


def _simulate(scene, obj, stop_if_interrupted):
    """Simulate with a progress line every tenth of the range; returns the figures of the report."""
    settings = obj.hooke
    total = settings.frame_end - settings.frame_start + 1
    milliseconds: list[float] = []
    strain, progress = 0.0, Progress(obj.name, total)
    running, simulated = sessions.of(obj), 0
    for frame in ranges.frames(scene, [obj]):
        stop_if_interrupted()
        index = frame - settings.frame_start
        if index == 0 and len(running.take) > 1:
            from_cache = running.cache.path(obj)
            say(f"hooke: {len(running.take)} frames from the cache {from_cache}")
        if index == 0:
            # It may begin anew, where it finds frames of other inputs.
            milliseconds, strain = [], 0.0
        elif running.take.simulated > simulated:
            milliseconds.append(running.milliseconds)
        simulated, strain = running.take.simulated, max(strain, running.take.strain(index) if index else 0.0)
        if progress.reach(index + 1):
            share, left = 100 * (index + 1) // total, progress.seconds_left
            say(f"hooke: frame {frame}, {share} %, {left:.0f} s left")
    return report.figures(obj, running, milliseconds, strain)


def register():
    """Register `blender --command hooke`."""
    global _command
    _command = bpy.utils.register_cli_command("hooke", main)


def unregister():
    """Unregister the command."""
    bpy.utils.unregister_cli_command(_command)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: what it is asked for, and how it ends."""

import json
import traceback

import bpy

from ...core.cache import CacheError
from ...core.output_files import Refused
from .. import farm_command
from ..arguments import open_file, parse
from ..bakes.files import UnwrittenError
from ..console import say, warn
from ..mesh_io import MeshError
from ..play import inventory, sessions
from ..readout import before_flight
from .baking import bake

DONE, FAILED, UNUSABLE = 0, 1, 2

registered = None


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


_COMMANDS = {"bake": bake, "info": _info}


def _kept():
    """What there is to go on from, as the end of a sentence."""
    on_disk = [getattr(frames, "kept", frames) for frames in sessions.open_frames()]
    told = [f"{len(frames)} simulated frames are kept in {frames.path}" for frames in on_disk if len(frames)]
    return f": {', '.join(told)}; the same command goes on from there" if told else ""


def register():
    """Register `blender --command hooke`."""
    global registered
    registered = bpy.utils.register_cli_command("hooke", main)


def unregister():
    """Unregister the command."""
    bpy.utils.unregister_cli_command(registered)

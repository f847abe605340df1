# SPDX-License-Identifier: GPL-3.0-or-later
"""The arguments of the command line: those of the bake, and an option for every setting."""

import argparse
import math
import re
import sys
from itertools import takewhile
from pathlib import Path
from typing import Any

import bpy

from .console import in_letters_of
from .mesh_io import MeshError, has_weights
from .sections import SECTIONS, HookeSettings, check_limits, shown
from .sections.cache_and_bake import check_mode_settings
from .sections.solver import CUSTOM

_PROGRAM = "blender --command hooke"


class _Parser(argparse.ArgumentParser):
    """Parser with errors of one line; every option is given once, by its whole name."""

    def __init__(self, **options):
        super().__init__(allow_abbrev=False, **options)
        self.register("action", None, _StoreOnce)

    def error(self, message):
        raise MeshError(f"{message} (see --help)")

    def _print_message(self, message, file=None):
        super()._print_message(in_letters_of(file, message) if message and file else message, file)


def _check_once(parser, namespace, action, option):
    if getattr(namespace, action.dest, None) is not None:
        parser.error(f"{option or action.dest} is given twice: leave one out")


class _StoreOnce(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        if option_string is not None:
            _check_once(parser, namespace, self, option_string)
        setattr(namespace, self.dest, values)


class _SwitchOnce(argparse.BooleanOptionalAction):
    def __call__(self, parser, namespace, values, option_string=None):
        _check_once(parser, namespace, self, option_string)
        super().__call__(parser, namespace, values, option_string)


def parse(arguments):
    """Options by name, from a list of strings; those of settings have the settings' names, None where not given.

    Raises MeshError for what is missing, unknown or out of range; SystemExit where help was asked for.
    """
    parser = _Parser(prog=_PROGRAM, description="Mass-spring simulation for Blender.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    _add_bake(commands)
    _add_info(commands)
    return parser.parse_args(arguments)


def _add_bake(commands):
    command = commands.add_parser(
        "bake",
        help="simulate objects and bake them into the file",
        usage=f"{_PROGRAM} bake [FILE.blend] --object NAME [options]",
        description="Simulate objects of FILE.blend, or of the file that is open, bake them and save. Settings that "
        "are not given are those of the file, each object's own.",
    )
    _add_file(command)
    what = command.add_argument_group("What to bake")
    which = what.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--object",
        action="append",
        metavar="NAME",
        help="mesh object to bake; several in one pass if given again",
    )
    which.add_argument(
        "--all", action="store_true", help="all objects that Hooke simulates in the scene, in one pass"
    )
    what.add_argument("--frames", type=_frames, metavar="A-B", help="frame range, for example 1-250")
    where = command.add_argument_group("What to write")
    where.add_argument(
        "--output", type=Path, metavar="OUT.blend", help="file to save; default: the opened file itself"
    )
    where.add_argument(
        "--cache-file",
        type=Path,
        metavar="C.pc2",
        help="file of a mode that writes one; default: in a folder beside the output",
    )
    where.add_argument("--report", type=Path, metavar="OUT.json", help="write figures of the bake as JSON")
    for section in SECTIONS:
        group = command.add_argument_group(section.label or "Settings")
        for name in shown(section):
            option = section.option_names.get(name, f"--{name.replace('_', '-')}")
            if option is not None:
                more = [section.more_option_names[name]] if name in section.more_option_names else []
                known = section.more_choices.get(name, {})
                group.add_argument(option, *more, dest=name, **_of_setting(name, known))


def _add_info(commands):
    command = commands.add_parser(
        "info",
        help="list what is simulated in the file, and what is cached, baked and stale",
        usage=f"{_PROGRAM} info [FILE.blend] [--json]",
        description="List the simulated objects of FILE.blend, or of the file that is open, with their ranges, caches "
        "and bakes, and what of the caches is stale. Nothing is simulated or written.",
    )
    _add_file(command)
    command.add_argument("--json", action="store_true", help="as JSON, for programs")


def _add_file(command):
    command.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE.blend",
        help="file to open; none for the one that is open, as in blender -b FILE.blend --command hooke …",
    )


def source(file):
    """Path of the file to work on, which is the open one where none is named; None where none is open.

    Raises MeshError where it is missing, or Blender was started with it and could not open it.
    """
    named = file if file is not None else _missed()
    if named is None:
        return Path(bpy.data.filepath) if bpy.data.filepath else None
    if not named.is_file():
        raise MeshError(f"there is no file {named}: give a .blend file that exists")
    if file is None:
        raise MeshError(
            f"{named} cannot be opened by Blender {bpy.app.version_string}: give a .blend file that it can open, or "
            "run the Blender that saved it, or a newer one"
        )
    return file


def open_file(file):
    """Open a file, or where that is None have the one that is open; raises MeshError as `source`."""
    source(file)
    if file is None:
        return
    try:
        bpy.ops.wm.open_mainfile(filepath=str(file.absolute()))
    except RuntimeError as error:
        reason = str(error).strip().removeprefix("Error: ")
        raise MeshError(
            f"{file} cannot be opened ({reason}): give a .blend file, as Blender cannot open others"
        ) from error


def _missed():
    """The file that Blender was started with and did not open, or None: it goes on with an empty scene."""
    words = takewhile(lambda word: word not in ("--command", "-c", "--"), sys.argv[1:])
    given = [Path(word) for word in words if word.endswith(".blend")]
    return given[0] if given and not bpy.data.filepath else None


def check_groups(obj, options):
    """Raise MeshError where a vertex group that is asked for is none of the object's."""
    for name in (name for section in SECTIONS for name in section.maps):
        group = getattr(options, name, None)
        if group and not has_weights(obj, group):
            groups = ", ".join(repr(known.name) for known in obj.vertex_groups) or "none"
            purpose = "to pin" if name == "pin_group" else f"for --{name.replace('_', '-')}"
            raise MeshError(
                f"'{obj.name}' has no vertex group {group!r} {purpose}: name one of its groups, {groups}"
            )


def apply_settings(obj, options):
    """Set the given options on Object.hooke, in the order of SECTIONS: an effort before the settings that it sets.

    Raises MeshError where the file has settings past their limits.
    """
    settings = obj.hooke
    for section in SECTIONS:
        for name in section.properties:
            value = getattr(options, name, None)
            if value is not None:
                setting: Any = HookeSettings.bl_rna.properties[name]
                setattr(settings, name, _named(setting, value) if setting.type == "POINTER" else value)
    if options.frames is not None:
        settings.frame_start, settings.frame_end = options.frames
    check_limits(obj)


def check_mode_options(obj, mode, options):
    """Raise MeshError where an option is given that an object's bake mode, an id of bakes.MODES, does not read."""
    given = [name for name, value in vars(options).items() if value is not None]
    check_mode_settings(obj, mode, given)


def _frames(text):
    match = re.fullmatch(r"(-?\d+)-(-?\d+)", text)
    first, last = (int(match[1]), int(match[2])) if match is not None else (0, -1)
    limits: Any = bpy.types.Scene.bl_rna.properties["frame_current"]
    if not limits.hard_min <= first <= last <= limits.hard_max:
        raise argparse.ArgumentTypeError(f"{text!r} is no frame range: give first-last, for example 1-250")
    return first, last


def _of_setting(name, more_choices):
    """Arguments of `add_argument` for one of the object's settings; more_choices: further words, and what they mean."""
    setting: Any = HookeSettings.bl_rna.properties[name]
    told = {"help": setting.description.replace("%", "%%")}
    if setting.type == "BOOLEAN":
        return {**told, "action": _SwitchOnce}
    if setting.type == "ENUM":
        # No choice: what other settings amount to.
        words = [item.identifier for item in setting.enum_items if item.identifier != CUSTOM]
        told["help"] += f": {', '.join((*words, *more_choices))}"
        return {**told, "choices": words, "metavar": "ID", "type": lambda word: more_choices.get(word, word)}
    if setting.type in ("POINTER", "STRING"):
        return {**told, "metavar": "NAME"}
    return {**told, "type": _within(setting), "metavar": "N" if setting.type == "INT" else "X"}


def _named(setting, name):
    """The data-block of the kind of a setting that has a name; raises MeshError."""
    kind = setting.fixed_type.name.lower()
    known = getattr(bpy.data, f"{kind}s")
    if name not in known:
        names = ", ".join(repr(each.name) for each in known)
        raise MeshError(f"there is no {kind} {name!r}: name one of {names or 'none'}")
    return known[name]


def _within(limits):
    """Parser of a number within the limits of a setting."""
    whole = limits.type == "INT"
    form = "d" if whole else "g"

    def number(text):
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = math.nan
        if not limits.hard_min <= value <= limits.hard_max:
            raise argparse.ArgumentTypeError(
                f"{text!r} is out of range: give a {'whole ' * whole}number from {limits.hard_min:{form}} to "
                f"{limits.hard_max:{form}}"
            )
        return value

    return number

# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside Blender: whether settings exist and take the values of a wedge, before anything is baked with them."""

import difflib
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import bake

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class NoSetting(Exception):
    """There is no setting of that name, or not with that value."""


def check(request):
    """Look up every setting of a wedge; returns the exit status.

    request: "arguments", words for every bake; "axes", a list of [setting, [value, …]]; "answer", a file for a JSON
    list of [setting's own name, [words of the bake for each value, …]], or of one sentence that says what is wrong.
    """
    package = bake.hooke_package()
    arguments = importlib.import_module(".addon.arguments", package.__name__)
    mesh_io = importlib.import_module(".addon.mesh_io", package.__name__)
    sections = importlib.import_module(".addon.sections", package.__name__)
    try:
        options = arguments.parse(["bake", "--object", "any", *request["arguments"]])
        given = {name for name, value in vars(options).items() if value is not None}
        answer: Any = []
        for named, values in request["axes"]:
            name, option = _find(named, sections)
            if name in given:
                raise NoSetting(f"{named} is a wedge and an option of its own: leave one of them out")
            given.add(name)
            words = [
                _words(sections.HookeSettings.bl_rna.properties[name], option, value) for value in values
            ]
            for each in words:
                arguments.parse(["bake", "--object", "any", *each])
            answer.append([name, words])
    except (NoSetting, mesh_io.MeshError) as error:
        answer = str(error).replace(" (see --help)", "")
    except SystemExit:
        answer = "--help is of no use to a bake: `blender --command hooke bake --help` lists the options"
    Path(request["answer"]).write_text(json.dumps(answer), encoding="utf-8")
    sys.stdout.flush()
    return 2 if isinstance(answer, str) else 0


def _find(named, sections):
    """A setting's own name and its option, by either; raises NoSetting."""
    options = {}
    for section in sections.SECTIONS:
        for name in sections.shown(section):
            option = section.option_names.get(name, f"--{name.replace('_', '-')}")
            if option is not None:
                options[name] = option
    wanted = named.replace("-", "_")
    by_option = {option.strip("-").replace("-", "_"): name for name, option in options.items()}
    name = by_option.get(wanted, wanted)
    if name not in options:
        near = difflib.get_close_matches(wanted, [*by_option, *options], 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(by_option))}"
        raise NoSetting(f"there is no setting {named} to make a wedge of: {hint}")
    return name, options[name]


def _words(setting, option, value):
    """The words of a bake that give a setting a value."""
    if setting.type != "BOOLEAN":
        return [f"{option}={value}"]
    if value.lower() not in _TRUE + _FALSE:
        raise NoSetting(f"{value!r} is no value of {setting.identifier}: give true or false")
    return [option if value.lower() in _TRUE else option.replace("--", "--no-", 1)]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Registering and unregistering leave nothing behind; the interface offers what the core has."""

import inspect

import bpy
import pytest

import hooke
from hooke.addon import operators, panels, sections
from hooke.addon.play import sessions
from hooke.core import INTEGRATORS

from .scenes import add_hooke, grid, play, status


def footprint():
    """Everything of Hooke's that Blender knows: classes, handlers, properties, operators, panels, commands."""
    handlers = {
        name: [handler for handler in functions if handler.__module__.startswith("hooke")]
        for name in dir(bpy.app.handlers)
        if isinstance(functions := getattr(bpy.app.handlers, name), list)
    }
    return {
        "handlers": {name: len(functions) for name, functions in handlers.items() if functions},
        "properties": [name for name in dir(bpy.types.Object) if name == "hooke"],
        "classes": sorted(name for name in dir(bpy.types) if name.upper().startswith("HOOKE")),
        "subclasses": sorted(
            cls.__name__
            for base in (bpy.types.PropertyGroup, bpy.types.Operator, bpy.types.Panel)
            for cls in base.__subclasses__()
            if cls.__module__.startswith("hooke") and cls.is_registered
        ),
        "operators": [name for name in dir(bpy.ops.hooke) if not name.startswith("_")],
    }


def test_unregistering_leaves_nothing_and_registering_again_gives_the_same():
    registered = footprint()
    assert registered["handlers"] and registered["classes"] and registered["operators"]
    assert all(count == 1 for count in registered["handlers"].values())
    for _ in range(2):
        hooke.unregister()
        assert not any(footprint().values())
        hooke.register()
        assert footprint() == registered


def test_registering_again_simulates_as_before(scene):
    obj = add_hooke(grid())
    play(obj, range(1, 8))
    hooke.unregister()
    # Blender goes on without Hooke, with the pose it had.
    play(obj, [8])
    hooke.register()
    assert not sessions.by_object
    play(obj, range(1, 13))
    assert "frame 12" in status(obj)


def test_the_command_is_taken_back():
    handle = hooke.addon.cli.registered
    assert handle is not None
    hooke.unregister()
    try:
        with pytest.raises(ValueError):
            bpy.utils.unregister_cli_command(handle)
    finally:
        hooke.register()


def test_every_class_of_the_addon_is_registered():
    for module in (sections, operators, panels):
        for _, cls in inspect.getmembers(module, inspect.isclass):
            base = (bpy.types.PropertyGroup, bpy.types.Operator, bpy.types.Panel)
            if issubclass(cls, base) and cls.__module__ == module.__name__:
                assert cls.is_registered, cls


def test_the_interface_offers_the_core_s_integrators():
    items = sections.HookeSettings.bl_rna.properties["integrator"].enum_items
    # With the other name of textbooks, where a method has one.
    assert [(item.identifier, item.name) for item in items] == [
        (name, f"{method.label} ({method.also})" if method.also else method.label)
        for name, method in INTEGRATORS.items()
    ]
    assert all(item.description for item in items)


def test_the_default_integrator_is_projective_dynamics(scene):
    assert add_hooke(grid()).hooke.integrator == "PROJECTIVE_DYNAMICS"


def test_the_settings_that_are_followed_can_be_animated_and_no_other(scene):
    obj = add_hooke(grid())
    for prop in obj.hooke.bl_rna.properties:
        if prop.identifier in sections.animatable():
            assert obj.hooke.keyframe_insert(prop.identifier)
        elif not prop.is_readonly and prop.identifier != "name":
            with pytest.raises(TypeError, match="not animatable"):
                obj.hooke.keyframe_insert(prop.identifier)


def test_settings_carry_units_and_descriptions():
    for prop in sections.HookeSettings.bl_rna.properties:
        if prop.identifier not in {"rna_type", "name", "bake"}:
            assert prop.description, prop.identifier
            assert not prop.description.endswith("."), prop.identifier


def test_every_operator_can_be_undone_and_asks_before_it_runs():
    for name in footprint()["operators"]:
        cls = getattr(bpy.types, f"HOOKE_OT_{name}")
        # What is on disk alone is nothing that undo could bring back.
        assert "UNDO" in cls.bl_options or name in {
            "simulate",
            "pre_flight",
            "delete_caches",
            "material_preset_add",
            "example",
        }
        assert "REGISTER" in cls.bl_options
        assert "poll" in cls.__dict__

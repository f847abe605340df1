# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's help and the guide tell of every setting what its property tells."""

import re
from pathlib import Path

import pytest

from hooke.addon import arguments, cli, sections
from hooke.addon.sections import SECTIONS, HookeSettings

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide.md"
SHOWN = [(section, name) for section in SECTIONS for name in sections.shown(section)]
RANGE = ("frame_start", "frame_end")


def option_of(section, name):
    """Option of a setting, "--frames" for the range."""
    return section.option_names.get(name, f"--{name.replace('_', '-')}") or "--frames"


@pytest.fixture
def told(monkeypatch, capfd):
    """What `bake --help` prints, blanks and line ends as one blank."""
    monkeypatch.setenv("COLUMNS", "400")
    assert cli.main(["bake", "--help"]) == 0
    return capfd.readouterr().out


def words(text):
    """A text without line ends."""
    return re.sub(r"\s+", " ", text)


def test_the_usage_names_the_file(told):
    assert "blender --command hooke bake [FILE.blend] --object NAME [options]" in words(told)


def test_help_says_what_the_property_says(told):
    for section, name in SHOWN:
        option, setting = option_of(section, name), HookeSettings.bl_rna.properties[name]
        assert re.search(rf"^\s+{option}\b", told, flags=re.MULTILINE), name
        if name in RANGE:
            continue
        assert words(setting.description) in words(told), name
        if setting.type == "ENUM":
            choices = [item.identifier for item in setting.enum_items if item.identifier != "CUSTOM"]
            assert ", ".join(choices) in words(told), name


def test_help_groups_the_options_as_the_panels_do(told):
    groups = re.findall(r"^(\S[^\n]*):$", told, flags=re.MULTILINE)
    labels = [section.label or "Settings" for section in SECTIONS if sections.shown(section)]
    assert [group for group in groups if group.startswith("What")] == ["What to bake", "What to write"]
    assert labels == [group for group in groups if group in labels]


def test_custom_is_no_effort_to_choose(scene):
    with pytest.raises(ValueError, match="invalid choice: 'CUSTOM'"):
        arguments.parse(["bake", "--object", "Cloth", "--effort", "CUSTOM"])


def test_the_guide_says_what_the_property_says():
    guide = GUIDE.read_text(encoding="utf-8")
    for section, name in SHOWN:
        setting = HookeSettings.bl_rna.properties[name]
        row = f"| {setting.name} | {setting.description} | `{option_of(section, name)}` |"
        assert row in guide, name


def test_the_guide_names_no_option_that_is_none():
    options = {option_of(section, name) for section, name in SHOWN}
    blocks = re.findall(
        r"<!-- lab:settings-\w+ -->(.*?)<!-- /lab", GUIDE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert set(re.findall(r"`(--[a-z-]+)`", " ".join(blocks))) == options


def test_a_method_has_its_other_name_in_textbooks(scene):
    chosen = arguments.parse(["bake", "--object", "Cloth", "--integrator", "RK2"])
    assert chosen.integrator == "MIDPOINT"
    items = HookeSettings.bl_rna.properties["integrator"].enum_items
    assert items["MIDPOINT"].name == "Midpoint (Runge-Kutta 2)"

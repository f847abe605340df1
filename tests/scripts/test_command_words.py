# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that people name in one text: of any path, with spaces too, as shells of their system write them."""

import pytest
from farming import command_words

WINDOWS = r"C:\Program Files\Blender Foundation\Blender 4.2\blender.exe"


@pytest.mark.parametrize(
    ("text", "system", "words"),
    [
        (f'"{WINDOWS}"', "nt", [WINDOWS]),
        (f'"{WINDOWS}" --python-use-system-env', "nt", [WINDOWS, "--python-use-system-env"]),
        (r"C:\blender\blender.exe  -d", "nt", [r"C:\blender\blender.exe", "-d"]),
        (r"Z:\Пример\it's.exe", "nt", [r"Z:\Пример\it's.exe"]),
        ("'/opt/Blender 4.2/blender' -d", "posix", ["/opt/Blender 4.2/blender", "-d"]),
        ("/opt/Blender\\ 4.2/blender", "posix", ["/opt/Blender 4.2/blender"]),
        (" ", "nt", []),
    ],
)
def test_a_text_is_split_as_the_system_does(text, system, words):
    assert command_words.split(text, system) == words


@pytest.mark.parametrize("system", ["nt", "posix"])
@pytest.mark.parametrize(
    "words", [[WINDOWS, "-d"], ["/opt/Blender 4.2/blender"], ["", "Пример mit Leerzeichen"]]
)
def test_what_is_joined_is_split_again(words, system):
    assert command_words.split(command_words.join(words, system), system) == words


def test_a_file_needs_no_quotation(tmp_path):
    path = tmp_path / "Blender 4.2" / "blender.exe"
    path.parent.mkdir()
    path.touch()
    assert command_words.split(str(path)) == [str(path)]

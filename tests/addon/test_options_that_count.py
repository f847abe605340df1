# SPDX-License-Identifier: GPL-3.0-or-later
"""Every option of a bake counts: none is ignored by the mode, given twice, or taken for another."""

import pytest

from .refusals import refused

IGNORED = {
    ("--cache-file", "c.pc2"): ("SHAPE_KEYS", "PRINCIPAL_SHAPES"),
    ("--step", "2"): ("PRINCIPAL_SHAPES", "MESH_CACHE"),
    ("--tolerance", "0.01"): ("SHAPE_KEYS", "MESH_CACHE"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("option", "mode"), [(option, mode) for option, modes in IGNORED.items() for mode in modes]
)
def test_an_option_that_the_mode_ignores_is_refused(option, mode, file, folder, capfd):
    words = [str(folder / option[1]) if option[0] == "--cache-file" else option[1]]
    said = refused(folder, capfd, file, "--object", "Cloth", "--mode", mode, option[0], *words)
    assert f"{option[0]} makes no difference to a bake of 'Cloth' to " in said


TWICE = {
    "--output": ("--object", "Cloth", "--output", "a.blend", "--output", "a.blend"),
    "--stiffness": ("--object", "Cloth", "--stiffness", "1", "--mass", "2", "--stiffness=1"),
    "--no-collisions": ("--object", "Cloth", "--collisions", "--no-collisions"),
}


@pytest.mark.parametrize("option", TWICE)
def test_an_option_that_is_given_twice_is_refused(option, file, folder, capfd):
    assert f"{option} is given twice: leave one out" in refused(folder, capfd, file, *TWICE[option])


def test_options_have_their_whole_names(file, folder, capfd):
    words = ("--object", "Cloth", "--outp", folder / "a.blend")
    assert "unrecognized arguments: --outp" in refused(folder, capfd, file, *words)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the docstrings of the core run, and give what they say."""

import doctest
import importlib
import pkgutil

import pytest

import hooke.core

MODULES = [
    "hooke.core",
    *(module.name for module in pkgutil.walk_packages(hooke.core.__path__, "hooke.core.")),
]

# What a student reads first shows how it is called.
SHOWN = {"hooke.core", "hooke.core.network", "hooke.core.simulation", "hooke.core.forces.air_drag"}


@pytest.mark.sampled(36)
@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    assert result.attempted > 0 or name not in SHOWN

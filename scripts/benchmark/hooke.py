# SPDX-License-Identifier: GPL-3.0-or-later
"""The Hooke that is timed: the enabled extension, or else this checkout."""

import importlib
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import Any

from bake import hooke_package


@cache
def module(name) -> Any:
    """A module of Hooke by its path in the package, such as "core.linear"; registers Hooke at first use."""
    return importlib.import_module(f".{name}", _package().__name__)


@cache
def _package():
    return hooke_package()


def solver_names():
    """Names of the linear solvers that are installed, fastest first."""
    return [backend.name for backend in module("core.linear").backends()]


@contextmanager
def linear_solver(name):
    """Let Projective Dynamics use this linear solver wherever none is asked for."""
    method = module("core.integrators").INTEGRATORS["PROJECTIVE_DYNAMICS"]
    automatic = method.options
    method.options = MappingProxyType({**automatic, "backend": name})
    try:
        yield
    finally:
        method.options = automatic

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the solver: method, effort, and every option of the methods."""

import zlib

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from ..core import INTEGRATORS
from ..core.effort import EFFORTS, effort_of

# As in `properties`: none can be animated.
_FIXED: set[str] = set()

# Files store the number: made from the id, it stays the same whatever joins the catalogue.
_INTEGRATOR_ITEMS = [
    (name, method.label, method.description, zlib.crc32(name.encode()) & 0x7FFFFFFF)
    for name, method in INTEGRATORS.items()
]

_CUSTOM = 0
_EFFORT_ITEMS = [
    *(
        (name, effort.label, effort.description, number)
        for number, (name, effort) in enumerate(EFFORTS.items(), 1)
    ),
    (
        "CUSTOM",
        "Custom",
        "Substeps, iterations, acceleration and tolerance as set in the Solver panel",
        _CUSTOM,
    ),
]
_STANDARD = EFFORTS["STANDARD"]


def _effort(settings):
    """Number of the effort that the solver's settings amount to."""
    name = effort_of(settings)
    return next((number for id, *_, number in _EFFORT_ITEMS if id == name), _CUSTOM)


def _set_effort(settings, number):
    """Change the solver's settings to those of an effort; Custom leaves them as they are."""
    name = next(id for id, *_, known in _EFFORT_ITEMS if known == number)
    if name in EFFORTS:
        for setting, value in EFFORTS[name].settings.items():
            setattr(settings, setting, value)


class SolverSettings:
    """What `properties.HookeSettings` says about how a simulation is computed."""

    integrator: EnumProperty(
        name="Integrator",
        description="Method that advances the simulation in time",
        items=_INTEGRATOR_ITEMS,
        default="PROJECTIVE_DYNAMICS",
        options=_FIXED,
    )
    # Not stored: it is what the settings below amount to, however they were set.
    effort: EnumProperty(
        name="Effort",
        description="How much work a frame gets: sets substeps, iterations, acceleration and tolerance",
        items=_EFFORT_ITEMS,
        get=_effort,
        set=_set_effort,
        options=_FIXED,
    )
    automatic_substeps: BoolProperty(
        name="Automatic Substeps",
        description="Use as many substeps as the integrator needs to be stable on this network, instead of "
        "Substeps; methods that are stable at every step keep Substeps",
        options=_FIXED,
    )
    substeps: IntProperty(
        name="Substeps",
        description="Equal steps within a frame; more resolve faster motion",
        default=_STANDARD.substeps,
        min=1,
        soft_max=50,
        options=_FIXED,
    )
    iterations: IntProperty(
        name="Iterations",
        description="Solver iterations in each substep; more make stiff springs stiffer",
        default=_STANDARD.iterations,
        min=1,
        soft_max=50,
        options=_FIXED,
    )
    acceleration: EnumProperty(
        name="Acceleration",
        description="What makes the iterations converge faster",
        items=[
            # Files store the numbers.
            ("NONE", "None", "Plain iterations", 0),
            ("SECANT", "Secant", "Learns from the substep before: worth it up to about four iterations", 2),
            ("LBFGS", "L-BFGS", "Learns from the iterations before: worth it from about four a substep", 1),
        ],
        default=_STANDARD.acceleration,
        options=_FIXED,
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Relative residual at which a substep counts as solved and its iterations stop; 0 leaves it "
        "to the method",
        default=_STANDARD.tolerance,
        min=0.0,
        max=0.5,
        soft_max=0.1,
        precision=6,
        options=_FIXED,
    )
    time_stepping: EnumProperty(
        name="Time Stepping",
        description="Formula of the implicit step",
        items=[
            ("BACKWARD_EULER", "Backward Euler", "Calms motion down, the more the larger the substep"),
            ("BDF2", "BDF2", "Second order: keeps motion alive far longer at the same cost"),
        ],
        default=_STANDARD.time_stepping,
        options=_FIXED,
    )
    newton_iterations: IntProperty(
        name="Newton Iterations",
        description="1 is the linearised step; more solve the implicit step exactly, at one factorisation each",
        default=1,
        min=1,
        soft_max=20,
        options=_FIXED,
    )
    damping_rate: FloatProperty(
        name="Damping Rate",
        description="Rate at which all velocities decay [1/s]",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        options=_FIXED,
    )
    max_stretch: FloatProperty(
        name="Max Stretch",
        description="Strain that springs are held below: 0.1 is ten percent",
        default=0.1,
        min=0.0,
        soft_max=1.0,
        options=_FIXED,
    )

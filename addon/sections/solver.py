# SPDX-License-Identifier: GPL-3.0-or-later
"""How a simulation is computed: method, effort, and every option of the methods."""

from math import inf
from types import MappingProxyType

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from ...core import INTEGRATORS
from ...core.diagnostics import enough_substeps
from ...core.effort import EFFORTS, effort_of
from ..wrapped_text import draw_text
from .section import Section
from .time_and_start import frame_time

# Beyond this a frame takes minutes, and Blender would seem to hang.
_MOST_SUBSTEPS = 10_000

_INTEGRATOR_ITEMS = [
    (name, method.label, method.description, method.number) for name, method in INTEGRATORS.items()
]
_CUSTOM = "CUSTOM"
# Files do not store the effort, so its numbers may be those of the day.
_EFFORT_ITEMS = [
    (_CUSTOM, "Custom", "Substeps, iterations, acceleration and tolerance as set in the Solver panel", 0),
    *(
        (name, effort.label, effort.description, number)
        for number, (name, effort) in enumerate(EFFORTS.items(), 1)
    ),
]


def _effort(settings):
    """Number of the effort that the solver's settings amount to."""
    name = effort_of(settings) or _CUSTOM
    return next(number for known, *_, number in _EFFORT_ITEMS if known == name)


def _set_effort(settings, number):
    """Change the solver's settings to those of an effort; Custom leaves them as they are."""
    name = next(name for name, *_, known in _EFFORT_ITEMS if known == number)
    if name in EFFORTS:
        for setting, value in EFFORTS[name].settings.items():
            setattr(settings, setting, value)


class Solver(Section):
    """The integrator, its options, and the effort that sets those of projective dynamics."""

    id = "solver"
    label = "Solver"
    view_only = ("effort",)
    initial = MappingProxyType(EFFORTS["STANDARD"].settings)
    # --tolerance is that of a bake.
    option_names = MappingProxyType({"tolerance": "--solver-tolerance"})

    integrator: EnumProperty(
        name="Integrator",
        description="Method that advances the simulation in time",
        items=_INTEGRATOR_ITEMS,
        default="PROJECTIVE_DYNAMICS",
    )
    effort: EnumProperty(
        name="Effort",
        description="How much work a frame gets: sets substeps, iterations, acceleration and tolerance",
        items=_EFFORT_ITEMS,
        get=_effort,
        set=_set_effort,
    )
    automatic_substeps: BoolProperty(
        name="Automatic Substeps",
        description="Use as many substeps as the integrator needs to be stable on this network, instead of "
        "Substeps; methods that are stable at every step keep Substeps",
    )
    substeps: IntProperty(
        name="Substeps",
        description="Equal steps within a frame; more resolve faster motion",
        default=5,
        min=1,
        soft_max=50,
    )
    iterations: IntProperty(
        name="Iterations",
        description="Solver iterations in each substep; more make stiff springs stiffer",
        default=1,
        min=1,
        soft_max=50,
    )
    acceleration: EnumProperty(
        name="Acceleration",
        description="What makes the iterations converge faster",
        items=[
            ("NONE", "None", "Plain iterations", 0),
            ("SECANT", "Secant", "Learns from the substep before: worth it up to about four iterations", 2),
            ("LBFGS", "L-BFGS", "Learns from the iterations before: worth it from about four a substep", 1),
            ("NEWTON", "Newton", "Truncated Newton steps: truest motion from two iterations a substep", 3),
        ],
        default="NONE",
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Relative residual at which a substep counts as solved and its iterations stop; 0 leaves it "
        "to the method",
        default=0.0,
        min=0.0,
        max=0.5,
        soft_max=0.1,
        precision=6,
    )
    carried_stiffness: EnumProperty(
        name="Carried Stiffness",
        description="What becomes of springs that are stiffer than the iterations can do justice to",
        items=[
            (
                "ALL",
                "All",
                "Springs are as stiff as they are set; too few iterations then slow motion down",
                0,
            ),
            ("ATTAINABLE", "Attainable", "Too stiff springs are softer, so that motion keeps its speed", 1),
        ],
        default="ALL",
    )
    time_stepping: EnumProperty(
        name="Time Stepping",
        description="Formula of the implicit step",
        items=[
            ("BACKWARD_EULER", "Backward Euler", "Calms motion down, the more the larger the substep", 0),
            ("BDF2", "BDF2", "Second order: keeps motion alive far longer at the same cost", 1),
        ],
        default="BACKWARD_EULER",
    )
    newton_iterations: IntProperty(
        name="Newton Iterations",
        description="1 is the linearised step; more solve the implicit step exactly, at one factorisation each",
        default=1,
        min=1,
        soft_max=20,
    )
    damping_rate: FloatProperty(
        name="Damping Rate",
        description="Rate at which all velocities decay [1/s]",
        default=0.0,
        min=0.0,
        soft_max=10.0,
    )
    max_stretch: FloatProperty(
        name="Max Stretch",
        description="Strain that springs are held below: 0.1 is ten percent",
        default=0.1,
        min=0.0,
        soft_max=1.0,
    )

    def draw_main(self, layout, obj):
        """Draw the effort."""
        layout.prop(obj.hooke, "effort")

    def draw(self, layout, obj):
        """Draw the integrator, what it is good for, and its options."""
        method = INTEGRATORS[obj.hooke.integrator]
        layout.prop(obj.hooke, "integrator")
        draw_text(layout, method.description, "INFO")
        row = layout.row()
        row.active = not (obj.hooke.automatic_substeps and method.stability_limit not in (0.0, inf))
        row.prop(obj.hooke, "substeps")
        layout.prop(obj.hooke, "automatic_substeps")
        for name in shown_options(obj):
            layout.prop(obj.hooke, name)

    def simulation_arguments(self, settings, scene, network, maps, surroundings):
        """Integrator, substeps and options."""
        method, substeps = INTEGRATORS[settings.integrator], settings.substeps
        if settings.automatic_substeps:
            enough = enough_substeps(network, method, frame_time(settings, scene))
            if enough is not None and enough > _MOST_SUBSTEPS:
                raise ValueError(
                    f"{method.label} needs {enough:,} substeps on '{settings.id_data.name}', more than "
                    f"{_MOST_SUBSTEPS:,}: choose Projective Dynamics, or less stiffness"
                )
            substeps = substeps if enough in (None, 1) else enough
        options = {name: getattr(settings, name) for name in shown_options(settings.id_data)}
        if not settings.tolerance:
            # Every method has a tolerance of its own.
            options.pop("tolerance", None)
        return {"integrator": settings.integrator, "substeps": substeps, **options}


def shown_options(obj):
    """Names of the integrator's options that are settings too, in the integrator's order."""
    return [name for name in INTEGRATORS[obj.hooke.integrator].options if name in Solver().properties]

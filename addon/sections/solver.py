# SPDX-License-Identifier: GPL-3.0-or-later
"""How a simulation is computed: method, effort, and every option of the methods."""

from math import inf
from types import MappingProxyType

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from ...core import INTEGRATORS
from ...core.diagnostics import enough_substeps
from ...core.effort import EFFORTS, effort_of
from ...core.integrators import ALIASES
from ..wrapped_text import draw_text
from .labels import draw_quantity, labelled
from .section import Section
from .time_and_start import frame_time

# Beyond this a frame takes minutes, and Blender would seem to hang; so it would with as many iterations.
_MOST_SUBSTEPS = 10_000
_MOST_ITERATIONS = 10_000
# Of all substeps of a frame: of the least mesh a minute, twenty times what Converged may take.
_MOST_ITERATIONS_A_FRAME = 100_000

_INTEGRATOR_ITEMS = [
    (name, method.label + (f" ({method.also})" if method.also else ""), method.description, method.number)
    for name, method in INTEGRATORS.items()
]
CUSTOM = "CUSTOM"
# Files do not store the effort, so its numbers may be those of the day.
EFFORT_ITEMS = [
    (CUSTOM, "Custom", "Substeps, iterations, acceleration and tolerance as set below", 0),
    *(
        (name, effort.label, effort.description, number)
        for number, (name, effort) in enumerate(EFFORTS.items(), 1)
    ),
]


def _effort(settings):
    """Number of the effort that the solver's settings amount to."""
    name = effort_of(settings) or CUSTOM
    return next(number for known, *_, number in EFFORT_ITEMS if known == name)


def _set_effort(settings, number):
    """Change the solver's settings to those of an effort; Custom changes nothing."""
    name = next(name for name, *_, known in EFFORT_ITEMS if known == number)
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
    option_names = MappingProxyType({"effort": "--quality", "tolerance": "--solver-tolerance"})
    more_option_names = MappingProxyType({"effort": "--effort"})
    more_choices = MappingProxyType({"integrator": ALIASES})

    integrator: EnumProperty(
        name="Integrator",
        description="Time integration method. Projective Dynamics is stable at any step; others need small "
        "substeps",
        items=_INTEGRATOR_ITEMS,
        default="PROJECTIVE_DYNAMICS",
    )
    effort: EnumProperty(
        name="Quality",
        description="Work per frame. Higher quality stretches less, moves more accurately, and takes longer. "
        "It sets the options of the Solver panel",
        items=EFFORT_ITEMS,
        get=_effort,
        set=_set_effort,
    )
    automatic_substeps: BoolProperty(
        name="Automatic Substeps",
        description="Use as many substeps as the integrator needs to be stable, instead of Substeps. Methods that "
        "are stable at any step keep Substeps",
    )
    substeps: IntProperty(
        name="Substeps",
        description="Steps per frame. More follow faster motion, and take proportionally longer",
        default=5,
        min=1,
        max=_MOST_SUBSTEPS,
        soft_max=50,
    )
    iterations: IntProperty(
        name="Iterations",
        description="Solver iterations per substep. More stretch stiff springs less, and take proportionally "
        "longer",
        default=1,
        min=1,
        max=_MOST_ITERATIONS,
        soft_max=50,
    )
    acceleration: EnumProperty(
        name="Acceleration",
        description="How an iteration uses the results of earlier ones, to converge sooner",
        items=[
            ("NONE", "None", "Use nothing of earlier iterations: cheap, and slow to converge", 0),
            (
                "SECANT",
                "Secant",
                "Use the previous substep: efficient up to about four iterations",
                2,
            ),
            (
                "LBFGS",
                "L-BFGS",
                "Use the previous iterations (quasi-Newton): efficient from about four iterations on",
                1,
            ),
            (
                "NEWTON",
                "Truncated Newton",
                "Use the second derivative of the energy: the most accurate motion, from two iterations on",
                3,
            ),
        ],
        default="NONE",
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Relative residual at which a substep stops early: 0.001 is a thousandth. 0 always takes all "
        "Iterations",
        default=0.0,
        min=0.0,
        max=0.5,
        soft_max=0.1,
        precision=3,
        step=0.01,
    )
    carried_stiffness: EnumProperty(
        name="Stiffness Limit",
        description="Treatment of springs that are stiffer than the iterations can resolve",
        items=[
            (
                "ALL",
                "All",
                "Springs keep their full stiffness. With too few iterations the motion becomes sluggish",
                0,
            ),
            (
                "ATTAINABLE",
                "Attainable",
                "Springs that are too stiff for the iterations are made softer, so that the motion keeps its speed",
                1,
            ),
        ],
        default="ALL",
    )
    time_stepping: EnumProperty(
        name="Time Stepping",
        description="Formula of the implicit step: how fast motion loses energy",
        items=[
            (
                "BACKWARD_EULER",
                "Backward Euler",
                "First order: motion loses energy, more with larger substeps",
                0,
            ),
            (
                "BDF2",
                "BDF2",
                "Second order: motion loses far less energy at the same cost",
                1,
            ),
        ],
        default="BACKWARD_EULER",
    )
    newton_iterations: IntProperty(
        name="Newton Iterations",
        description="Newton iterations per substep. 1 linearises the springs, more follow their rotation. Each "
        "costs one factorisation",
        default=1,
        min=1,
        max=_MOST_ITERATIONS,
        soft_max=20,
    )
    damping_rate: FloatProperty(
        name="Damping Rate",
        description="Rate at which all motion decays [1/s]: at 1, by 63 % in a second",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        step=10,
    )
    max_stretch: FloatProperty(
        name="Max Stretch",
        description="Strain limit of springs [0.1 is 10 %]. Lower limits hang straighter, and need more "
        "Iterations",
        default=0.1,
        min=0.0,
        soft_max=1.0,
        step=1,
    )

    def draw_main(self, layout, obj):
        """Draw the quality, as a menu of those that can be chosen."""
        settings = obj.hooke
        chosen = settings.bl_rna.properties["effort"].enum_items[settings.effort]
        row = labelled(layout, "Quality")
        row.enabled = settings.integrator == "PROJECTIVE_DYNAMICS"
        row.menu("HOOKE_MT_effort", text=chosen.name)

    def draw(self, layout, obj):
        """Draw the integrator, its description, and its options."""
        method = INTEGRATORS[obj.hooke.integrator]
        layout.prop(obj.hooke, "integrator")
        draw_text(layout, method.description, "INFO")
        limited = method.stability_limit not in (0.0, inf)
        row = layout.row()
        row.enabled = not (obj.hooke.automatic_substeps and limited)
        row.prop(obj.hooke, "substeps")
        row = layout.row()
        row.enabled = limited
        row.prop(obj.hooke, "automatic_substeps")
        for name in shown_options(obj):
            row = layout.row()
            # Iterations to a tolerance resolve the full stiffness.
            row.enabled = name != "carried_stiffness" or obj.hooke.tolerance == 0.0
            if name == "damping_rate":
                draw_quantity(row, obj.hooke, "damping_rate", "1/s")
            else:
                row.prop(obj.hooke, name)

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """Integrator, substeps and options."""
        method, substeps = INTEGRATORS[settings.integrator], settings.substeps
        if settings.automatic_substeps:
            enough = enough_substeps(body.network, method, frame_time(settings, scene))
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
        _check_work(settings, substeps, options)
        return {"integrator": settings.integrator, "substeps": substeps, **options}


def _check_work(settings, substeps, options):
    """Raise ValueError where a frame would take so many iterations that it would seem never to end."""
    iterations = max(options.get(name, 1) for name in ("iterations", "newton_iterations"))
    if substeps * iterations > _MOST_ITERATIONS_A_FRAME:
        raise ValueError(
            f"a frame of '{settings.id_data.name}' would take {substeps:,} substeps of up to {iterations:,} iterations"
            f", together more than {_MOST_ITERATIONS_A_FRAME:,}: lower one of them"
        )


def shown_options(obj):
    """Names of the integrator's options that are settings too, in the integrator's order."""
    return [name for name in INTEGRATORS[obj.hooke.integrator].options if name in Solver().properties]

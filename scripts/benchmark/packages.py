# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `packages`: Hooke's core beside cloth solvers from PyPI, in one process without Blender.

All get the same masses and pins, the same springs with the same stiffness in N/m where they have springs, no air
and no collisions.
"""

import numpy as np
from theory.courses import FPS

from hooke.core import Simulation
from hooke.core.effort import EFFORTS

from . import race
from .race import Contestant


class HookeCore(Contestant):
    """Projective Dynamics; options as Simulation has them."""

    def __init__(self, name, **options):
        self.name, self.options = name, options

    def start(self, course):
        """Build and factorise."""
        self.simulation = Simulation(course.network(), dt=1.0 / FPS, **self.options)

    def advance(self):
        """One frame."""
        self.simulation.step()

    def positions(self):
        """Of the state."""
        return self.simulation.state.x


class PyPbd(Contestant):
    """XPBD distance constraints of pyPBD, the Python binding of the C++ library PositionBasedDynamics."""

    def __init__(self, name, substeps, iterations):
        self.name, self.substeps, self.iterations = name, substeps, iterations

    def start(self, course):
        """Springs as distance constraints; its gravity points along -y, so y and z change places."""
        import pypbd

        network = course.network()
        simulation = pypbd.Simulation.getCurrent()
        simulation.initDefault()
        self.model = simulation.getModel()
        self.model.cleanup()
        particles = self.model.getParticles()
        triangles = _triangles(course)
        self.model.addTriangleModel(network.points[:, [0, 2, 1]], triangles.ravel(), testMesh=False)
        for vertex, mass in enumerate(network.masses.tolist()):
            particles.setMass(vertex, mass)
        for vertex in network.hard_pins.tolist():
            particles.setMass(vertex, 0.0)
        for (i, j), k in zip(network.edges.tolist(), network.stiffness.tolist(), strict=True):
            self.model.addDistanceConstraint_XPBD(i, j, k)
        pypbd.TimeManager.getCurrent().setTimeStepSize(1.0 / FPS)
        self.stepper = simulation.getTimeStep()
        self.stepper.setValueUInt(self.stepper.NUM_SUB_STEPS, self.substeps)
        self.stepper.setValueUInt(self.stepper.MAX_ITERATIONS, self.iterations)

    def advance(self):
        """One frame."""
        self.stepper.step(self.model)

    def positions(self):
        """Of the particles."""
        return np.array(self.model.getParticles().getVertices())[:, [0, 2, 1]]


class Newton(Contestant):
    """Vertex block descent of Newton on the processor, with triangles in place of springs.

    Springs as the other contestants have them run away in its solvers. Its triangles resist stretch and area with
    the springs' stiffness as their Lamé parameters [N/m], and bending not at all.
    """

    def __init__(self, name, substeps, iterations):
        self.name, self.substeps, self.iterations = name, substeps, iterations

    def start(self, course):
        """Cloth mesh; Warp compiles its kernels at the first use and keeps them."""
        import newton
        import warp

        builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=(0.0, 0.0, -9.81))
        builder.add_cloth_mesh(
            pos=warp.vec3(0.0, 0.0, 0.0),
            rot=warp.quat_identity(),
            vel=warp.vec3(0.0, 0.0, 0.0),
            scale=1.0,
            vertices=[warp.vec3(*point) for point in course.points.tolist()],
            indices=_triangles(course).ravel().tolist(),
            density=course.mass / course.size**2,
            tri_ke=course.stiffness,
            tri_ka=course.stiffness,
            tri_kd=0.0,
            edge_ke=0.0,
            edge_kd=0.0,
        )
        for vertex in course.pinned:
            builder.particle_mass[vertex] = 0.0
            builder.particle_flags[vertex] &= ~newton.ParticleFlags.ACTIVE
        builder.color()
        model = builder.finalize(device="cpu")
        self.solver = newton.solvers.SolverVBD(model, iterations=self.iterations)
        self.state, self.next, self.control = model.state(), model.state(), model.control()

    def advance(self):
        """One frame."""
        for _ in range(self.substeps):
            self.state.clear_forces()
            dt = 1.0 / FPS / self.substeps
            self.solver.step(self.state, self.next, self.control, None, dt)
            self.state, self.next = self.next, self.state

    def positions(self):
        """Of the particles."""
        return self.state.particle_q.numpy().astype(np.float64)


def _triangles(course):
    """Every quad as two triangles, shape (2 k, 3)."""
    return np.concatenate([course.faces[:, [0, 1, 2]], course.faces[:, [0, 2, 3]]])


CONTESTANTS = (
    *(HookeCore(f"Hooke's core, {EFFORTS[id].label}", **EFFORTS[id].settings) for id in race.PLAYED),
    HookeCore("Hooke's core, plain 10 × 1", substeps=10, iterations=1),
    HookeCore("Hooke's core, plain 10 × 10", substeps=10, iterations=10),
    PyPbd("pyPBD, 5 × 1", 5, 1),
    PyPbd("pyPBD, 20 × 10", 20, 10),
    Newton("Newton VBD, 10 × 10", 10, 10),
    Newton("Newton VBD, 20 × 30", 20, 30),
)


def tables(options):
    """The sheet's."""
    yield race.races("packages", CONTESTANTS, ["sheet"], options)

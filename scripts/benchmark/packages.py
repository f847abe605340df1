# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `packages`: Hooke's core beside cloth solvers from PyPI, in one process without Blender.

All get the same springs with the same stiffness in N/m, the same masses and pins, no air and no collisions.
"""

import numpy as np

from hooke.core import Simulation
from hooke.core.linear import backends

from . import race, reference, sheet
from .race import Contestant


class HookeCore(Contestant):
    """Projective Dynamics with the fastest linear solver."""

    def __init__(self, name, substeps, iterations):
        self.name, self.effort = name, {"substeps": substeps, "iterations": iterations}

    def start(self, quads):
        """Build and factorise."""
        backend = backends()[0].name
        self.simulation = Simulation(sheet.network(quads), dt=1.0 / sheet.FPS, backend=backend, **self.effort)

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

    def start(self, quads):
        """Springs as distance constraints; its gravity points along -y, so y and z change places."""
        import pypbd

        network = sheet.network(quads)
        simulation = pypbd.Simulation.getCurrent()
        simulation.initDefault()
        self.model = simulation.getModel()
        self.model.cleanup()
        particles = self.model.getParticles()
        _, faces, _ = sheet.grid(quads)
        triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
        self.model.addTriangleModel(network.points[:, [0, 2, 1]], triangles.ravel(), testMesh=False)
        for vertex, mass in enumerate(network.masses.tolist()):
            particles.setMass(vertex, mass)
        for vertex in network.hard_pins.tolist():
            particles.setMass(vertex, 0.0)
        for (i, j), k in zip(network.edges.tolist(), network.stiffness.tolist(), strict=True):
            self.model.addDistanceConstraint_XPBD(i, j, k)
        pypbd.TimeManager.getCurrent().setTimeStepSize(1.0 / sheet.FPS)
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
    """Springs of Newton, on Warp's processor device; solver: name of one of its solvers."""

    def __init__(self, name, solver, substeps, iterations):
        self.name, self.solver_name, self.substeps, self.iterations = name, solver, substeps, iterations

    def start(self, quads):
        """Particles and springs; Warp compiles its kernels at the first use and keeps them."""
        import newton
        import warp

        warp.config.quiet = True
        network = sheet.network(quads)
        builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=-9.81)
        masses = network.masses.copy()
        masses[network.hard_pins] = 0.0
        rows = [warp.vec3(*point) for point in network.points.tolist()]
        builder.add_particles(pos=rows, vel=[warp.vec3(0.0, 0.0, 0.0)] * len(rows), mass=masses.tolist())
        for (i, j), k in zip(network.edges.tolist(), network.stiffness.tolist(), strict=True):
            builder.add_spring(i, j, k, 0.0, 0.0)
        if self.solver_name == "SolverVBD":
            builder.color()
        with warp.ScopedDevice("cpu"):
            model = builder.finalize(device="cpu")
            self.solver = getattr(newton.solvers, self.solver_name)(model, iterations=self.iterations)
            self.state, self.next = model.state(), model.state()
            self.control = model.control()

    def advance(self):
        """One frame."""
        for _ in range(self.substeps):
            self.state.clear_forces()
            dt = 1.0 / sheet.FPS / self.substeps
            self.solver.step(self.state, self.next, self.control, None, dt)
            self.state, self.next = self.next, self.state

    def positions(self):
        """Of the particles."""
        return self.state.particle_q.numpy().astype(np.float64)


CONTESTANTS = (
    HookeCore("Hooke's core, 10 × 1", 10, 1),
    HookeCore("Hooke's core, 10 × 10", 10, 10),
    PyPbd("pyPBD, 5 × 1", 5, 1),
    PyPbd("pyPBD, 20 × 10", 20, 10),
    Newton("Newton XPBD, 10 × 10", "SolverXPBD", 10, 10),
    Newton("Newton VBD, 10 × 10", "SolverVBD", 10, 10),
    Newton("Newton VBD, 20 × 30", "SolverVBD", 20, 30),
)


def run(options):
    """Measure them all; returns the results."""
    return race.sizes("packages", CONTESTANTS, options, reference.frames)

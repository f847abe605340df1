# SPDX-License-Identifier: GPL-3.0-or-later
"""Adding to the core: its specification, unchanged, on a copy that has one more method, force, collider and body."""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from measuring.page import write_block

from lab.additions import ARCHITECTURE, Addition, applied, block

LICENCE = "# SPDX-License-Identifier: GPL-3.0-or-later\n"
HEUN = '''\
"""Heun."""

from .runge_kutta import RungeKutta


class Heun(RungeKutta):
    """Heun's method: the mean of the slopes at the start and at the end that explicit Euler predicts.

    Order 2, explicit, two force evaluations a step. Slowly unstable for an undamped spring, like Midpoint.
    """

    label = "Heun"
    number = 9
    description = "Second order like Midpoint, with the slope averaged over both ends of the step"
    order = 2
    stability_limit = 0.0

    a = ((1.0,),)
    b = (0.5, 0.5)
'''
ATTRACTOR = '''\
"""Attractor."""

import numpy as np

from .force import Force


class Attractor(Force):
    """A spring from every particle to the origin, f = -k x, with k [N/m]."""

    label = "Attractor"
    description = "Pulls everything to the origin"

    def __init__(self, stiffness=0.1):
        self.stiffness = stiffness

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return -self.stiffness * x

    def energy(self, x):
        """V = k/2 |x|^2 [J]."""
        return 0.5 * self.stiffness * float(np.sum(x**2))
'''
BALL = '''\
"""Ball."""

import numpy as np

from .collider import Collider


class Ball(Collider):
    """A ball about the origin; radius [m]; the others: see `Collider`."""

    label = "Ball"
    description = "A ball that things fall on"

    def __init__(self, radius=1.0, **how):
        super().__init__(**how)
        self.radius = radius

    def distances(self, x):
        """From the surface [m]."""
        return np.linalg.norm(x, axis=1) - self.radius

    def normals(self, x):
        """Away from the centre."""
        return x / np.linalg.norm(x, axis=1)[:, None]
'''
BOX = '''\
"""Box."""

import numpy as np

from ..network import SpringNetwork
from .body import Body


class Box(Body):
    """Eight particles about a mesh, which rides on them by trilinear weights."""

    label = "Box"
    description = "The whole mesh deforms as one block of jelly"

    def __init__(self, network, weights, nearest):
        super().__init__(network, len(weights))
        self._weights, self._nearest = weights, nearest

    @classmethod
    def from_mesh(cls, points, edges=None, faces=None, *, pins=None, mass=1.0, **quantities):
        """The box about a mesh; a pinned vertex pins all of it."""
        points = np.asarray(points, dtype=float)
        low, size = points.min(axis=0) - 0.01, np.ptp(points, axis=0) + 0.02
        unit = SpringNetwork.lattice((2, 2, 2))
        held = float(SpringNetwork(points, [], pins=pins).pins.max())
        network = SpringNetwork(low + size * unit.points, unit.edges, masses=mass / 8, pins=held)
        share = ((points - low) / size)[:, None]
        weights = np.where(unit.points, share, 1.0 - share).prod(axis=2)
        return cls(network, weights, weights.argmax(axis=0))

    def embed(self, x):
        """Vertices by trilinear interpolation."""
        return self._weights @ x

    def particle_targets(self, vertices):
        """Every corner goes where the vertex nearest to it goes."""
        start = self.network.points
        return start + (vertices - self.embed(start))[self._nearest]
'''


def _entry(room, module, name, before_import, before_entry, id=None):
    """Lines of a catalogue, and the lines they go before."""
    return {
        f"core/{room}/__init__.py": {
            before_import: f"from .{module} import {name}\n",
            before_entry: f'    "{id or name.upper()}": {name},\n',
        }
    }


ADDITIONS = {
    "integrator": Addition(
        check="HEUN",
        files={"core/integrators/heun.py": LICENCE + HEUN},
        before=_entry(
            "integrators",
            "heun",
            "Heun",
            "from .implicit_euler import ImplicitEuler\n",
            '    "MODIFIED_EULER": ModifiedEuler,\n',
        ),
    ),
    "force": Addition(
        check="ATTRACTOR",
        files={"core/forces/attractor.py": LICENCE + ATTRACTOR},
        before=_entry(
            "forces",
            "attractor",
            "Attractor",
            "from .damping import damping_blocks, damping_forces, damping_turn_blocks\n",
            '    "AIR_DRAG": AirDrag,\n',
        ),
    ),
    "collider": Addition(
        check="BALL",
        files={"core/contacts/ball.py": LICENCE + BALL},
        before=_entry(
            "contacts", "ball", "Ball", "from .collider import Collider\n", '    "PLANE": Plane,\n'
        ),
    ),
    "body": Addition(
        check="Box",
        files={"core/bodies/box.py": LICENCE + BOX},
        before=_entry("bodies", "box", "Box", "from .cloth import Cloth\n", '    "CLOTH": Cloth,\n'),
    ),
}


def run():
    """Apply all additions to one copy, run the tests about them there, and write the differences and the result."""
    together = Addition(
        check="",
        files={path: text for addition in ADDITIONS.values() for path, text in addition.files.items()},
        before={path: lines for addition in ADDITIONS.values() for path, lines in addition.before.items()},
    )
    with tempfile.TemporaryDirectory() as folder:
        cases = _tested(applied(together, Path(folder)))
    for name, addition in ADDITIONS.items():
        write_block(f"adding-{name}", block(addition), page=ARCHITECTURE)
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    counts = {name: len(_about(cases, addition.check)) for name, addition in ADDITIONS.items()}
    result = (
        "`pytest tests/core` of what was added: "
        + ", ".join(f"{count} tests about the {name}" for name, count in counts.items())
        + f"; {len(failed) or 'none'} failed."
    )
    for case in failed:
        print("failed:", case.get("classname"), case.get("name"))
    write_block("adding-to-the-core", result, page=ARCHITECTURE)
    write_block("tenth-method", f"{block(ADDITIONS['integrator'])}\n\n{result}")


def _tested(copy):
    """The cases of the core's tests in the copy that are about what was added."""
    report = copy / "report.xml"
    environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
    words = " or ".join(addition.check for addition in ADDITIONS.values())
    command = [sys.executable, "-m", "pytest", "tests/core", "-q", "-k", words, f"--junit-xml={report}"]
    subprocess.run(command, cwd=copy, env=environment, check=False)
    return ElementTree.parse(report).getroot().findall(".//testcase")


def _about(cases, word):
    """Cases with a word among their parameters."""
    found = [case for case in cases if word in case.get("name", "").partition("[")[2]]
    if not found:
        raise AssertionError(f"no test of {word} ran: the tests did not read the copy's catalogue")
    return found

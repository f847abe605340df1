# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every body."""

from typing import Any

from ..network import SpringNetwork
from ..quantities import check_kind


class Body:
    """The simulated body of a mesh: particles, the springs between them, and how the mesh rides on them.

    A new body is a subclass in a file of its own and one line in BODIES:
    1. `label` and `description` describe it to people.
    2. `from_mesh` makes the body of a mesh, with the arguments of `SpringNetwork.from_mesh` and any of its own
       that have defaults. Pins are given for the mesh's vertices; the body pins particles in their place.
    3. `network` has the particles, their springs and pins, and the surface that air and contacts feel.
    4. `embed` gives the mesh's vertices for positions of the particles. It keeps rigid motions: particles that
       move as one take the vertices along, and at the particles' points it gives the mesh's own.
    5. `particle_targets` says where vertices at their targets want the particles; pinned ones are taken there.

    6. Where surroundings touch only some particles, `outside` is the Body of these, the first of all, with edges as
       contacts see them; `of_particles` gives them values, as of painted maps, that the mesh's vertices have.

    network: SpringNetwork; vertex_count: of the mesh; pinned_vertices: of the mesh, ascending.
    outside: Body of the particles that surroundings touch, None for all.
    """

    label = ""
    description = ""
    outside: Any = None

    def __init__(self, network, vertex_count):
        check_kind("network", network, SpringNetwork, needed=True)
        self.network: SpringNetwork = network
        self.vertex_count = vertex_count
        self.pinned_vertices = network.pinned

    @classmethod
    def from_mesh(cls, points, edges=None, faces=None, **quantities):
        """The body of a mesh, see `SpringNetwork.from_mesh`."""
        raise TypeError(f"{cls.__name__} is made from no mesh: a body must define from_mesh")

    @property
    def triangles(self):
        """Triangles of the surface, particle indices of shape (triangle_count, 3)."""
        return self.network.surface.triangles

    @property
    def strands(self):
        """Edges of the surface that border no face, particle indices of shape (strand_count, 2)."""
        return self.network.surface.strands

    def embed(self, x):
        """Positions of the mesh's vertices, shape (vertex_count, 3), for positions x of the particles [m]."""
        raise TypeError(f"{type(self).__name__} embeds no vertices: a body must")

    def of_particles(self, values):
        """Values of the particles that surroundings touch by those of the mesh's vertices, with one row each."""
        return values

    def particle_targets(self, vertices):
        """Where the particles belong when the mesh's vertices are at these positions [m], one row a particle."""
        raise TypeError(f"{type(self).__name__} takes no targets: a body must")

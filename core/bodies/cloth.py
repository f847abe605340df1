# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth."""

from ..network import SpringNetwork
from ..quantities import check_kind
from .body import Body


class Cloth(Body):
    """The mesh itself: every vertex is a particle.

    network: SpringNetwork.
    """

    label = "Cloth"
    description = "Every vertex is a point mass, every edge a spring: sheets, nets and ropes"

    def __init__(self, network):
        check_kind("network", network, SpringNetwork, needed=True)
        super().__init__(network, network.vertex_count)

    @classmethod
    def from_mesh(cls, points, edges=None, faces=None, **quantities):
        """The mesh as a network, see `SpringNetwork.from_mesh`."""
        return cls(SpringNetwork.from_mesh(points, edges, faces, **quantities))

    def embed(self, x):
        """The particles are the vertices."""
        return x

    def particle_targets(self, vertices):
        """The vertices are the particles."""
        return vertices

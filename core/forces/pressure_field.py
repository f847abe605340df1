# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields that are a force per area, wherever something is and however it moves."""

from ..quantities import number
from .areas import across_triangles, particle_areas, thirds
from .field import Field


class PressureField(Field):
    """A field whose force per area depends on the place and the time alone: whoever adds one defines `pressure`.

    across: share of it, 0 to 1, of which triangles feel what is across them alone, as of the pressure of a wind;
        strands feel all. Others as in Field.

    Raises ValueError for a share out of its range.
    """

    def __init__(self, strength=1.0, reach=None, *, across=0.0, **options):
        super().__init__(strength, reach, **options)
        self.across = number("share of a force field across triangles", across, most=1.0)

    def pressure(self, x, t):
        """Force per area at places x [N/m^2], shape (n, 3)."""
        raise TypeError(f"{type(self).__name__} defines no pressure: a field must")

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        pressure = self.pressure(x, t)
        force = self.areas[:, None] * pressure
        if self.across:
            of_triangles = self._areas_of_triangles[:, None] * pressure
            across = across_triangles(self.body.triangles, self._thirds, x, pressure)
            force -= self.across * (of_triangles - across)
        return force

    def prepare(self):
        """Find the areas of particles, and what of them is triangles' [m^2]."""
        super().prepare()
        self._areas_of_triangles, self._thirds = particle_areas(self.body, 0.0), thirds(self.body)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials per width, area and length: springs and masses of a mesh, for any resolution."""

from dataclasses import dataclass, fields

import numpy as np

from .axes import hypotenuse
from .patches import Patches
from .polygon_springs import polygon_springs
from .polygons import cut_along
from .quantities import real_array
from .stencils import Stencils, sheet_bending, strand_bending

# Slivers would get springs that are harder or softer than any solver's range: stiffness over that of a square's side.
_SOFTEST, _HARDEST = 0.01, 100.0
# The same of a fitted diagonal from which down there is none, and of a side that a fit does without.
_NONE = 1e-7
_MAY_BE_ZERO = (
    "shear",
    "bending",
    "line_bending",
    "damping_ratio",
    "bending_damping_ratio",
)


@dataclass(frozen=True, eq=False)
class Material:
    """A sheet on the faces of a mesh, and strands along the edges that border no face.

    All but the switches are scalars or arrays of shape (vertex_count,); springs take the mean of their vertices.

    stretch: force per width over strain, pulled along the mesh's lines and free across [N/m]; above 0.
    shear: force per width over the angle of shear [N/m]; 0 leaves the springs across quads out. Other faces have none:
        they are an isotropic sheet of Poisson's ratio 1/3, whose shear is 3/8 of its stretch.
    bending: flexural rigidity, moment per width over curvature [N m], as stencils, see `sheet_bending`; 0 is none.
    area_density: of the sheet [kg/m^2]; above 0.
    line_stiffness: force over strain of a strand [N]; above 0.
    line_density: of a strand [kg/m]; above 0.
    line_bending: of a strand, moment over curvature [N m^2], see `strand_bending`; 0 is none.
    damping_ratio: of every spring along an edge with the masses at its ends alone; 1 is critical.
    bending_damping_ratio: the same of the bending stencils, one number.
    keep_shape: whether the curvature of the points is that at rest; otherwise the sheet is flat at rest.
    clamped: whether faces with all vertices pinned do not bend, and their neighbours bend by the whole angle: exact
        while the pins hold.

    Triangles after Van Gelder 1998, "Approximate Simulation of Elastic Membranes by Triangulated Spring Meshes";
    quads by the same sharing of area, exact where they are rectangles (stretch) and squares (shear); larger faces and
    blunt triangles as in `polygon_springs`.
    Raises ValueError for a value out of its range.
    """

    stretch: float | np.ndarray = 5e3
    shear: float | np.ndarray = 100.0
    bending: float | np.ndarray = 1e-5
    area_density: float | np.ndarray = 0.136
    line_stiffness: float | np.ndarray = 5e3
    line_density: float | np.ndarray = 0.05
    line_bending: float | np.ndarray = 0.0
    damping_ratio: float | np.ndarray = 0.0
    bending_damping_ratio: float = 0.0
    keep_shape: bool = True
    clamped: bool = True

    def __post_init__(self):
        for field in fields(self):
            if field.type is bool:
                continue
            zero = field.name in _MAY_BE_ZERO
            value = real_array(field.name, getattr(self, field.name))
            low = np.less(value, 0.0) if zero else np.less_equal(value, 0.0)
            if not np.isfinite(value).all() or low.any():
                raise ValueError(
                    f"{field.name} is {value}: it must be finite and {'at least' if zero else 'above'} 0"
                )

    def springs(self, points, surface, held=None, creases=None):
        """Arguments `edges`, `masses`, `stiffness`, `damping` and `stencils` of SpringNetwork for a mesh.

        points [m], shape (vertex_count, 3); surface: the mesh's Surface; held: mask of the vertices that are hard
        pins, None for none, see `clamped`; creases: edges over which nothing bends, shape (count, 2), None for none.
        """
        mesh = _Mesh(points, surface)
        masses = self._masses(mesh)
        kinds = self._kinds(mesh)
        pairs = np.concatenate([pairs for pairs, _ in kinds])
        stiffness = np.concatenate([k for _, k in kinds])
        one, other = masses[pairs].T
        damping = 2.0 * _between(self.damping_ratio, pairs) * np.sqrt(stiffness * one * other / (one + other))
        if held is None or not self.clamped:
            held = np.zeros(len(points), dtype=bool)
        stencils = self._stencils(mesh, masses, held, creases)
        return {
            "edges": pairs,
            "masses": masses,
            "stiffness": stiffness,
            "damping": damping,
            "stencils": stencils,
        }

    def _stencils(self, mesh, masses, held, creases):
        """Bending stencils of sheet and strands."""
        kinds = []
        if np.any(self.bending):
            of_sheet = mesh.points, mesh.polygons, self.bending, held
            kinds.append(sheet_bending(*of_sheet) if creases is None else creased(*of_sheet, creases))
        if np.any(self.line_bending):
            kinds.append(strand_bending(mesh.points, mesh.strands, self.line_bending, held))
        stencils = Stencils.joined(kinds).at_rest(mesh.points, self.keep_shape)
        return stencils.damped(self.bending_damping_ratio, masses)

    def _masses(self, mesh):
        """Every vertex's share of faces and strands around it; one without any gets the mean of the others.

        All at one place there is nothing to share: then they weigh 1 kg together, and fall like anything else.
        """
        corners, shares = mesh.polygons.corners, (mesh.areas / mesh.polygons.sizes)[mesh.face_of_corner]
        density = np.broadcast_to(self.area_density, (mesh.vertex_count,))
        masses = np.bincount(corners, shares * density[corners], minlength=mesh.vertex_count)
        of_strands = _between(self.line_density, mesh.strands)
        halves = np.repeat(0.5 * of_strands * mesh.lengths(mesh.strands), 2)
        masses = masses + np.bincount(mesh.strands.ravel(), halves, minlength=mesh.vertex_count)
        heavy = masses > 1e-6 * masses.max(initial=0.0)
        if not heavy.any():
            return np.full(mesh.vertex_count, 1.0 / mesh.vertex_count)
        return np.where(heavy, masses, masses[heavy].mean())

    def _kinds(self, mesh):
        """Pairs of vertices, each once, and their stiffness [N/m]: along edges and across faces."""
        sides, k = self._sides(mesh)
        fitted, of_fitted = self._fitted(mesh)
        of_strands = _between(self.line_stiffness, mesh.strands)
        of_strands = of_strands / np.maximum(mesh.lengths(mesh.strands), mesh.shortest)
        kinds = [
            mesh.gathered(
                np.concatenate([sides, fitted, mesh.strands]), np.concatenate([k, of_fitted, of_strands])
            ),
        ]
        if np.any(self.shear):
            kinds.append(mesh.gathered(*self._diagonals(mesh), known=kinds))
        return kinds

    def _sides(self, mesh):
        """Sides of triangles and quads, as often as faces share them, and what each face adds to their stiffness."""
        triangle = mesh.sizes_of_corner == 3
        # Two families of sides share a quad's area, and its diagonals carry a part of what pulls along them.
        sides = mesh.polygons.sides()
        k, g = _between(self.stretch, sides), _between(self.shear, sides)
        factor = np.where(triangle, k, 0.5 * (0.5 * (k - 2.0 * g + hypotenuse(k, 2.0 * g))))
        ratio = mesh.areas[mesh.face_of_corner] / np.maximum(mesh.lengths(sides) ** 2, np.finfo(float).tiny)
        # Sides in a patch have a spring of their own too, so that tears run along every side.
        ratio = np.where(mesh.in_patch[mesh.face_of_corner], _NONE, np.clip(ratio, _SOFTEST, _HARDEST))
        return sides, factor * ratio

    def _fitted(self, mesh):
        """Springs of larger faces and of blunt triangles, see Patches, and their stiffness."""
        springs = polygon_springs(mesh.points, mesh.patches.polygons)
        kept = springs.factors > _NONE
        pairs = springs.pairs[kept]
        return pairs, _between(self.stretch, pairs) * np.minimum(springs.factors[kept], _HARDEST)

    def _diagonals(self, mesh):
        """Diagonals of quads, each from either end, and their stiffness."""
        wide = np.flatnonzero(mesh.sizes_of_corner == 4)
        pairs = np.column_stack([mesh.polygons.corners, mesh.polygons.neighbour_corners(2)])[wide]
        area = np.maximum(mesh.areas[mesh.face_of_corner][wide], np.finfo(float).tiny)
        ratio = mesh.lengths(pairs) ** 2 / (2.0 * area)
        shear = np.maximum(_between(self.shear, pairs), np.finfo(float).tiny)
        return pairs, 0.5 * shear * np.clip(ratio, _SOFTEST, _HARDEST)


def creased(points, polygons, rigidity, held, creases):
    """As `sheet_bending`, of a sheet that is cut along creases, edges of shape (count, 2)."""
    parted, sources = cut_along(polygons, creases, len(points))
    rigidity = np.broadcast_to(np.asarray(rigidity, dtype=np.float64), (len(points),))
    return sheet_bending(points[sources], parted, rigidity[sources], held[sources]).renumbered(sources)


def _between(values, pairs):
    """Means of the vertices' values for pairs of vertices; a single number stays."""
    values = np.asarray(values, dtype=np.float64)
    return values if values.ndim == 0 else values[pairs].mean(axis=1)


class _Mesh:
    """A mesh measured: areas of its faces [m^2], strands that border no face, and the length [m] that shorter edges
    count as."""

    def __init__(self, points, surface):
        polygons, self.strands = surface.polygons, surface.strands
        self.points, self.polygons, self.vertex_count = points, polygons, len(points)
        self.face_of_corner = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
        self.sizes_of_corner = polygons.sizes[self.face_of_corner]
        self.areas = polygons.areas(points)
        self.patches = Patches.of(points, polygons)
        self.in_patch = np.zeros(len(polygons.sizes), dtype=bool)
        self.in_patch[self.patches.faces] = True
        lengths = self.lengths(surface.edges)
        self.shortest = 1e-3 * (lengths.mean() if lengths.any() else 1.0)

    def lengths(self, pairs):
        """Distance between the vertices of each pair."""
        return np.linalg.norm(self.points[pairs[:, 0]] - self.points[pairs[:, 1]], axis=1)

    def keys(self, pairs):
        """One number for each pair, whichever way round."""
        return pairs.min(axis=1, initial=self.vertex_count) * self.vertex_count + pairs.max(axis=1, initial=0)

    def pairs(self, keys):
        """The pairs of some keys, shape (key_count, 2)."""
        return np.column_stack(np.divmod(keys, self.vertex_count))

    def gathered(self, pairs, k, known=()):
        """Pairs of two vertices, each once and none of the known kinds, with the sum of their stiffnesses."""
        keys, inverse = np.unique(self.keys(pairs), return_inverse=True)
        sums = np.bincount(inverse.ravel(), k, minlength=len(keys))
        taken = (
            np.concatenate([self.keys(pairs) for pairs, _ in known]) if known else np.empty(0, dtype=np.intp)
        )
        kept = ~np.isin(keys, taken) & (keys // self.vertex_count != keys % self.vertex_count)
        return self.pairs(keys[kept]), sums[kept]

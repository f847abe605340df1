# SPDX-License-Identifier: GPL-3.0-or-later
"""The kept matrix with its factors, each made when it is first needed."""

from functools import cached_property

import numpy as np

from ..kernels import CHOSEN
from .factors import FACTORS, factor_cost
from .global_matrix import global_matrix


class KeptFactor:
    """S of a network and a step, and solves with it.

    network, dt, lump: see `global_matrix`; backend: see `linear.factorise`; few: whether a few conjugate gradients on
    it are likely to be all, for which a factor in single precision is made at once where kernels are compiled, and the
    one in double precision only when something asks for it, as contacts do.
    matrix: SciPy CSC; single: SupernodalFactor, or None.
    Raises LinAlgError where S is not positive definite.
    """

    def __init__(self, network, dt, backend, *, lump=False, few=False):
        self.matrix, self._backend = global_matrix(network, dt, lump=lump), backend
        self._network, self._count = network, network.vertex_count
        # M/dt^2 makes it so, unless it drowns in the rounding of the springs' part.
        rounding = self._count * np.finfo(np.float64).eps * np.abs(self.matrix.data).max()
        self._definite = bool((network.masses / dt**2).min() > rounding)
        diagonal = self.matrix.diagonal()
        # Squares of its entries [kg/s^2] are numbers in single precision as well, with all of their digits.
        single = np.finfo(np.float32)
        least, most = diagonal.min(initial=1.0) ** 2, diagonal.max(initial=1.0) ** 2
        fits = least > single.tiny / single.eps and most < single.max * single.eps
        serves = few and fits and backend == "AUTO" and CHOSEN.library is not None
        self.single = self._factor(single=True) if serves else None
        if self.single is None:
            _ = self.double

    @property
    def name(self):
        """Of the solver in use."""
        return (self.single or self.double).name

    def solve(self, g):
        """S^-1 g, one row an axis, in a buffer."""
        by_rows, increment = self._by_rows
        by_rows(np.ascontiguousarray(g), increment)
        return increment

    @cached_property
    def _by_rows(self):
        return self.double.by_rows(), np.empty((3, self._count))

    @cached_property
    def double(self):
        """The factor in double precision, see `linear.factorise`."""
        return self._factor(single=False)

    def _factor(self, *, single):
        how = {"definite": self._definite, "single": single}
        return FACTORS.factor(self.matrix, self._backend, self._memory, **how)

    def _memory(self):
        return factor_cost(self._network).memory

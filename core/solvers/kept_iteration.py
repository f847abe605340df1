# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain iteration on the kept matrix where contacts hold particles."""


class KeptIteration:
    """The least of the kept matrix's model along its filtered increment, for where a search found nothing lower.

    problem: ImplicitStep; gradients: ConjugateGradients on the factor of `matrix`, SciPy CSC and symmetric.
    """

    def __init__(self, problem, gradients, matrix):
        self._problem, self._gradients = problem, gradients
        # The transpose of a symmetric matrix is itself, in rows, which multiply faster.
        self._rows = matrix.T

    def iterated(self, x, contacts):
        """Positions [m] after it from x, shape (3, vertex_count), where Seats place that."""
        contacts.place(x)
        g = self._problem.gradient(x)
        contacts.filter_gradient(g)
        step, _ = self._gradients.direction(g, self._product, 1, contacts=contacts)
        return x + step

    def _product(self, p, out):
        for row, result in zip(p, out, strict=True):
            result[:] = self._rows @ row
        return out

# SPDX-License-Identifier: GPL-3.0-or-later
"""Solvers of an implicit step: factors of constant matrices, and iterations on them."""

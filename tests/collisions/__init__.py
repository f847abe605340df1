# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that collides: specified by tests, and measured at length by the benchmark."""

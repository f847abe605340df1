# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke beside what it should do: each module is a subject, with TABLES of `measuring.measured.Measured`, or run()."""

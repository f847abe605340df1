# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks: `python3 scripts/dev.py benchmark` measures, then draws and writes docs/benchmark.md.

Each subject is a module with run(options) that returns its results as plain dicts and lists; SUBJECTS in
`subjects` names them and the environments they run in. `results` keeps them in build/benchmark/ from where
`report` and `plots` take them.
"""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks: `python3 scripts/dev.py benchmark` measures, then draws and writes docs/benchmark.md.

Each subject is a module with run(options), which returns its results as plain dicts and lists, and tables(results);
SUBJECTS in `subjects` names them and the environments they run in. `measuring.results` keeps what they found in
build/benchmark/, from where `report` and `plots` take it. `race` is how contestants are measured, `courses` what they
simulate, `reference` what they are compared with.
"""

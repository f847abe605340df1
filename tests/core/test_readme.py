# SPDX-License-Identifier: GPL-3.0-or-later
"""The README's example of the core runs as it stands there, from the package and from the checkout's folder."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.newest
def test_the_example_drapes_a_sheet_over_the_ball_and_onto_the_floor(capsys):
    (example,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict = {}
    exec(example, names)
    told = capsys.readouterr().out
    assert told.count("lowest at") == 48
    x = names["simulation"].state.x
    assert np.linalg.norm(x - [0.6, 0.6, -0.4], axis=1).min() >= 0.3
    # The middle lies on the ball, the corners hang below its centre and above the floor.
    assert x[len(x) // 2, 2] == pytest.approx(-0.1, abs=0.02)
    assert -0.8 <= x[:, 2].min() < -0.4

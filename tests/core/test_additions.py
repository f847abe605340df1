# SPDX-License-Identifier: GPL-3.0-or-later
"""How to add to the core: what docs/adding.md shows applies, and the core's specification holds of it."""

import xml.etree.ElementTree as ElementTree

import pytest

from ..additions import applied, changed, run, shown

# By what the tests' parameters call it.
ADDITIONS = {"integrator": "HEUN", "force": "ATTRACTOR", "collider": "BALL", "body": "Box"}


@pytest.mark.parametrize("name", ADDITIONS)
def test_what_the_page_shows_applies(name):
    diff = shown(name)
    assert len(diff) == 2
    for path, hunks in diff.items():
        compile(changed(path, hunks), path, "exec")


@pytest.mark.nightly
def test_the_specification_holds_of_what_was_added(tmp_path):
    copy, report = applied(ADDITIONS, tmp_path), tmp_path / "report.xml"
    words = " or ".join(ADDITIONS.values())
    run(
        copy, "-m", "pytest", "tests/core", "-q", "-k", words, "--deselect", __file__, f"--junit-xml={report}"
    )
    told = [
        case.get("name").partition("[")[2] for case in ElementTree.parse(report).getroot().iter("testcase")
    ]
    # The tests have read the copy's catalogues.
    assert all(sum(word in parameters for parameters in told) >= 5 for word in ADDITIONS.values())

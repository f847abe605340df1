# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows' environment under Wine: where it cannot be made, that is said, and no check fails."""

import checks
import pytest
from environments import fingerprint
from interpreters import find_interpreter
from windows import check, environment


def test_without_a_network_the_check_is_skipped_with_the_reason(monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setattr(environment, "FOLDER", tmp_path / "windows")
    try:
        environment.wine()
    except environment.NotHere as error:
        pytest.skip(str(error))
    ended = check.step()
    assert ended.status == "skipped"
    assert ended.detail.startswith("Wheels for Windows cannot be fetched: ") and "panda3d" in ended.detail


@pytest.fixture
def printed(monkeypatch, tmp_path, capsys):
    """Run the check as one of the usual ones, or named, with an environment elsewhere; returns what is printed."""
    monkeypatch.setattr(environment, "FOLDER", tmp_path / "windows")
    monkeypatch.setattr(checks, "USUAL", ("windows",))
    monkeypatch.setattr(
        checks, "run_steps", lambda tools, _: [checks.Outcome(tool.name, "passed", "") for tool in tools]
    )

    def run(*named):
        checks.run_checks(named)
        return capsys.readouterr().out

    return run


def test_a_usual_run_does_not_fetch_its_environment_and_a_named_one_does(printed):
    assert "skipped" in (told := printed()) and "`dev.py test windows` fetches what it needs, 1.5 GB" in told
    assert "skipped" not in (told := printed("windows")) and "passed" in told


def test_a_usual_run_has_it_where_the_environment_is(printed):
    base = find_interpreter(environment.VERSION)
    if base is None:
        pytest.skip(f"Python {environment.VERSION} is not on this machine")
    environment.FOLDER.mkdir()
    (environment.FOLDER / "made-from").write_text(fingerprint(environment.LIKE, base), encoding="utf-8")
    assert "skipped" not in (told := printed()) and "passed" in told
    (environment.FOLDER / "made-from").write_text("made of other packages", encoding="utf-8")
    assert "skipped" in printed()

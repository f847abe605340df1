# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows' environment under Wine: where it cannot be made, that is said, and no check fails."""

import pytest
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

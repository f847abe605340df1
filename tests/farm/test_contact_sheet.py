# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of a contact sheet: every axis that varies, files and objects too."""

import pytest
from farming import contact_sheet, wedge

MASS = wedge.Axis("mass", ("1", "2"), (("--mass=1",), ("--mass=2",)))


def labels(files, objects, axes):
    """The lines above each variant of a wedge."""
    variants = wedge.Wedge(files, objects, axes, ()).variants(dict.fromkeys(files, ""))
    rows = [contact_sheet.tables.row(variant, {}) for variant in variants]
    titles = contact_sheet.titles_of(rows)
    return [contact_sheet.label_of(row, titles) for row in rows]


@pytest.mark.parametrize(
    ("files", "objects", "axes", "expected"),
    [
        (("a.blend",), ("Flag",), (), [["1   Flag"]]),
        (("a.blend",), ("Flag",), (MASS,), [["1   mass 1"], ["2   mass 2"]]),
        (("a.blend",), ("Flag", "Rope"), (), [["1   Flag"], ["2   Rope"]]),
        (("a.blend", "b.blend"), ("Flag",), (), [["1   a"], ["2   b"]]),
        (("x/a.blend", "y/a.blend"), ("Flag",), (), [["1   x/a.blend"], ["2   y/a.blend"]]),
    ],
)
def test_what_varies_is_named(files, objects, axes, expected):
    assert labels(files, objects, axes) == expected


def test_files_objects_and_settings_at_once():
    found = labels(("a.blend", "b.blend"), ("Flag", "Rope"), (MASS,))
    assert len({tuple(label[0].split("   ")[1:] + label[1:]) for label in found}) == len(found) == 8
    assert found[-1] == ["8   b", "Rope", "mass 2"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Online Manual leads from every setting and operator to a heading of the documentation that exists."""

import re
from pathlib import Path

import bpy
import pytest
from bl_operators.wm import WM_OT_doc_view_manual

from hooke.addon.operators import manual
from hooke.addon.sections import SECTIONS

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def site(monkeypatch):
    """The site's address, as the preferences name it."""
    monkeypatch.setattr(manual, "documentation", lambda: "https://example.org/hooke")
    return "https://example.org/hooke/"


def headings(page):
    """Anchors of a page's headings, as MkDocs makes them."""
    text = (DOCS / page).with_suffix(".md").read_text(encoding="utf-8")
    found = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w-]+", "-", heading.lower()).strip("-") for heading in found}


def test_every_setting_leads_to_its_panel(site):
    for section in SECTIONS:
        for name in section.properties:
            url = WM_OT_doc_view_manual._lookup_rna_url(f"bpy.types.HookeSettings.{name}", verbose=False)
            page, anchor = url.removeprefix(site).split("#")
            assert anchor in headings(page), name


def test_every_operator_leads_somewhere(site):
    names = [name for name in dir(bpy.ops.hooke) if not name.startswith("_")]
    assert len(names) > 10
    for name in names:
        url = WM_OT_doc_view_manual._lookup_rna_url(f"bpy.ops.hooke.{name}", verbose=False)
        page, anchor = url.removeprefix(site).split("#")
        assert anchor in headings(page), name


def test_a_folder_is_an_address(monkeypatch, tmp_path):
    monkeypatch.setattr(manual, "documentation", lambda: str(tmp_path))
    assert manual.address() == f"{tmp_path.as_uri()}/"


def test_without_an_address_blender_says_that_there_is_none():
    assert manual.manual() == ("", ())
    assert (
        WM_OT_doc_view_manual._lookup_rna_url("bpy.types.HookeSettings.stretch_stiffness", verbose=False)
        is None
    )

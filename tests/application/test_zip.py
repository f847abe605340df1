# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the zip, and what Blender's own validator says of it."""

import functools
import http.server
import json
import re
import tempfile
import threading
import tomllib
import zipfile
from pathlib import PurePosixPath

import build
import pytest
import release
from conftest import COMMANDS, UNSET, Application


@pytest.fixture(scope="session")
def names(zip_path):
    """The paths in the zip."""
    with zipfile.ZipFile(zip_path) as archive:
        return [PurePosixPath(name) for name in archive.namelist()]


def test_the_zip_holds_code_licence_manifest_and_wheels_only(names):
    assert {name.parts[0] for name in names} == {
        "LICENSE",
        "__init__.py",
        "addon",
        "blender_manifest.toml",
        "core",
        "wheels",
    }
    assert {name.suffix for name in names if name.parts[0] in {"core", "addon"}} == {".py", ".c", ".h"}


def test_the_zip_holds_the_wheels_of_its_platform_only(zip_path, names, platform_id):
    tags = {
        "linux-x64": r"manylinux.*_x86_64",
        "windows-x64": r"win_amd64",
        "macos-arm64": r"macosx_1[12]_0_arm64",
        "macos-x64": r"macosx_10_1\d_x86_64",
    }
    wheels = {name.name for name in names if name.parts[0] == "wheels"}
    assert all(re.fullmatch(rf".*-{tags[platform_id]}\.whl", wheel) for wheel in wheels), wheels
    # SciPy for the Pythons of Blender 4.2 to 5.2 and of Linux distributions; cholespy for 3.11, and 3.12 on.
    pythons = ["cp311", "cp313"] + (["cp314"] if platform_id == "linux-x64" else [])
    expected = {("scipy", python) for python in pythons} | {("cholespy", "cp311"), ("cholespy", "cp312")}
    expected |= {("hooke_kernels", "py3")}
    assert {(wheel.split("-")[0], wheel.split("-")[2]) for wheel in wheels} == expected
    with zipfile.ZipFile(zip_path) as archive:
        generated = tomllib.loads(archive.read("blender_manifest.toml").decode())["build"]["generated"]
    assert {PurePosixPath(path).name for path in generated["wheels"]} == wheels
    assert generated["platforms"] == [platform_id]


def test_the_application_finds_the_zip_valid(application, zip_path):
    assert "Success" in application.run("--command", "extension", "validate", zip_path)


@pytest.mark.newest
def test_an_application_builds_the_same_zip_as_the_module(
    application, zip_path, platform_id, tmp_path, monkeypatch
):
    command = [*application.command, "--command", "extension"]
    monkeypatch.setattr(build, "builder", lambda: build.Builder(command, []))
    (built,) = build.build(tmp_path, [platform_id])
    with zipfile.ZipFile(built) as own, zipfile.ZipFile(zip_path) as other:
        contents = [{name: archive.read(name) for name in archive.namelist()} for archive in (own, other)]
    assert contents[0].keys() == contents[1].keys()
    assert {name for name in contents[0] if contents[0][name] != contents[1][name]} <= {
        "blender_manifest.toml"
    }


@pytest.fixture(scope="session")
def released(platform_id, tmp_path_factory):
    """The folder of a release for this platform."""
    folder = tmp_path_factory.mktemp("release")
    release.release(folder, [platform_id])
    return folder


def test_a_release_has_a_zip_for_every_python_and_each_is_found_in_the_index(released, platform_id):
    index = json.loads((released / "index.json").read_text(encoding="utf-8"))
    listed = {
        (entry["archive_url"], *entry["platforms"], *entry["python_versions"]) for entry in index["data"]
    }
    assert listed == {
        (f"./{path.name}", platform_id, f"3.{path.stem.rpartition('-cp3')[2]}")
        for path in released.glob("*.zip")
    }
    for path in released.glob("*.zip"):
        tag = path.stem.rpartition("-")[2]
        with zipfile.ZipFile(path) as archive:
            wheels = [PurePosixPath(name).name for name in archive.namelist() if name.endswith(".whl")]
        assert wheels and all(build.fits(wheel, tag) for wheel in wheels), wheels


@pytest.mark.parametrize("command", COMMANDS or [UNSET])
def test_an_application_installs_from_the_index_and_only_when_it_may_go_online(command, released):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=released)
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        tempfile.TemporaryDirectory(prefix="hooke-", ignore_cleanup_errors=True) as user_files,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        blender = Application(command, user_files)
        address = f"http://127.0.0.1:{server.server_port}/index.json"
        blender.run("--command", "extension", "repo-add", "--url", address, "--name", "Hooke", "released")
        install = ("--command", "extension", "install", "--sync", "--enable", "hooke")
        assert "Online access required" in blender.run("--offline-mode", *install, status=1)
        assert "Installed" in blender.run("--online-mode", *install)
        told = blender.run(
            "-b", "--python-expr", "from bl_ext.released.hooke import core; print(core.EFFORTS.keys())"
        )
        assert "STANDARD" in told
        server.shutdown()

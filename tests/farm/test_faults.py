# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers killed, the farm interrupted, schedulers lost, machines that share no folder, disks that are full.

HOOKE_ROUNDS: number of workers killed at random, 2 by default.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from conftest import ROOT, begin, run
from folders import checksum, done, made_at, positions, table
from waiting import HANGS

ROUNDS = int(os.environ.get("HOOKE_ROUNDS", "2"))
COMMON = ("--object", "Cloth", "--mode=MESH_CACHE", "--pin-group=Pin")
# About a second of simulation each, so that what happens when frames are simulated happens in the middle.
LONG = (*COMMON, "--frames=1-100", "--substeps=12")
STIFFNESSES = ("1e3", "8e3")
WEDGE = (*LONG, "--wedge", f"stretch-stiffness={','.join(STIFFNESSES)}")


@pytest.fixture(scope="module")
def undisturbed(blender, cloth, tmp_path_factory):
    """Checksums of the long wedge's positions by number, as bakes make them that nothing happens to."""
    found = {}
    for number, stiffness in enumerate(STIFFNESSES, start=1):
        folder = tmp_path_factory.mktemp("undisturbed")
        words = (*LONG, "--stretch-stiffness", stiffness, "--output", folder / "cloth.blend")
        subprocess.run(
            [*blender, ROOT / "scripts" / "bake.py", cloth, *words],
            env={**os.environ, "HOOKE_CACHE": str(folder / "cache")},
            check=True,
            capture_output=True,
            timeout=HANGS,
        )
        (made,) = folder.glob("cloth_hooke/*.pc2")
        found[number] = checksum(made)
    return found


def workers_of(process):
    """Processes of Dask's workers below a farm or a worker's command."""
    return [child for child in psutil.Process(process.pid).children() if _is_worker(child)]


def _is_worker(child):
    try:
        return any("spawn_main" in word for word in child.cmdline())
    except psutil.Error:
        return False


def wait_until(condition):
    """Wait for something to be true."""
    until = time.monotonic() + HANGS
    while not condition():
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.05)


def simulated(output):
    """Whether some attempt has simulated frames by now."""
    for path in Path(output).glob(".farm/work/*/*/cache/*/*.pc2"):
        # An attempt that ends is moved away meanwhile.
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > 10_000:
                return True
    return False


def simulated_after_another(output):
    """Whether one variant is done and the next in the middle."""
    return bool(done(output)) and simulated(output)


@pytest.mark.nightly
def test_workers_killed_at_random(cloth, undisturbed, tmp_path):
    output, dice, kills = tmp_path / "wedge", random.Random(14), 0
    farm = begin(cloth, *WEDGE, "--output", output, "--workers", 2, "--retries", 10)
    before: dict = {}
    wait_until(lambda: simulated(output))
    while farm.poll() is None and kills < ROUNDS:
        time.sleep(dice.uniform(0.5, 3.0))
        now = made_at(output) if output.is_dir() else {}
        # What was done stays as it was.
        assert {number: now[number] for number in before} == before
        before = now
        workers = workers_of(farm) if farm.poll() is None else []
        if workers:
            dice.choice(workers).send_signal(signal.SIGKILL)
            kills += 1
    _, errors = farm.communicate(timeout=HANGS)
    assert farm.returncode == 0, errors
    assert kills > 0
    assert positions(output) == undisturbed
    assert {path.name for path in output.iterdir() if path.name.startswith(".")} == {".farm"}
    assert list((output / ".farm" / "work").iterdir()) == []


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "killed"])
def test_a_stopped_farm_goes_on_from_there(number, cloth, undisturbed, tmp_path):
    output = tmp_path / "wedge"
    words = (cloth, *WEDGE, "--output", output, "--workers", 1)
    farm = begin(*words)
    wait_until(lambda: simulated_after_another(output))
    bakes = [
        child for child in psutil.Process(farm.pid).children(recursive=True) if "inside.py" in _words(child)
    ]
    assert bakes
    # As the terminal does: to every process of the farm's session.
    os.killpg(farm.pid, number) if number == signal.SIGINT else farm.kill()
    _, errors = farm.communicate(timeout=HANGS)
    if number == signal.SIGINT:
        assert farm.returncode == 1
        last = errors.splitlines()[-1]
        assert "interrupted: " in last and "the same command goes on from there" in last
        assert "Traceback" not in errors
        assert table(output)
    # Nobody goes on for a farm that is gone.
    wait_until(lambda: not any(bake.is_running() and bake.status() != "zombie" for bake in bakes))
    before, finished = made_at(output), done(output)
    assert finished
    again = run(*words)
    assert again.returncode == 0, again.stderr
    assert {n: made_at(output)[n] for n in finished} == {n: before[n] for n in finished}
    assert positions(output) == undisturbed
    assert any(row["frames_from_cache"] for row in table(output))


def _words(process):
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@pytest.fixture
def cluster(tmp_path):
    """Function that starts a scheduler and workers in folders of their own; gives its address and processes."""
    started = []

    def start(workers):
        file = tmp_path / f"scheduler-{len(started)}.json"
        words = ["--scheduler-file", str(file)]
        scheduler = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", *words],
            stderr=subprocess.DEVNULL,
        )
        started.append(scheduler)
        wait_until(lambda: file.is_file() and file.read_text(encoding="utf-8").rstrip().endswith("}"))
        for number in range(workers):
            own = tmp_path / f"worker-{len(started)}-{number}"
            own.mkdir()
            started.append(
                subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        "distributed.cli.dask_worker",
                        "--nthreads",
                        "1",
                        "--no-dashboard",
                        *words,
                    ],
                    cwd=own,
                    env={
                        **os.environ,
                        "HOOKE_FARM_FOLDER": str(own / "farm"),
                        "DASK_TEMPORARY_DIRECTORY": str(own),
                    },
                    stderr=subprocess.DEVNULL,
                )
            )
        return json.loads(file.read_text(encoding="utf-8"))["address"], started[-1 - workers :]

    yield start
    for process in started:
        process.terminate()
    for process in started:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            # A worker whose scheduler was killed looks for it for half a minute before it ends.
            process.kill()
            process.wait()


@pytest.mark.nightly
def test_workers_without_a_shared_folder(cluster, cloth, blender, undisturbed, tmp_path):
    address, _ = cluster(workers=2)
    output = tmp_path / "wedge"
    result = run(
        cloth,
        *WEDGE,
        *("--output", output, "--scheduler", address, "--files-by", "task", "--blender", " ".join(blender)),
    )
    assert result.returncode == 0, result.stderr
    assert positions(output) == undisturbed
    # Nothing was made in the farm's own folder, and nothing stays in the workers'.
    assert not (output / ".farm" / "work").exists() and not (output / ".farm" / "tools").exists()
    assert list(tmp_path.glob("worker-*/farm/*")) == []


@pytest.mark.nightly
def test_the_scheduler_killed(cluster, cloth, blender, undisturbed, tmp_path):
    address, processes = cluster(workers=1)
    output = tmp_path / "wedge"
    words = (cloth, *WEDGE, "--output", output, "--blender", " ".join(blender))
    farm = begin(*words, "--scheduler", address)
    wait_until(lambda: simulated_after_another(output))
    processes[0].kill()
    _, errors = farm.communicate(timeout=HANGS)
    assert farm.returncode == 1
    last = errors.splitlines()[-1]
    assert f"the scheduler at {address} is gone" in last and "the same command goes on from there" in last
    assert "Traceback" not in errors
    before, finished = made_at(output), done(output)
    assert finished
    address, _ = cluster(workers=1)
    again = run(*words, "--scheduler", address)
    assert again.returncode == 0, again.stderr
    assert {n: made_at(output)[n] for n in finished} == {n: before[n] for n in finished}
    assert positions(output) == undisturbed


@pytest.mark.nightly
def test_a_disk_that_is_full_ends_the_farm_with_a_sentence(blender, cloth, tmp_path):
    # No file that Blender writes may grow past 64 blocks of 512 bytes: what it writes meets the system's error. Python
    # would keep half of what it compiles, and fail on it ever after.
    limited, unkept = tmp_path / "python", "export PYTHONDONTWRITEBYTECODE=1"
    limited.write_text(
        f'#!/bin/sh\n{unkept}\nulimit -f 64\nexec {" ".join(blender)} "$@"\n', encoding="utf-8"
    )
    limited.chmod(0o755)
    words = (
        cloth,
        *COMMON,
        "--frames=1-60",
        "--wedge",
        "stretch-stiffness=1e3",
        "--output",
        tmp_path / "wedge",
    )
    result = run(*words, "--workers", 1, "--blender", limited)
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert os.strerror(27) in last and "free space: 0 of 1 variants are done" in last, result.stderr
    assert "Traceback" not in result.stderr
    again = run(*words, "--workers", 1)
    assert (again.returncode, done(tmp_path / "wedge")) == (0, {1}), again.stderr


def test_a_bake_that_is_killed_is_tried_again_and_then_reported(blender, cloth, tmp_path):
    # As the system does where memory runs out.
    killed = tmp_path / "python"
    killed.write_text(
        f'#!/bin/sh\ncase "$*" in *bake.json) kill -9 $$;; esac\nexec {" ".join(blender)} "$@"\n',
        encoding="utf-8",
    )
    killed.chmod(0o755)
    words = (cloth, *COMMON, "--frames=1-3", "--output", tmp_path / "wedge", "--workers", 1, "--retries", 1)
    result = run(*words, "--blender", killed)
    assert result.returncode == 1
    (row,) = table(tmp_path / "wedge")
    assert (row["status"], row["attempts"]) == ("failed", 2)
    assert "SIGKILL" in row["errors"]["sentence"] and "--memory" in row["errors"]["sentence"]

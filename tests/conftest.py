# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves combinations to the night, runs a part of cases or files where told to, and ends pytest beside Blender.

The bpy module's static destructors can wait for ever for one of Blender's own threads. Everything pytest has
to say is said by the time it unconfigures, so the process ends there with the session's exit status.
"""

import os
import sys
from collections import Counter
from pathlib import Path
from zlib import crc32

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"

exit_status = pytest.StashKey[int]()


def pytest_addoption(parser):
    """The option of `dev.py test` for what runs on a second Blender or NumPy."""
    parser.addoption(
        "--cases",
        type=int,
        metavar="N",
        help="N cases of every parametrised test, others in each; HOOKE_CASES=all in the environment: all the same",
    )
    parser.addoption(
        "--tests",
        type=int,
        metavar="N",
        help="with --cases: of every file the first N tests, those of its subject's usual way",
    )
    parser.addoption(
        "--part",
        metavar="K/N",
        help="of N parts of the files the K-th: every N-th file of each folder, the same ones in every run",
    )


def pytest_ignore_collect(collection_path, config):
    """Leave the files of other parts unread."""
    if config.getoption("--part") and collection_path.match("test_*.py"):
        part, parts = map(int, config.getoption("--part").split("/"))
        return (
            collection_path not in shared_out(collection_path.parent.glob("test_*.py"), part, parts) or None
        )
    return None


def shared_out(files, part, parts):
    """The files of one part, 1 for the first."""
    return sorted(files)[part - 1 :: parts]


def pytest_configure(config):
    """Draw fewer examples where few cases run, before the tests that ask for so many are imported; compile kernels."""
    if few(config):
        os.environ.setdefault("HOOKE_EXAMPLES", "0.2")
    # Also where HOOKE_KERNELS asks for the definitions: there are tests of the library itself.
    sys.path.append(str(SCRIPTS))
    from compiling import build_own

    build_own()


def few(config):
    """How many cases of every test run, None for all."""
    return None if os.environ.get("HOOKE_CASES") == "all" else config.getoption("--cases")


def pytest_collection_modifyitems(config, items):
    """Leave cases to the night; where few run, keep those, and none of what the newest alone runs."""
    if os.environ.get("HOOKE_CASES") != "all":
        for cases in by_test(items):
            leave_to_the_night(cases, by_day(cases))
    most = few(config)
    if most is None:
        return
    here = (item for item in items if not any(map(item.get_closest_marker, ("newest", "nightly"))))
    kept = set(chosen(first_of_files(by_test(here), config.getoption("--tests")), most))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def by_day(cases):
    """Places of the cases of a test that a change sees: all that its marks do not leave to the night."""
    places = range(len(cases))
    if cases[0].get_closest_marker("combined"):
        places = sorted(covering([values(item) for item in cases]))
    if mark := cases[0].get_closest_marker("sampled"):
        places = [places[place] for place in sampled(cases[0].originalname, len(places), *mark.args)]
    return places


def sampled(test, count, step):
    """Places of every step-th of a test's cases, at least one; the first hangs on its name, so that tests of one
    catalogue see all of it together, and is the same in every run.
    """
    return range(crc32(test.encode()) % min(step, count), count, step)


def leave_to_the_night(cases, seen):
    """Mark the cases of a test as nightly, but those at some places."""
    for place, item in enumerate(cases):
        if place not in seen:
            item.add_marker(pytest.mark.nightly)


def by_test(items):
    """Lists of the items of each test, in their order."""
    tests: dict = {}
    for item in items:
        tests.setdefault((item.path, item.originalname), []).append(item)
    return list(tests.values())


def first_of_files(tests, most):
    """Of the tests of each file the first so many, all where most is None; tests: lists of cases, in order."""
    seen = Counter()
    kept = []
    for cases in tests:
        seen[cases[0].path] += 1
        if most is None or seen[cases[0].path] <= most:
            kept.append(cases)
    return kept


def pytest_sessionfinish(session, exitstatus):
    """Keep the exit status for `pytest_unconfigure`, which is not told it."""
    session.config.stash[exit_status] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Flush and end the process, after every other plugin, where bpy is loaded."""
    if "bpy" in sys.modules and exit_status in config.stash:
        config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[exit_status])


def chosen(tests, most):
    """The cases to run, in their order.

    tests: for each test the list of its cases, in order; most: how many cases of one test, at least 1. The first of
    them moves on by one from test to test, and they lie at equal distances.
    """
    picked = []
    for number, cases in enumerate(tests):
        count = min(most, len(cases))
        places = {(number + step * len(cases) // count) % len(cases) for step in range(count)}
        picked += [cases[place] for place in sorted(places)]
    return picked


def values(item):
    """What a case has of each parameter, a set; those of one decorator are one parameter."""
    drawn = dict(item.callspec.params)
    together = []
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
        together.append(tuple((name.strip(), id(drawn.pop(name.strip()))) for name in names))
    return {*together, *(((name, id(value)),) for name, value in drawn.items())}


def covering(cases):
    """Places of as few of some cases as have each value of all of them, a set; cases: sets of values."""
    left = set().union(*cases)
    picked = set()
    while left:
        place = max(range(len(cases)), key=lambda number: len(left & cases[number]))
        picked.add(place)
        left -= cases[place]
    return picked

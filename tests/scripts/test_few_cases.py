# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cases run where a second Blender or NumPy gets a part of them, and which files in which process."""

import importlib.util
import itertools
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

_SPEC = importlib.util.spec_from_file_location("conftest_of_all", Path(__file__).parents[1] / "conftest.py")
assert _SPEC is not None and _SPEC.loader is not None
conftest = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(conftest)


@pytest.mark.parametrize("most", [1, 2, 3, 50])
def test_every_test_runs_and_none_more_often_than_told(most):
    tests = [[(number, case) for case in range(count)] for number, count in enumerate((1, 2, 3, 9, 40))]
    picked = conftest.chosen(tests, most)
    assert [sum(number == n for n, _ in picked) for number in range(5)] == [
        min(most, len(cases)) for cases in tests
    ]
    assert picked == sorted(picked)


def test_what_as_many_tests_go_through_as_it_has_cases_is_gone_through():
    catalogue = range(9)
    picked = conftest.chosen([[(number, method) for method in catalogue] for number in range(9)], 1)
    assert {method for _, method in picked} == set(catalogue)


@pytest.mark.parametrize(
    ("cases", "wanted", "examples"), [(1, "", "0.2"), (None, "", None), (1, "all", None), (1, "told", "7")]
)
def test_where_few_cases_run_fewer_examples_are_drawn(cases, wanted, examples, monkeypatch):
    around = {"HOOKE_CASES": wanted} if wanted != "told" else {"HOOKE_EXAMPLES": "7"}
    monkeypatch.setattr(os, "environ", around)
    conftest.pytest_configure(SimpleNamespace(getoption={"--cases": cases}.get))
    assert around.get("HOOKE_EXAMPLES") == examples


class Item:
    """What pytest collects, as far as it is asked."""

    path = Path()

    def __init__(self, name, *markers):
        self.originalname, self.get_closest_marker = name, dict.fromkeys(markers, True).get


@pytest.mark.parametrize(("cases", "kept"), [(1, ["short"]), (None, ["short", "long"])])
def test_what_the_newest_alone_runs_is_not_among_few_cases(cases, kept, monkeypatch):
    monkeypatch.delenv("HOOKE_CASES", raising=False)
    left_out = []
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    short, long = Item("short"), Item("long", "newest")
    items = [short, long]
    conftest.pytest_collection_modifyitems(
        SimpleNamespace(getoption={"--cases": cases}.get, hook=hook), items
    )
    assert [item.originalname for item in items] == kept
    assert left_out == ([long] if cases else [])


@pytest.mark.parametrize("sizes", [(1,), (4,), (3, 5), (2, 2, 3), (9, 22)])
def test_what_a_change_sees_of_combinations_has_each_value_and_is_as_small_as_that(sizes):
    product = [frozenset(enumerate(values)) for values in itertools.product(*map(range, sizes))]
    picked = conftest.covering(product)
    assert set().union(*(product[place] for place in picked)) == set().union(*product)
    assert len(picked) == max(sizes)


@pytest.mark.parametrize(("count", "step"), [(1, 4), (3, 4), (9, 2), (9, 3), (40, 7)])
def test_every_case_of_a_sample_is_seen_by_some_test_and_each_test_sees_its_share(count, step):
    samples = [conftest.sampled(f"test_{number}", count, step) for number in range(100)]
    assert set().union(*samples) == set(range(count))
    assert {len(sample) for sample in samples} <= {max(1, count // step), -(-count // step)}


@pytest.mark.parametrize(("most", "count"), [(None, 5), (1, 3), (2, 4), (9, 5)])
def test_the_first_tests_of_every_file_are_kept(most, count):
    files = {"a": 3, "b": 1, "c": 1}
    tests = [[SimpleNamespace(path=Path(file), number=n)] for file in files for n in range(files[file])]
    kept = [cases[0] for cases in conftest.first_of_files(tests, most)]
    assert len(kept) == count and {item.path.name for item in kept} == set(files)
    assert all(item.number < (most or 9) for item in kept)


COMBINED = """
import pytest

@pytest.fixture(params="xy")
def drawn(request):
    return request.param

@pytest.mark.combined
@pytest.mark.parametrize(("a", "b"), [(1, 2), (1, 3), (2, 2)])
@pytest.mark.parametrize("c", [7, 8, 9])
def test_of_three(a, b, c, drawn): pass

@pytest.mark.parametrize("a", [1, 2])
@pytest.mark.parametrize("b", [1, 2])
def test_of_all(a, b): pass

@pytest.mark.sampled(3)
@pytest.mark.parametrize("a", range(6))
def test_of_many(a): pass

@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.parametrize("a", range(6))
@pytest.mark.parametrize("b", range(6))
def test_of_some(a, b): pass
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "cases", "count"),
    [
        (["not nightly"], "", 11),
        (["nightly"], "", 53),
        (["not nightly"], "all", 64),
        (["not nightly", "--cases=1"], "", 4),
    ],
)
def test_other_cases_are_left_to_the_night(words, cases, count, tmp_path):
    # Values of one decorator belong together: (1, 3) is none of its own that 1 and 3 elsewhere would stand for.
    (tmp_path / "conftest.py").write_text(
        Path(conftest.__file__).read_text(encoding="utf-8"), encoding="utf-8"
    )
    (tmp_path / "test_combined.py").write_text(COMBINED, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", *words],
        cwd=tmp_path,
        env=os.environ
        | {"HOOKE_KERNELS": "numpy", "HOOKE_CASES": cases, "PYTHONPATH": str(conftest.SCRIPTS)},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert f"{count} passed" in run.stdout, run.stdout


class Part:
    """pytest's configuration, as far as it is asked, for a part of the files."""

    def __init__(self, part):
        self.getoption = {"--part": part}.get


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_every_file_is_in_one_part_and_all_are_about_as_long(parts, tmp_path):
    files = [tmp_path / f"test_{name}.py" for name in "abcdefgh"]
    for file in (*files, tmp_path / "conftest.py"):
        file.touch()
    kept = [
        [file for file in files if not conftest.pytest_ignore_collect(file, Part(f"{part}/{parts}"))]
        for part in range(1, parts + 1)
    ]
    assert sorted(file for part in kept for file in part) == files
    assert max(map(len, kept)) - min(map(len, kept)) <= 1
    for left_alone in (tmp_path, tmp_path / "conftest.py"):
        assert conftest.pytest_ignore_collect(left_alone, Part(f"1/{parts}")) is None


def test_without_parts_every_file_is_read(tmp_path):
    assert conftest.pytest_ignore_collect(tmp_path / "test_a.py", Part(None)) is None

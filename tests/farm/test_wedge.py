# SPDX-License-Identifier: GPL-3.0-or-later
"""What a wedge's words mean, and what publishing promises."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from farming import attempts, progress, publishing, wedge

COMMON = {"files": ("/shots/a.blend", "/shots/b.blend"), "objects": ("Flag",), "common": ("--frames=1-9",)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("stiffness=500,1000,2000", ("500", "1000", "2000")),
        ("damping=0:1:5", ("0", "0.25", "0.5", "0.75", "1")),
        ("damping=1:0:2", ("1", "0")),
        ("mass=2:3:1", ("2",)),
        ("--effort=FINE", ("FINE",)),
    ],
)
def test_values(text, values):
    assert wedge.axis_of(text).values == values


@pytest.mark.parametrize(
    "text",
    [
        "stiffness",
        "stiffness=",
        "=1",
        "stiffness=1,,2",
        "stiffness=1,1",
        "damping=0:1",
        "damping=0:1:0",
        "damping=0:1:x",
        "damping=0:inf:3",
        "damping=1:1:3",
        "damping=0:1:1000001",
    ],
)
def test_what_is_no_wedge_is_refused(text):
    with pytest.raises(wedge.WedgeError, match=r"give|leave"):
        wedge.axis_of(text)


def made(*axes, **changed):
    """A wedge of some axes, whose words are those of its settings."""
    known = [wedge.axis_of(text) for text in axes]
    known = [
        replace(axis, words=tuple((f"--{axis.name}={value}",) for value in axis.values)) for axis in known
    ]
    return wedge.Wedge(axes=tuple(known), **(COMMON | changed))


DIGESTS = {"/shots/a.blend": "1", "/shots/b.blend": "2"}


def test_every_combination_is_one_variant():
    found = made("stiffness=1,2,3", "damping=0:1:2")
    variants = list(found.variants(DIGESTS, "0.1.0"))
    assert len(found) == len(variants) == 2 * 3 * 2
    combinations = {(variant.file, *variant.settings.values()) for variant in variants}
    assert len(combinations) == 12
    assert [variant.number for variant in variants] == list(range(1, 13))
    assert variants[0].words == ("--frames=1-9", "--stiffness=1", "--damping=0")
    assert variants[11].name == "12_b_stiffness=3_damping=1"
    assert len({variant.key for variant in variants}) == 12


def test_the_key_is_of_all_inputs():
    one = next(made("stiffness=1").variants(DIGESTS, "0.1.0"))
    same = next(made("stiffness=1,2").variants(DIGESTS, "0.1.0"))
    assert one.key == same.key
    others = [
        next(made("stiffness=2").variants(DIGESTS, "0.1.0")),
        next(made("stiffness=1").variants(DIGESTS | {"/shots/a.blend": "3"}, "0.1.0")),
        next(made("stiffness=1").variants(DIGESTS, "0.1.1")),
        next(made("stiffness=1", objects=("Cape",)).variants(DIGESTS, "0.1.0")),
        next(made("stiffness=1", common=()).variants(DIGESTS, "0.1.0")),
    ]
    assert len({one.key, *(other.key for other in others)}) == 6


def test_names_are_fit_for_every_file_system():
    found = made("material=a/b\\d*e?", objects=("Fläg <1>",), files=("/shots/a.blend",))
    name = next(found.variants(DIGESTS, "")).name
    assert not set(name) & set('/\\:*?"<>| ')
    long = made(f"group={'x' * 500}", files=("/shots/a.blend",))
    assert len(next(long.variants(DIGESTS, "")).name.encode()) <= 120


def _publish(folder, number):
    made_here = folder / f".variant.{number}"
    made_here.mkdir()
    for part in range(20):
        (made_here / f"{part}").write_text(f"{number}", encoding="utf-8")
    publishing.write_record(made_here, {"key": "k", "status": "done", "by": number})
    return publishing.publish(made_here, folder / "variant")["by"]


def test_of_many_that_publish_at_once_one_is_there_whole(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        winners = set(pool.map(lambda number: _publish(tmp_path, number), range(64)))
    assert len(winners) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["variant"]
    contents = {(tmp_path / "variant" / f"{part}").read_text(encoding="utf-8") for part in range(20)}
    assert contents == {f"{winners.pop()}"}


@pytest.mark.parametrize("before", [{"key": "old", "status": "done"}, {"key": "k", "status": "failed"}])
def test_what_is_not_done_from_the_same_inputs_is_replaced(before, tmp_path):
    (tmp_path / "variant").mkdir()
    publishing.write_record(tmp_path / "variant", before)
    assert _publish(tmp_path, 7) == 7
    assert [path.name for path in tmp_path.iterdir()] == ["variant"]
    assert publishing.is_done(tmp_path / "variant", "k")


@pytest.mark.parametrize("content", ["", "[]", "{", '"done"', "{}"])
def test_a_record_that_is_none_is_not_believed(content, tmp_path):
    (tmp_path / publishing.RECORD).write_text(content, encoding="utf-8")
    assert publishing.record_of(tmp_path) == {}
    assert not publishing.is_done(tmp_path, None)


def test_an_attempt_goes_on_from_a_copy_of_the_furthest(tmp_path):
    first, second = attempts.begin(tmp_path), attempts.begin(tmp_path)
    for attempt, frames in ((first, b"12345"), (second, b"123")):
        (attempt / "cache" / "shot").mkdir()
        (attempt / "cache" / "shot" / "Flag.pc2").write_bytes(frames)
    third = attempts.begin(tmp_path)
    assert (third / "cache" / "shot" / "Flag.pc2").read_bytes() == b"12345"
    (third / "cache" / "shot" / "Flag.pc2").write_bytes(b"1234567")
    assert (first / "cache" / "shot" / "Flag.pc2").read_bytes() == b"12345"
    assert attempts.count(tmp_path) == 3


def test_the_time_left_follows_from_what_is_done(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    told = progress.Progress(total=10, kept=2)
    assert told.seconds_left is None
    now[0] = 130.0
    told.end({"number": 1, "status": "done", "name": "1", "times": {}})
    told.reach(2, "2", 0.5)
    # 1.5 of the 8 that are not there yet took 30 s.
    assert told.seconds_left == pytest.approx(30.0 / 1.5 * 6.5)
    assert told.sentence() == "3 of 10 done · 1 at work · 0:02:10 left"

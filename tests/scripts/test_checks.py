# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of `dev.py test`: which begin first, how many run at once, and that every part of a suite is run."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import checks
import pytest
from checks import Outcome, Tool

from ..waiting import HANGS


class Stage:
    """Environments that are made and steps that end when they are told to."""

    def __init__(self, names):
        self.made = {name: threading.Event() for name in names}
        self.ends, self.began, self.change = {}, [], threading.Condition()
        self.futures, self.full = {}, threading.Event()

    def step(self, name, environment, seconds):
        """A step that waits for its end."""
        self.ends[name] = threading.Event()
        stage = self

        class Waiting(Tool):
            def run(self, python, live):
                with stage.change:
                    stage.began.append(self.name)
                    stage.change.notify_all()
                stage.ends[self.name].wait(HANGS)
                return Outcome(self.name, "passed", str(python))

        return Waiting(name, (environment,), (), seconds)

    def executor(self, count):
        """A pool of threads that remembers what it was given."""
        stage = self

        class Remembering(ThreadPoolExecutor):
            def submit(self, work, of):
                stage.futures[of] = super().submit(work, of)
                return stage.futures[of]

        return Remembering(count)

    def wait(self, *futures, **how):
        """What `checks.wait` does, which is seen where two steps have been begun."""
        if sum(isinstance(of, Tool) for of in self.futures) >= 2:
            self.full.set()
        return wait(*futures, **how)

    def make(self, name):
        """Make an environment, and wait until whoever asks is told."""
        self.made[name].set()
        self.futures[(name,)].result(HANGS)

    def python_or_reason(self, environments):
        """What `checks.python_or_reason` returns, once it is told that the environment is made."""
        self.made[environments[0]].wait(HANGS)
        return (
            (Path(environments[0]), "", "") if environments[0] != "none" else (None, "skipped", "no Python")
        )

    def have_begun(self, *names):
        """Whether these are the steps that have begun, in this order, waited for."""
        with self.change:
            self.change.wait_for(lambda: len(self.began) >= len(names), 60)
            return self.began == list(names)


@pytest.fixture
def stage(monkeypatch):
    """Three environments, of which "none" cannot be made."""
    stage = Stage(["early", "late", "none"])
    monkeypatch.setattr(checks, "python_or_reason", stage.python_or_reason)
    monkeypatch.setattr(checks, "ThreadPoolExecutor", stage.executor)
    monkeypatch.setattr(checks, "wait", stage.wait)
    yield stage
    # Whatever failed, no thread is left waiting.
    for event in (*stage.made.values(), *stage.ends.values()):
        event.set()


def test_of_the_steps_that_can_begin_the_longest_does(stage):
    tools = [
        stage.step("short", "early", 1),
        stage.step("long", "late", 9),
        stage.step("middle", "early", 5),
        stage.step("last", "early", 0),
        stage.step("impossible", "none", 7),
    ]
    outcomes = []
    runner = threading.Thread(target=lambda: outcomes.extend(checks.run_steps(tools, 2)))
    runner.start()
    stage.made["early"].set()
    # The longest of all waits for its environment, and what can begin does not wait for it.
    assert stage.have_begun("middle", "short") or stage.have_begun("short", "middle")
    assert stage.full.wait(HANGS)
    stage.make("late")
    stage.ends["short"].set()
    assert stage.have_begun(*stage.began[:2], "long")
    stage.make("none")
    stage.ends["middle"].set()
    assert stage.have_begun(*stage.began[:3], "last")
    for end in stage.ends.values():
        end.set()
    runner.join(HANGS)
    assert [outcome.name for outcome in outcomes] == [tool.name for tool in tools]
    assert [outcome.status for outcome in outcomes] == ["passed"] * 4 + ["skipped"]


@pytest.mark.parametrize("name", checks.CHECKS)
def test_every_part_of_a_suite_is_run_once(name):
    suites: dict = {}
    for tool in checks.CHECKS[name]:
        parts = [word for word in tool.words if word.startswith("--part=")]
        suites.setdefault(tuple(word for word in tool.words if word not in parts), []).extend(parts)
    every = [f"--part={part}/{checks.PARTS}" for part in range(1, checks.PARTS + 1)]
    assert all(parts in ([], every) for parts in suites.values())

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a frame is given, over the whole table of what may have been read and be kept, without Blender."""

from collections import Counter
from itertools import product

import pytest

from hooke.addon.play.frame_errors import Damaged, FrameError, OtherSurroundings, Unresumable
from hooke.addon.play.freshness import KEEP, LOOK, RESTART, STEP, TUNE, WAIT, Action, Facts, decide

LAST = 4
OTHER = ("the settings",)
LOSSES = (
    None,
    Damaged("The frame is damaged"),
    Unresumable("The frames end here"),
    OtherSurroundings("The shape of 'Fan' changed", "keep it"),
)


def table():
    """Every combination of Facts that a session can come to, of a range of five frames."""
    flags = (False, True)
    for place, kept, changed, stepped in product(range(-1, 7), range(6), ((), OTHER), ((), OTHER)):
        if stepped and (changed or not 0 < place <= kept):
            continue
        for between, edited, live, begins in product(flags, repeat=4):
            if (edited and (begins or not live or not kept)) or (begins and place not in (0, 1)):
                continue
            for goes_on, tuned, fits, found, lost in product(flags, flags, flags, (None, *flags), LOSSES):
                if (fits and not tuned) or (tuned and not live) or (edited and (tuned or lost is not None)):
                    continue
                yield Facts(
                    place=place,
                    last=LAST,
                    between=between,
                    edited=edited,
                    live=live,
                    begins=begins,
                    kept=kept,
                    changed=changed,
                    stepped=stepped,
                    goes_on=goes_on,
                    tuned=tuned,
                    fits=fits,
                    found=found,
                    lost=lost,
                )


TABLE = list(table())


def decided(*actions):
    """Facts and Decisions of the table that are any of some Actions."""
    return [(facts, made) for facts in TABLE if (made := decide(facts)).action in actions]


def test_every_action_is_decided_upon():
    counted = Counter(decide(facts).action for facts in TABLE)
    assert set(counted) == set(Action) and min(counted.values()) > 20


def test_only_what_was_made_from_what_was_read_is_kept():
    for facts, made in decided(KEEP):
        own_pose = facts.place < 1 or facts.kept == 0
        assert own_pose or facts.edited or facts.fresh, facts
        assert own_pose or facts.edited or facts.between or made.place < facts.kept
        if facts.lost is None and facts.edited:
            assert facts.between or not (facts.changed or facts.stepped)
        if 0 < facts.place < facts.kept and not facts.between:
            assert not facts.stepped, facts


def test_only_the_frame_after_the_newest_is_stepped_to():
    assert all(facts.fresh and made.place == facts.place == facts.kept for facts, made in decided(STEP))
    assert not any(facts.edited or facts.between for facts, _ in decided(STEP))


def test_no_new_frame_lies_past_the_range():
    for facts, made in decided(STEP, RESTART):
        assert made.place <= LAST or facts.lost is not None, facts


def test_only_what_is_played_is_tuned_and_only_from_what_is_shown():
    for facts, _ in decided(TUNE):
        assert facts.live and (facts.goes_on or facts.tuned), facts


def test_where_all_is_as_it_was_nothing_is_tuned_or_begun_anew():
    for facts, _ in decided(TUNE, RESTART):
        stale = facts.changed or facts.stepped or not facts.kept
        assert stale or facts.tuned or facts.lost is not None, facts


def test_it_begins_anew_at_the_start_alone():
    assert all(facts.begins and not facts.edited for facts, _ in decided(RESTART))


def test_nothing_has_to_be_waited_for_at_the_start_while_it_plays():
    for facts, _ in decided(WAIT):
        if facts.live and facts.begins and not facts.between:
            # It was begun anew already, or would lead here again.
            assert RESTART in facts.tried or isinstance(facts.lost, OtherSurroundings), facts


def test_the_disk_is_looked_into_once_and_never_after_an_edit():
    assert all(facts.found is None and not facts.edited for facts, _ in decided(LOOK))


def test_what_waits_says_why_and_what_to_press():
    for facts, made in decided(WAIT):
        if facts.edited and facts.place == 0:
            assert made == (WAIT, 0, "", "", False)
            continue
        assert made.why and made.remedy and made.reason == f"{made.why}: {made.remedy}"
        assert "frame 1" in made.remedy or made.place == facts.kept or made.ends
        assert made.ends == isinstance(facts.lost, OtherSurroundings)


def test_what_a_change_leads_to_is_told_by_its_name():
    for facts, made in decided(TUNE, RESTART, WAIT):
        ahead = made.place and made.action is WAIT
        if (facts.changed or facts.stepped) and not (facts.tuned or facts.lost or ahead or not made.why):
            assert made.why == "The settings changed", facts
        if facts.lost is not None and made.why:
            assert made.why == f"{facts.lost}" or facts.tuned


def act(facts, loses):
    """What acting on a Decision leads to next: Facts, or None where it is done; loses: whether it fails if it may."""
    made = decide(facts)
    if made.action is LOOK:
        return facts._replace(found=not loses)
    may_fail = made.action in (KEEP, STEP, TUNE, RESTART) and not facts.edited
    if not (loses and may_fail):
        return None
    found = None if facts.lost is None else False
    return facts._replace(lost=Damaged("again"), found=found, tried=facts.tried | {made.action})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("loses", [False, True])
def test_acting_ends_whatever_fails(loses):
    for begun in TABLE:
        facts, steps = begun._replace(found=None, lost=None), 0
        while facts is not None:
            facts, steps = act(facts, loses), steps + 1
            assert steps < 8, begun


def test_frames_that_are_tuned_end_where_the_true_ones_are_back():
    back = Facts(place=3, tuned=True)
    assert decide(back).action is LOOK
    assert decide(back._replace(found=True, kept=4)).action is KEEP
    assert decide(back._replace(found=True, kept=3)).action is STEP
    assert decide(back._replace(found=False)).action is TUNE
    assert decide(back._replace(found=True, kept=2)).action is TUNE


DAMAGED, UNRESUMABLE = LOSSES[1:3]
EXAMPLES = [
    (Facts(place=-1), KEEP),
    (Facts(place=0), LOOK),
    (Facts(place=0, found=False), KEEP),
    (Facts(place=0, kept=3, changed=OTHER), KEEP),
    (Facts(place=0, begins=True), LOOK),
    (Facts(place=1, begins=True, kept=3, stepped=OTHER, found=False), RESTART),
    (Facts(place=1, kept=3, changed=OTHER, goes_on=True), LOOK),
    (Facts(place=2, kept=3, changed=OTHER, goes_on=True), TUNE),
    (Facts(place=2, kept=3, changed=OTHER, goes_on=True, live=False), LOOK),
    (Facts(place=2, between=True), KEEP),
    (Facts(place=2, between=True, changed=OTHER), KEEP),
    (Facts(place=2, between=True, kept=3), KEEP),
    (Facts(place=2, between=True, kept=3, changed=OTHER), WAIT),
    (Facts(place=2, between=True, kept=3, changed=OTHER, tuned=True), TUNE),
    (Facts(place=2, between=True, kept=3, lost=DAMAGED), WAIT),
    (Facts(place=2, kept=3, lost=DAMAGED), LOOK),
    (Facts(place=2, kept=3, lost=DAMAGED, live=False), WAIT),
    (Facts(place=3, kept=3, lost=UNRESUMABLE, live=False), LOOK),
    (Facts(place=3, kept=3, lost=UNRESUMABLE, live=False, found=True), STEP),
    (Facts(place=3, kept=4, lost=UNRESUMABLE, live=False, found=True), KEEP),
    (Facts(place=3, kept=3, lost=UNRESUMABLE, found=False, goes_on=True), TUNE),
    (Facts(place=1, begins=True, kept=3, lost=DAMAGED), RESTART),
    (Facts(place=1, begins=True, kept=3, lost=DAMAGED, live=False), WAIT),
    (Facts(place=3, kept=3, lost=LOSSES[3]), WAIT),
    (Facts(place=3, kept=3, lost=LOSSES[3], goes_on=True), TUNE),
    (Facts(place=3, kept=5, edited=True), KEEP),
    (Facts(place=3, kept=5, edited=True, stepped=OTHER), WAIT),
    (Facts(place=3, kept=5, edited=True, changed=OTHER, goes_on=True), TUNE),
]


@pytest.mark.parametrize(("facts", "action"), EXAMPLES)
def test_what_is_decided(facts, action):
    assert decide(facts).action is action


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (Facts(place=9, kept=5), "Shows frame 5, the last one simulated: play on from there"),
        (Facts(place=9, found=False), "Nothing is simulated up to here: go to frame 1, and play"),
        (
            Facts(place=9, kept=20, stepped=("the pins' motion",)),
            "The pins' motion changed: go to frame 1, and play",
        ),
        (
            Facts(place=9, kept=9, lost=LOSSES[3]),
            "The shape of 'Fan' changed: keep it",
        ),
        (
            Facts(place=9, kept=9, lost=FrameError("Gone"), found=False, first=7),
            "Gone: go to frame 7, and play",
        ),
    ],
)
def test_what_people_read(facts, reason):
    made = decide(facts)
    assert made.action is WAIT and made.reason == reason


@pytest.mark.parametrize("sure", range(5))
def test_of_frames_that_other_keys_may_have_changed_only_the_first_is_compared(sure):
    for place in range(1, 7):
        made = decide(Facts(place=place, last=LAST, kept=5, sure=sure))
        if place <= sure and place <= LAST:
            assert made.action is KEEP and made.place == place
        else:
            # The frames stay, and the first that was not compared is where to go.
            assert made.action is WAIT and made.place == max(1, sure)
            assert made.remedy == f"go to frame {1 + sure}, and play"
    # Nothing is simulated after what was not compared.
    assert decide(Facts(place=5, last=9, kept=5, sure=sure)).action is WAIT
    assert decide(Facts(place=5, last=9, kept=5, sure=5)).action is STEP

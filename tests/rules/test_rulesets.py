"""Presets, house rules and combinations that cannot be played."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import Game, Ruleset, RulesetError, allowed, house_rules, presets, ruleset, varied
from controller.rules.ruleset import OPTIONS


def test_the_presets_are_those_of_the_rules_matrix() -> None:
    assert presets() == (
        "alerator-long",
        "crazy",
        "hyper",
        "khachapuri",
        "long-classic",
        "long-club",
        "long-fnr",
        "long-fnr-blitz",
        "long-treegame",
        "nackgammon",
        "short-fnr",
        "short-fnr-blitz",
        "short-money",
        "short-ru",
        "short-us",
        "short-us-pairs",
        "short-usbgf",
        "short-wbgf",
        "short-wbgf-money",
    )


FROM_TEXTS = {"short-fnr", "short-fnr-blitz", "short-us-pairs", "short-usbgf", "short-wbgf-money"}
"""Presets that the shared file does not have: their texts were read since."""


@pytest.mark.parametrize("name", [name for name in presets() if name not in FROM_TEXTS])
def test_every_preset_answers_as_the_shared_file_settles(shared: Path, name: str) -> None:
    settled = tomllib.loads((shared / "rules" / "presets.toml").read_text())

    def answers(preset: str) -> dict[str, object]:
        own = dict(settled[preset])
        parent = own.pop("inherits", None)
        return {**(answers(parent) if parent else {}), **own}

    rules = ruleset(name)
    ours = {option: getattr(rules, option) for option in OPTIONS} | {"game": rules.game.value}
    assert {option: ours[option] for option in answers(name)} == answers(name)


@pytest.mark.parametrize(
    ("preset", "length", "scored", "reserve_ms"),
    [
        pytest.param("short-wbgf", 7, (0, 0), 14 * 60_000, id="Q07"),
        pytest.param("short-wbgf", 7, (3, 2), 9 * 60_000, id="Q08"),
        pytest.param("long-fnr", 7, (0, 0), 14 * 60_000, id="Q09"),
        pytest.param("long-fnr-blitz", None, (0, 0), 60_000, id="Q10"),
        pytest.param("short-fnr-blitz", None, (0, 0), 120_000, id="Q10 short"),
        pytest.param("short-fnr", None, (0, 0), 18 * 60_000, id="the federation's short to 9"),
        pytest.param("short-us-pairs", 9, (0, 0), 1_350_000, id="US 2013 2.2"),
        pytest.param("short-us-pairs", 9, (3, 1), 1_050_000, id="US 2013 2.2, at 3 to 1"),
    ],
)
def test_the_reserve(preset: str, length: int | None, scored: tuple[int, int], reserve_ms: int) -> None:
    assert ruleset(preset).reserve_ms(length, scored) == reserve_ms


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("short-fnr", {"length": 9, "delay_s": 8, "cube": True, "clock": "simple_delay"}, id="Cup 2025"),
        pytest.param("short-fnr-blitz", {"length": 5, "delay_s": 10, "reserve_s": 120}, id="Cup of March 2025"),
        pytest.param("short-us-pairs", {"delay_s": 18, "reserve_s_per_point": 150}, id="US 2013 2.2"),
        pytest.param(
            "short-usbgf",
            {"on_checker": "valid_flat", "turn_end_without_clock": "bar_tap", "delay_s": 12, "flag": "match_lost"},
            id="USBGF",
        ),
        pytest.param(
            "short-wbgf-money",
            {"play": "money", "jacoby": True, "beaver": False, "illegal": "legal_moves", "dice_area": "right_half"},
            id="WBGF at the table, 004:55",
        ),
    ],
)
def test_a_preset_answers_as_its_text_does(name: str, says: dict[str, object]) -> None:
    rules = ruleset(name)
    assert {option: getattr(rules, option) for option in says} == says


def test_house_rules_inherit_from_a_preset_and_change_what_they_name() -> None:
    rules = house_rules('inherits = "long-classic"\nblock = "home"\nlength = 7', name="our club")
    assert (rules.name, rules.block, rules.length, rules.koks) == ("our club", "home", 7, 3)
    assert rules.opening_dice == "reroll"


def test_house_rules_may_inherit_from_a_base_that_is_no_game_by_itself() -> None:
    assert house_rules('inherits = "short-base"\nlength = 3').game is Game.SHORT
    with pytest.raises(RulesetError, match=r"play='match' needs length >= 1"):
        ruleset("short-base")


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("inherits = ", "is not TOML"),
        ('inherits = "long-xyz"', "no ruleset 'long-xyz'; the presets are"),
        ("inherits = 3", "no ruleset 3; the presets are"),
        ('inherits = "long-fnr"\nhead = 2', "head is one of 1, 'unlimited', got 2"),
        ('inherits = "long-fnr"\nhead = true', "head is one of 1, 'unlimited', got True"),
        ('inherits = "long-fnr"\nblock = "front"', "block is one of 'ahead', 'home', 'never', 'free', got 'front'"),
        ('inherits = "long-fnr"\nlength = 0', "play='match' needs length >= 1, got 0"),
        ('inherits = "long-fnr"\nlength = 500', "length is a whole number 0..99, got 500"),
        ('inherits = "long-fnr"\nlength = 5.0', "length is a whole number 0..99, got 5.0"),
        ('inherits = "long-fnr"\ncube = 1', "cube is one of True, False, got 1"),
        ('inherits = "long-fnr"\ngame = "chess"', "game is one of 'long', 'short'"),
        ('inherits = "long-fnr"\nsixes = "yes"', "unknown option 'sixes'; the options are game, first_mover"),
        ('game = "long"', "no value for first_mover"),
        ('inherits = "short-wbgf"\nblock = "ahead"', "block='ahead' is a rule of the long games, short hits"),
        ('inherits = "short-wbgf"\nhead = 1', "head=1 is a rule of the long games"),
        ('inherits = "khachapuri"\nhead_first = "azeri"', "excepts from a head rule"),
        ('inherits = "long-fnr"\nkoks = 3\nkoks_when = "bar_or_home"', "koks_when='bar_or_home' needs a bar"),
        ('inherits = "short-wbgf"\nkoks_when = "head"', "koks_when='head' is a rule of the long games"),
        ('inherits = "long-fnr"\nkoks = 3', "koks=3 needs koks_when"),
        ('inherits = "khachapuri"\nhome_mars = 3', "score='difference' has no koks and no home mars"),
        ('inherits = "long-fnr"\nhandover = true', "handover=true hands over a doubles cascade"),
        ('inherits = "long-fnr"\ncascade_free_turns = 3', "cascade_free_turns=3 delays a cascade"),
        ('inherits = "short-wbgf"\ncascade = true', "cascade=true is crazy nardy"),
        ('inherits = "long-treegame"\ncrawford = true', "crawford=true is a rule of matches, play is 'single'"),
        ('inherits = "long-club"\ncrawford = true', "crawford=true needs cube=true"),
        ('inherits = "short-wbgf"\njacoby = true', "jacoby=true is a money rule"),
        ('inherits = "short-wbgf"\nbeaver = true', "beaver=true is a money rule"),
        ('inherits = "short-wbgf"\nraccoon = true', "raccoon=true answers a beaver"),
        ('inherits = "short-wbgf"\nauto_double = 1', "auto_double=1 is a money rule"),
        ('inherits = "short-wbgf"\ncube_limit = 6', "cube_limit=6 is no face of a cube that doubles"),
        ('inherits = "long-club"\nfirst_mover = "random"', "colour_by_throw=true needs first_mover='throw'"),
        ('inherits = "long-treegame"\nopening_dice = "use"', "opening_dice='use' needs an opening throw"),
        ('inherits = "long-classic"\nkestum_per_turn = 0', "kestum='opponent' needs kestum_per_turn >= 1"),
        ('inherits = "long-classic"\ndelay_s = 5', "a delay or a reserve needs a clock"),
        ('inherits = "long-classic"\nclock = "sudden_death"', "needs reserve_s or reserve_s_per_point"),
        ('inherits = "long-classic"\nclock = "fischer"\nreserve_s = 60', "clock='fischer' needs delay_s"),
        ('inherits = "long-fnr"\nclock = "hourglass"', "clock='hourglass' has no delay, got delay_s=8"),
        ('inherits = "long-fnr"\noin = 0', "oin=0: a won game is worth at least one point"),
        ('inherits = "long-fnr"\noin = 3', "mars=2 is worth less than oin=3"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(toml: str, says: str) -> None:
    with pytest.raises(RulesetError) as error:
        house_rules(toml, name="ours")
    assert says in str(error.value)
    if "no ruleset" not in says:
        assert "'ours'" in str(error.value)


@settings(deadline=None)
@given(st.sampled_from(presets()), st.dictionaries(st.sampled_from(OPTIONS), st.data(), max_size=3), st.data())
def test_any_allowed_answers_make_a_ruleset_or_a_refusal(
    preset: str, changed: dict[str, object], data: st.DataObject
) -> None:
    answers: dict[str, object] = {}
    for option in changed:
        values = allowed(option)
        if isinstance(values[0], int) and not isinstance(values[0], bool) and len(values) == 2 and option != "head":
            low, high = values
            assert isinstance(low, int)
            assert isinstance(high, int)
            answers[option] = data.draw(st.integers(low, high))
        else:
            answers[option] = data.draw(st.sampled_from(values))
    try:
        rules = varied(ruleset(preset), answers)
    except RulesetError:
        return
    assert isinstance(rules, Ruleset)
    for option, value in answers.items():
        ours = getattr(rules, option)
        assert (ours.value if option == "game" else ours) == value

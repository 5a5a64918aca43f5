"""What each option of a ruleset may be, checked against the types of ``Ruleset``."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from controller.rules.game import Game, RulesetError
from controller.rules.ruleset import OPTIONS, Ruleset

DEFAULTS: Mapping[str, object] = {
    "cascade": False,
    "cascade_free_turns": 0,
    "handover": False,
    "koks_when": "never",
    "length": 0,
    "premature_delay": "kept",
    "resign_contact": "allowed",
    "early_lift": "warning",
    "early_press": "illegal_play",
    "fallen_dice": "clock_runs",
    "opening_die": "stays",
    "raccoon": False,
    "breaks": 0,
    "delay_s": 0,
    "reserve_s": 0,
    "reserve_s_per_point": 0,
}
"""Options that a base preset need not name: what does not exist in most games."""
_LARGEST: Mapping[str, int] = {
    "cascade_free_turns": 3,
    "oin": 9,
    "mars": 9,
    "koks": 9,
    "home_mars": 9,
    "length": 99,
    "cube_limit": 4096,
    "auto_double": 9,
    "kestum_per_turn": 9,
    "breaks": 9,
    "delay_s": 600,
    "reserve_s": 36_000,
    "reserve_s_per_point": 3_600,
}


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Ruleset)


def allowed(option: str) -> tuple[object, ...]:
    """Return the values that ``option`` may take; a range of numbers as (smallest, largest).

    >>> allowed("opening_dice")
    ('use', 'reroll')
    """
    kind = _hints()[option]
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind is bool:
        return (True, False)
    if kind is Game:
        return tuple(game.value for game in Game)
    return (0, _LARGEST[option])


def checked(name: str, answers: Mapping[str, object]) -> Ruleset:
    """Return the ruleset ``name`` with ``answers``, each checked.

    Raises RulesetError that names the option, what came in and what is allowed.
    """
    given = {**DEFAULTS, **answers}
    unknown = sorted(given.keys() - set(OPTIONS))
    if unknown:
        msg = f"ruleset {name!r}: unknown option {unknown[0]!r}; the options are {', '.join(OPTIONS)}"
        raise RulesetError(msg)
    missing = [option for option in OPTIONS if option not in given]
    if missing:
        msg = f"ruleset {name!r}: no value for {', '.join(missing)}; inherit from a preset or name them"
        raise RulesetError(msg)
    values = {option: _value(name, option, given[option]) for option in OPTIONS}
    return Ruleset(name=name, **values)


def varied(base: Ruleset, answers: Mapping[str, object]) -> Ruleset:
    """Return ``base`` with other ``answers``, each checked; raises RulesetError.

    >>> from controller.rules import ruleset
    >>> varied(ruleset("long-fnr"), {"length": 7}).reserve_ms()
    840000
    """
    values = {option: getattr(base, option) for option in OPTIONS}
    return checked(base.name, {**values, "game": base.game.value, **answers})


def _value(name: str, option: str, raw: object) -> Any:
    values = allowed(option)
    if _hints()[option] is int:
        low, high = 0, _LARGEST[option]
        if type(raw) is int and low <= raw <= high:
            return raw
        msg = f"ruleset {name!r}: {option} is a whole number {low}..{high}, got {raw!r}"
        raise RulesetError(msg)
    # type() too, since True == 1 and 1.0 == 1.
    if not any(type(raw) is type(value) and raw == value for value in values):
        msg = f"ruleset {name!r}: {option} is one of {', '.join(map(repr, values))}, got {raw!r}"
        raise RulesetError(msg)
    return Game(raw) if option == "game" else raw

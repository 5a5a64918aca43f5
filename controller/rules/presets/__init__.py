"""The named rulesets as data, and house rules that inherit from them; the one place in the rules that reads a file."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from controller.rules.game import RulesetError
from controller.rules.options import checked
from controller.rules.ruleset import Ruleset


@cache
def _answers() -> dict[str, dict[str, object]]:
    found = {}
    for file in files(__package__).iterdir():
        if file.name.endswith(".toml"):
            found[file.name.removesuffix(".toml")] = tomllib.loads(file.read_text("utf-8"))
    return found


def presets() -> tuple[str, ...]:
    """Return the names of the rulesets that can be played, sorted; bases to inherit from end in ``-base``."""
    return tuple(sorted(name for name in _answers() if not name.endswith("-base")))


def described(name: str) -> str:
    """Return what the preset ``name`` says about itself: the comment at the head of its file."""
    lines = files(__package__).joinpath(f"{name}.toml").read_text("utf-8").splitlines()
    return " ".join(line.removeprefix("# ") for line in lines if line.startswith("# "))


@cache
def ruleset(name: str) -> Ruleset:
    """Return the preset ``name``; raises RulesetError that lists the presets."""
    return checked(name, _with_inherited({"inherits": name}))


def house_rules(toml: str, name: str = "house") -> Ruleset:
    """Return the ruleset that the TOML text gives: ``inherits`` names a preset, every other key is an option.

    Raises RulesetError that says which key or line is wrong.
    """
    try:
        answers = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        msg = f"ruleset {name!r} is not TOML: {error}"
        raise RulesetError(msg) from None
    return checked(name, _with_inherited(answers))


def _with_inherited(answers: Mapping[str, object]) -> dict[str, object]:
    """Return ``answers`` over those of the preset they inherit from, and so on down to a base."""
    own = dict(answers)
    parent = own.pop("inherits", None)
    if parent is None:
        return own
    known = _answers()
    if not isinstance(parent, str) or parent not in known:
        msg = f"no ruleset {parent!r}; the presets are {', '.join(presets())}"
        raise RulesetError(msg)
    return {**_with_inherited(known[parent]), **own}

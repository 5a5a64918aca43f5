"""Both languages say everything, with the same blanks to fill in."""

from gettext import GNUTranslations
from string import Formatter

from controller.locale import Lang, catalogue
from controller.locale.clicks import COMPILED, compiled


def blanks(pattern: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def test_english_and_russian_have_the_same_keys() -> None:
    assert set(catalogue(Lang.EN)) == set(catalogue(Lang.RU))


def test_each_text_fills_in_the_same_values_in_both_languages() -> None:
    english, russian = catalogue(Lang.EN), catalogue(Lang.RU)
    assert {k: blanks(v) for k, v in english.items()} == {k: blanks(v) for k, v in russian.items()}


def test_clicks_words_are_compiled_as_the_catalogues_have_them() -> None:
    assert COMPILED.read_bytes() == compiled(), "run python -m controller.locale.clicks"


def test_gettext_reads_what_was_compiled() -> None:
    with COMPILED.open("rb") as file:
        words = GNUTranslations(file)
    assert words.gettext("Usage:") == "Вызов:"
    assert words.ngettext("{value!r} is not {choice}.", "any other", 5) == "{value!r}: можно только {choice}."
    assert words.gettext("What click says in another version") == "What click says in another version"

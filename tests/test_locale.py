"""Both languages say everything, with the same blanks to fill in."""

from string import Formatter

from controller.locale import Lang, catalogue


def blanks(pattern: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def test_english_and_russian_have_the_same_keys() -> None:
    assert set(catalogue(Lang.EN)) == set(catalogue(Lang.RU))


def test_each_text_fills_in_the_same_values_in_both_languages() -> None:
    english, russian = catalogue(Lang.EN), catalogue(Lang.RU)
    assert {k: blanks(v) for k, v in english.items()} == {k: blanks(v) for k, v in russian.items()}

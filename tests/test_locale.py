"""Both languages say everything, with the same blanks to fill in."""

import ast
import shutil
from enum import Enum
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter

import pytest

from controller.adapters.journal import JournalForeignError, JournalReader, RowFault
from controller.adapters.journal.errors import CAUSES
from controller.cli.calibrate import CalibrationError
from controller.locale import Lang, catalogue, plain
from controller.ports.entries import ENTRIES
from controller.referee.dice import VoidReason
from controller.referee.events import BoardPlace, Device, DieState, SlotFault
from controller.referee.rulings import PlayVerdict, ThrowOutcome
from controller.referee.state import PauseReason, Phase
from controller.rules import Kind, Side
from controller.simulator.actions import PlannedFault
from hatch_build import compile_words
from vision.board.geometry import BoardNotFoundError
from vision.errors import SENTENCES

ROOT = Path(__file__).parents[1]
BOARD_VIEW = "controller/adapters/board_view.py"
"""The one module outside of ``vision`` that raises errors of its kind."""


def blanks(pattern: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def test_english_and_russian_have_the_same_keys() -> None:
    assert set(catalogue(Lang.EN)) == set(catalogue(Lang.RU))


def test_each_text_fills_in_the_same_values_in_both_languages() -> None:
    english, russian = catalogue(Lang.EN), catalogue(Lang.RU)
    assert {k: blanks(v) for k, v in english.items()} == {k: blanks(v) for k, v in russian.items()}


def test_whatever_the_demo_does_on_purpose_has_a_name() -> None:
    assert {f"cli.demo.on_purpose.{fault.value}" for fault in PlannedFault} <= set(catalogue(Lang.EN))


@pytest.mark.parametrize(
    ("closed", "tables"),
    [
        (Device, ["page.device", "device.lost"]),
        (VoidReason, ["void", "void_clause", "void_source"]),
        (DieState, ["die"]),
        (PauseReason, ["pause"]),
        (Phase, ["waiting"]),
        (SlotFault, ["device.doubt"]),
        (BoardPlace, ["board"]),
        (Side, ["page"]),
        (Kind, ["sheet.kind"]),
        (PlayVerdict, ["page.verdict", "play", "sheet.verdict"]),
        (ThrowOutcome, ["page.verdict", "throw"]),
        (RowFault, ["cli.verify"]),
    ],
)
def test_every_member_of_a_closed_list_has_its_words(closed: type[Enum], tables: list[str]) -> None:
    wanted = {f"{table}.{member.value}" for table in tables for member in closed}
    assert wanted - set(catalogue(Lang.EN)) == set()


def test_gettext_reads_what_the_build_compiles(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "controller/locale", tmp_path / "controller/locale", ignore=shutil.ignore_patterns("*.mo"))
    with compile_words(tmp_path).open("rb") as file:
        words = GNUTranslations(file)
    english, russian = catalogue(Lang.EN), catalogue(Lang.RU)
    assert {words.gettext(english[key]) == russian[key] for key in english if key.startswith("click.")} == {True}
    assert words.gettext("Usage:") == "Вызов:"
    assert words.ngettext("{value!r} is not {choice}.", "any other", 5) == "{value!r}: можно только {choice}."
    assert words.gettext("What click says in another version") == "What click says in another version"


def test_every_error_of_the_pictures_has_its_words_in_the_catalogues() -> None:
    english = {
        key.removeprefix("vision."): said for key, said in catalogue(Lang.EN).items() if key.startswith("vision.")
    }
    assert english == SENTENCES
    trees = [ast.parse(file.read_text("utf-8")) for file in (*(ROOT / "vision").rglob("*.py"), ROOT / BOARD_VIEW)]
    assert made_errors(trees, "VisionError") == set(SENTENCES)


def errors_of(trees: list[ast.Module], base: str) -> set[str]:
    """Names of the classes that come from ``base``."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    known = {base}
    while more := {name for name, parents in bases.items() if parents & known} - known:
        known |= more
    return known


def made_errors(trees: list[ast.Module], base: str) -> set[str]:
    """Keys of the errors that are made; each fills every blank of its sentence."""
    prefix = {"LocalizedError": "error", "VisionError": "vision"}[base]
    english, errors = catalogue(Lang.EN), errors_of(trees, base)
    made = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in errors:
            key = ast.literal_eval(node.args[0])
            made.add(key)
            assert blanks(english[f"{prefix}.{key}"]) == {each.arg for each in node.keywords}, key
    return made


def test_every_error_that_is_made_has_its_words_and_fills_all_their_blanks() -> None:
    english = catalogue(Lang.EN)
    made = made_errors(
        [ast.parse(file.read_text("utf-8")) for file in (ROOT / "controller").rglob("*.py")], "LocalizedError"
    )
    sqlite = {key for _, key in CAUSES.values()}
    assert made | sqlite == {key.removeprefix("error.") for key in english if key.startswith("error.")}
    assert all(blanks(english[f"error.{key}"]) == {"path", "why"} for key in sqlite)


def test_an_error_of_the_pictures_is_reported_in_either_language_alone_and_within_another_error() -> None:
    error = BoardNotFoundError("too_small", px=7, needed=12.0)
    assert str(error) == "picture too small: a checker is 7 pixels, 12 needed"
    russian = "снимок слишком мелкий: шашка 7 пикселей, нужно 12"
    assert plain(error, Lang.RU) == russian
    assert russian in plain(CalibrationError("calibrate_not_found", why=error, out="x.png"), Lang.RU)


def test_what_sqlite_says_of_a_journal_is_reported_in_russian(tmp_path: Path) -> None:
    (tmp_path / "letter.sqlite").write_text("Dear Sir")
    with pytest.raises(JournalForeignError, match="is not a journal, or its first page is damaged") as caught:
        JournalReader(tmp_path / "letter.sqlite", ENTRIES)
    told = caught.value.in_words(Lang.RU)
    assert plain(caught.value, Lang.RU) == told
    assert "letter.sqlite — не журнал, или испорчена его первая страница" in told

"""What ``nardy-referee plays`` reads and how it writes plays."""

import pytest
from click.testing import CliRunner

from controller.cli.plays import command
from controller.locale import Lang


def plays(*arguments: str) -> list[str]:
    done = CliRunner().invoke(command(Lang.EN), list(arguments), catch_exceptions=False)
    assert done.exit_code == 0
    return done.output.splitlines()


@pytest.mark.parametrize(
    "position",
    [
        "start",
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:QYkqASAAIAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        "short mover 24:2 13:5 8:3 6:5 opponent 24:2 13:5 8:3 6:5",
    ],
)
def test_the_same_position_is_read_in_every_form(position: str) -> None:
    assert plays("--roll", "6-5", "--position", position) == plays("--roll", "6-5")


def test_the_steps_of_one_checker_are_joined() -> None:
    assert any(line.startswith("24/13 ") for line in plays("--roll", "6-5"))


@pytest.mark.parametrize(
    ("numbering", "side", "play"),
    [("own", "white", "24/13"), ("quarters", "white", "A1/B1 B1/B6"), ("quarters", "black", "C1/D1 D1/D6"),
     ("absolute", "black", "1/7 7/12"), ("white", "black", "12/6 6/1")],
)  # fmt: skip
def test_plays_are_written_and_read_in_the_numbering_asked_for(numbering: str, side: str, play: str) -> None:
    told = ("--ruleset", "long-fnr", "--roll", "6-5", "--numbering", numbering, "--side", side)
    (line,) = plays(*told)
    assert line.startswith(f"{play} ")
    assert plays(*told, "--why", play) == [f"{play}: legal"]

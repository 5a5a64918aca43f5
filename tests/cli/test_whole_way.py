"""The whole way, as a stranger would go it: a demo with real readers, and recordings and photos of others."""

import json
from pathlib import Path

import pytest

from firmware_bridge.emulator import missing
from tests.cli.test_bad_input import nardy

pytestmark = pytest.mark.slow  # runs the command


def test_a_headless_demo_with_faults_is_recorded_as_it_was_played() -> None:
    done = nardy("demo", "--headless", "--ruleset", "hyper", "--seed", "1", "--faults", "--json")
    assert done.returncode == 0, done.stdout[-2000:]
    figures = json.loads(done.stdout.strip().splitlines()[-1])
    assert figures["differences"] == 0
    assert figures["board"] == ("stand-in" if missing() else "firmware")
    assert {"illegal_play", "cocked", "split_halves", "hand_in_view"} <= set(figures["faults"])


def test_recorded_games_are_refereed_and_nothing_wrong_is_accepted(shared: Path) -> None:
    done = nardy("evaluate", "sequences", str(shared / "rendered" / "dev"), "--json")
    totals = json.loads(done.stdout.strip().splitlines()[-1])
    assert totals["plays"]["right"] >= 5
    assert totals["plays"]["wrong"] == 0
    assert totals["voids"]["right"] >= 3


@pytest.mark.parametrize("photo", ["cc_frame0", "dh_IMG_2602", "dh_image014", "gb_0317_f16", "jv_p40"])
def test_a_photo_of_a_real_board_is_read_whole(shared: Path, photo: str) -> None:
    label = json.loads((shared / "boards" / f"{photo}.json").read_text())
    picture = shared / "boards" / label["image"]
    corners = " ".join(f"{x},{y}" for x, y in label["corners"])
    bar = ",".join(str(edge) for edge in label["bar"])
    done = nardy("read", str(picture), "--corners", corners, "--bar", bar, "--json")
    read = json.loads(done.stdout)["points"]
    true = [light - dark for light, dark in label["points"]]
    sure = [n for n in range(24) if n + 1 not in label["unsure"]]
    assert any(all(sign * read[n] == true[n] for n in sure) for sign in (1, -1))

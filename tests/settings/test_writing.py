"""Measured values come into a settings file that a person has written, and the person's own words stay."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.settings import SettingsError, load, with_values, write_settings

ROOT = Path(__file__).parents[2]
CORNERS = [[1105.5, 655.0], [172.0, 650.2], [241.0, 71.0], [1043.0, 75.0]]
LENS = "lenses/that-hangs-over-the-table-at-the-window-of-the-club.json"
MEASURED: dict[str, dict[str, object]] = {
    "board": {"corners": CORNERS, "bar": [0.46, 0.53]},
    "camera": {"lens": LENS},
}


def test_the_example_keeps_its_comments_and_gets_the_measured_values(tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    example = (ROOT / "hardware/referee.toml").read_text("utf-8")
    path.write_text(example, "utf-8")
    write_settings(path, MEASURED)
    settings = load(path)
    assert settings.board.corners == tuple(map(tuple, CORNERS))
    assert settings.board.bar == (0.46, 0.53)
    assert settings.camera.lens == tmp_path / LENS
    comments = [line for line in example.splitlines() if "#" in line and not line.startswith("bar")]
    assert [line for line in path.read_text("utf-8").splitlines() if "#" in line] == comments
    # Measured once more, nothing is written twice.
    before = path.read_text("utf-8")
    write_settings(path, MEASURED)
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize(
    "written",
    [
        '[board]\nid = "a"\nbar = [0.4, 0.6]  # wide # very\n\n[camera]\nsource = 0\n',
        '[camera]\nlens = "old.json"\n[board]\ncorners = [\n  [1, 2],  # p1\n [3, 4],\n [5, 6],\n [7, 8]]\nid = "a"\n',
        '[board]\nid = "a # b"\n# bar: ask Anna\n',
        '# nothing yet\n[board]\n[match]\nruleset = "long-fnr"',
        'board = {id = "a"}\n',
        'board.id = "a"\n\n# and no camera\n',
        '[ board ] # the one at the window\nid = "a"\r\n',
    ],
)
def test_however_the_file_is_written_only_the_measured_keys_change(tmp_path: Path, written: str) -> None:
    path = tmp_path / "referee.toml"
    path.write_text(written, "utf-8")
    tree = tomllib.loads(written)
    write_settings(path, MEASURED)
    expected = {**tree, **{table: {**tree.get(table, {}), **values} for table, values in MEASURED.items()}}
    assert tomllib.loads(path.read_text("utf-8")) == expected


def test_a_comment_behind_a_value_stays() -> None:
    assert with_values("[board]\nbar = [0.4, 0.6]  # wide # very\n", {"board": {"bar": [0.5, 0.5]}}) == (
        "[board]\nbar = [0.5, 0.5]  # wide # very\n"
    )


def test_a_new_key_does_not_fall_into_a_table_that_is_commented_out() -> None:
    above, below = (
        '[camera]\nsource = 0\n# lens = "lens.json"\n',
        '\n# [bridge]\n# rig = "full"\n\n[match]\nlength = 5\n',
    )
    assert with_values(above + below, {"camera": {"lens": "x.json"}}) == f'{above}lens = "x.json"\n{below}'


def test_a_layout_that_cannot_be_kept_is_left_alone_and_the_lines_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    path.write_text("board = 3\n", "utf-8")
    with pytest.raises(SettingsError, match=r"by hand: \[board\]; corners = \[\[1105\.5, 655\.0\].*; bar = \[0\.46, 0"):
        write_settings(path, MEASURED)
    assert path.read_text("utf-8") == "board = 3\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_its_owner_alone_may_read_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    path.write_text('[board]\nid = "a"\n[feed]\npassword = "hush"\n', "utf-8")
    path.chmod(0o600)
    write_settings(path, MEASURED)
    assert path.stat().st_mode & 0o777 == 0o600


@given(st.lists(st.tuples(st.floats(-1e4, 2e4), st.floats(-1e4, 2e4)).map(list), min_size=4, max_size=4))
def test_any_corners_are_read_back_as_they_were_measured(corners: list[list[float]]) -> None:
    text = with_values('[board]\nid = "a"\n', {"board": {"corners": corners}})
    assert tomllib.loads(text)["board"]["corners"] == corners

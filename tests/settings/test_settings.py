"""Settings as a person writes them, and what the person is told about mistakes."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr

from controller.locale import Lang
from controller.settings import BoardSettings, Section, Settings, SettingsError, language_of, load

ROOT = Path(__file__).parents[2]
TABLES = {
    name: field.annotation
    for name, field in Settings.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
}


def written(folder: Path, text: str) -> Path:
    path = folder / "referee.toml"
    path.write_text(text, "utf-8")
    return path


def problems(folder: Path, text: str) -> list[str]:
    path = written(folder, text)
    with pytest.raises(SettingsError) as caught:
        load(path)
    assert str(caught.value).splitlines() == list(caught.value.problems)
    assert all(line.startswith(f"{path}: ") for line in caught.value.problems)
    return [line.removeprefix(f"{path}: ") for line in caught.value.problems]


def test_a_board_needs_no_more_than_its_name(tmp_path: Path) -> None:
    settings = load(written(tmp_path, '[board]\nid = "table-1"\n'))
    assert settings.board.id == "table-1"
    assert settings.match.ruleset == "long-fnr"
    assert settings.camera.source == 0
    assert settings.bridge.port is None
    assert settings.feed.broker == "embedded"
    assert settings.journal.path == tmp_path / "journal/referee.sqlite"
    assert settings.journal.evidence == tmp_path / "journal/evidence"


def test_everything_can_be_set(tmp_path: Path) -> None:
    settings = load(
        written(
            tmp_path,
            """
            language = "ru"
            [board]
            id = "стол-1"
            corners = [[1105.5, 655], [172, 650], [241, 71], [1043, 75]]
            bar = [0.5, 0.5]
            [camera]
            source = "frames"
            size = [1920, 1080]
            fps = 30
            [bridge]
            port = "/dev/ttyUSB0"
            rig = "rigs/club.toml"
            [buttons]
            white = 5
            black = 6
            [match]
            ruleset = "house.toml"
            length = 7
            white = "Анна"
            [feed]
            broker = "mqtts://broker.example:8883"
            user = "table"
            password = "secret"
            websocket_url = "wss://broker.example/mqtt"
            viewer_delay_s = 60
            [pages]
            port = 0
            arbiter_pin = "2718"
            [journal]
            path = "/var/lib/nardy/j.sqlite"
            """,
        )
    )
    assert settings.board.corners is not None
    assert [list(corner) for corner in settings.board.corners] == [[1105.5, 655], [172, 650], [241, 71], [1043, 75]]
    assert settings.camera.source == str(tmp_path / "frames")
    assert settings.camera.size == (1920, 1080)
    assert settings.bridge.rig == tmp_path / "rigs/club.toml"
    assert settings.match.ruleset == str(tmp_path / "house.toml")
    assert settings.feed.viewer_delay_s == 60
    assert settings.feed.password == SecretStr("secret")
    assert settings.journal.path == Path("/var/lib/nardy/j.sqlite")


@pytest.mark.parametrize("address", ["rtsp://cam.example/1", "http://cam.example/mjpg", "/dev/video2"])
def test_addresses_and_whole_paths_of_a_camera_stay_as_they_are(tmp_path: Path, address: str) -> None:
    path = written(tmp_path, f'[board]\nid = "t"\n[camera]\nsource = "{address}"\n')
    assert load(path).camera.source == address


def test_secrets_do_not_show_when_settings_are_printed(tmp_path: Path) -> None:
    text = '[board]\nid = "t"\n[feed]\npassword = "hush-hush"\n[pages]\narbiter_pin = "27182"\n'
    shown = repr(load(written(tmp_path, text)))
    assert "hush-hush" not in shown
    assert "27182" not in shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('[board]\nid = "a b"', 'board.id: got "a b", allowed: a name of 1 to 40', id="blank-in-id"),
        pytest.param('[board]\nid = ""', 'board.id: got "", allowed: a name of 1 to 40', id="empty-id"),
        pytest.param("[board]\nid = 3", "board.id: got 3, allowed: a valid string", id="number-for-text"),
        pytest.param("", "board: missing, it has no default", id="no-board"),
        pytest.param('board = "t"', 'board: got "t", allowed: a table [board]', id="text-for-table"),
    ],
)
def test_a_wrong_board(tmp_path: Path, text: str, told: str) -> None:
    (line,) = problems(tmp_path, text)
    assert line.startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('language = "de"', "language: got \"de\", allowed: 'en' or 'ru'"),
        ("[camera]\nfps = 1000", "camera.fps: got 1000, allowed: less than or equal to 120"),
        ('[camera]\nfps = "fast"', 'camera.fps: got "fast", allowed: a valid number'),
        ("[camera]\nfps = nan", "camera.fps: got NaN, allowed: a finite number"),
        ("[camera]\nsource = 1.5", "camera.source: got 1.5, allowed: an integer or a text"),
        ("[camera]\nsource = true", "camera.source: got true, allowed: an integer or a text"),
        ("[camera]\nsize = [640]", "camera.size[1]: missing, it has no default"),
        ("[buttons]\nwhite = 28", "buttons.white: got 28, allowed: less than or equal to 27"),
        ("[buttons]\nwhite = 5\nbuzzer = 5", "buttons.buzzer: got 5, allowed: a pin of its own, white has this one"),
        ('[bridge]\nport = "/dev/ttyUSB0"', "bridge.rig: missing, a port needs the rig file"),
        ("[match]\nlength = 0", "match.length: got 0, allowed: greater than or equal to 1"),
        (
            '[match]\nruleset = "long-fn"',
            'match.ruleset: got "long-fn", allowed: a file *.toml with house rules, or one of',
        ),
        ('[feed]\nbroker = "http://x"', 'feed.broker: got "http://x", allowed: "embedded", or an address like mqtt://'),
        ('[feed]\nbroker = "mqtt://u:p@x"', 'feed.broker: got "mqtt://u:p@x", allowed: "embedded"'),
        ('[feed]\nbroker = "mqtt://x:x"', 'feed.broker: got "mqtt://x:x", allowed: "embedded"'),
        ('[feed]\nbroker = "mqtt://x"', "feed.websocket_url: missing, the pages need the ws:// or wss:// address"),
        ('[feed]\nwebsocket_url = "x"', 'feed.websocket_url: got "x", allowed: an address like ws://'),
        ("[feed]\npassword = 271828", "feed.password: got ***, allowed: a valid string"),
        ('[pages]\narbiter_pin = "1"', 'pages.arbiter_pin: got "***", allowed: 4 to 12 characters'),
        ("[pages]\nport = 70000", "pages.port: got 70000, allowed: less than or equal to 65535"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(tmp_path: Path, text: str, told: str) -> None:
    (line,) = problems(tmp_path, f'{text}\n[board]\nid = "t"')
    assert line.startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('languge = "en"', "languge: unknown key, did you mean language?; allowed: language, board, camera"),
        ("[button]\nwhite = 5", "button: unknown key, did you mean buttons?; allowed: language"),
        ('[feed]\nbrokr = "embedded"', "feed.brokr: unknown key, did you mean broker?; allowed: broker, user"),
        (
            "[pages]\nsource = 0",
            "pages.source: unknown key, it belongs under [camera]; allowed: host, port, arbiter_pin",
        ),
        ("[pages]\nzzz = 0", "pages.zzz: unknown key; allowed: host, port, arbiter_pin"),
        ('id = "t"', "id: unknown key, it belongs under [board]; allowed: language"),
    ],
)
def test_an_unknown_key_is_guessed_at(tmp_path: Path, text: str, told: str) -> None:
    (line,) = problems(tmp_path, f'{text}\n[board]\nid = "t"')
    assert line.startswith(told)


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    lines = problems(tmp_path, 'language = "de"\n[camera]\nfps = 0\nsorce = 1\n[board]\nbar = [0.9, 0.1]\nid = "t"')
    assert [line.split(":")[0] for line in lines] == ["language", "board.bar", "camera.fps", "camera.sorce"]


WRONG = [1.5, -1, 10**9, True, "", "x" * 99, [], [1], [1, 2, 3], ["x", "y"], {"x": 1}]


def test_every_mistake_is_reported_in_russian_too(tmp_path: Path) -> None:
    for name, table in TABLES.items():
        for key in [*table.model_fields, "nonsense"]:
            for wrong in WRONG:
                path = written(tmp_path, f"[{name}]\n{key} = {_toml(wrong)}\n")
                try:
                    load(path, Lang.RU)
                except SettingsError as error:
                    for line in error.problems:
                        said = re.sub(r'стоит .*?, можно|можно: "embedded"|ключ.*; можно: .*|\*\.toml .*', "", line)
                        assert re.search("[а-я]{2}", line), line
                        assert not re.search(r"[a-z]{2,} [a-z]{2,}", said.removeprefix(str(path))), line


def test_a_mistake_in_russian_says_as_much_as_in_english(tmp_path: Path) -> None:
    path = written(tmp_path, '[feed]\nbrokr = "x"\n[camera]\nfps = 1000\n[buttons]\nwhite = 5\nbuzzer = 5\n')
    with pytest.raises(SettingsError) as caught:
        load(path, Lang.RU)
    assert [line.removeprefix(f"{path}: ").split(";")[0] for line in caught.value.problems] == [
        "board: отсутствует, значения по умолчанию нет",
        "camera.fps: стоит 1000, можно: не больше 120",
        "buttons.buzzer: стоит 5, можно: отдельный контакт, этот уже занят ключом white",
        "feed.brokr: неизвестный ключ, может быть, broker?",
    ]


def test_settings_speak_their_own_language_however_wrong_they_are(tmp_path: Path) -> None:
    assert language_of(written(tmp_path, 'language = "ru"\n[bord]\n')) is Lang.RU
    assert language_of(written(tmp_path, 'language = "de"')) is None
    assert language_of(written(tmp_path, "language = [")) is None
    assert language_of(tmp_path / "nowhere.toml") is None


def test_a_file_that_is_absent_a_folder_no_toml_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere.toml: cannot be read: No such file"):
        load(tmp_path / "nowhere.toml")
    with pytest.raises(SettingsError, match=r"cannot be read: Is a directory"):
        load(tmp_path)
    assert problems(tmp_path, "[board\n") == [
        "is not TOML: Expected ']' at the end of a table declaration (at line 1, column 7)"
    ]
    (tmp_path / "bytes.toml").write_bytes(b'[board]\nid = "\xff"\n')
    with pytest.raises(SettingsError, match=r"bytes.toml: is not UTF-8 text, byte 14 is wrong"):
        load(tmp_path / "bytes.toml")


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70_000) | st.floats(allow_nan=False) | st.text("abé:/. -", max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["x", "y"]), inner, max_size=2),
    max_leaves=5,
)
keys = {name: [*sorted(table.model_fields), "nonsense"] for name, table in TABLES.items()}


@given(st.data())
def test_whatever_stands_in_the_file_it_is_settings_or_named_mistakes(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    table = data.draw(st.sampled_from(sorted(keys)))
    content = data.draw(
        st.dictionaries(st.sampled_from(keys[table]), values.filter(lambda v: v is not None), max_size=3)
    )
    lines = [f"{key} = {_toml(value)}" for key, value in content.items()]
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("\n".join([f"[{table}]", *lines]), "utf-8")
    try:
        load(path)
    except SettingsError as error:
        for line in error.problems:
            assert re.match(rf"{re.escape(str(path))}: (board|{table})(\.\w+|\[\d+\])*: \S", line), line
            assert "\n" not in line


def _toml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(_toml(inner) for inner in value) + "]"
        case None:
            return '""'
        case float():
            return repr(value)
        case _:
            return json.dumps(value)


@pytest.mark.parametrize(
    ("home", "seat", "order"),
    [
        # Corners are counted clockwise from the top left: 0 top left, 1 top right, 2 bottom right, 3 bottom left.
        pytest.param("right", "bottom", (2, 3, 0, 1), id="as-in-every-diagram"),
        pytest.param("left", "bottom", (3, 2, 1, 0), id="mirrored"),
        pytest.param("right", "top", (0, 1, 2, 3), id="from-the-other-seat"),
        pytest.param("right", "right", (1, 2, 3, 0), id="white-at-the-right"),
        pytest.param("right", "left", (3, 0, 1, 2), id="white-at-the-left"),
    ],
)
def test_seat_and_home_say_which_corner_is_p1(home: str, seat: str, order: tuple[int, ...]) -> None:
    board = BoardSettings.model_validate({"id": "t", "home": home, "white_seat": seat})
    assert board.corner_order == order


def test_without_seat_and_home_the_markers_name_the_corners() -> None:
    assert BoardSettings.model_validate({"id": "t"}).corner_order is None
    assert BoardSettings.model_validate({"id": "t", "white_seat": "top"}).corner_order == (0, 1, 2, 3)


@given(st.sampled_from(["right", "left"]), st.sampled_from(["bottom", "top", "left", "right"]))
def test_whites_own_side_is_p1_to_p12_and_home_is_on_the_named_hand(home: str, seat: str) -> None:
    board = BoardSettings.model_validate({"id": "t", "home": home, "white_seat": seat})
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    p1, p12, p13, p24 = (corners[place] for place in board.corner_order)
    middle_of_edge = {"bottom": (0.5, 1), "top": (0.5, 0), "left": (0, 0.5), "right": (1, 0.5)}[seat]
    assert ((p1 + p12) / 2).tolist() == list(middle_of_edge)
    ahead = (p13 + p24) / 2 - (p1 + p12) / 2
    to_home = p1 - p12
    # With y downwards a positive cross product is a turn to the right.
    assert (ahead[0] * to_home[1] - ahead[1] * to_home[0] > 0) == (home == "right")


def test_the_example_is_read_and_says_nothing_but_defaults_and_places(tmp_path: Path) -> None:
    example = (ROOT / "hardware/referee.toml").read_text("utf-8")
    load(written(tmp_path, example))
    # What is commented out must work too, once it is not.
    every = re.sub(r"^# (?=\[|\w+ =)", "", example, flags=re.MULTILINE)
    settings = load(written(tmp_path, every))
    for name, table in TABLES.items():
        missing = set(table.model_fields) - getattr(settings, name).model_fields_set
        assert missing <= {"checker", "thickness", "user", "password", "websocket_url", "websocket_port", "port"}, name


def test_the_documentation_has_every_key_and_its_default() -> None:
    page = (ROOT / "docs/settings.md").read_text("utf-8")
    documented: dict[str, dict[str, str]] = {}
    heading = ""
    for line in page.splitlines():
        if title := re.fullmatch(r"## `\[(\w+)\]`", line):
            heading = title[1]
        elif row := re.match(r"\| `(\w+)` \| (.+?) \|", line):
            documented.setdefault(heading, {})[row[1]] = row[2]
    assert set(documented.pop("")) == {"language"}
    assert documented == {name: _defaults(table) for name, table in TABLES.items()}


def _defaults(table: type[BaseModel]) -> dict[str, str]:
    told = {}
    for key, field in table.model_fields.items():
        default = field.get_default()
        if field.is_required():
            told[key] = "none, must be given"
        elif default is None:
            told[key] = "none"
        else:
            told[key] = f"`{json.dumps(default, default=str)}`"
    return told

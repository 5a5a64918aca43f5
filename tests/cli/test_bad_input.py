"""Whatever the caller can put right is one clear line, exit code 2, and no traceback."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.slow  # runs the command


def nardy(*arguments: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", "from controller.cli import main; main()", *arguments],
        capture_output=True, text=True, timeout=600, cwd=cwd, check=False,
    )  # fmt: skip


def black_png(width: int, height: int) -> bytes:
    """A picture of few bytes and any size (PNG specification, third edition, 11.2)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "empty").mkdir()
    (folder / "broken.toml").write_text("[board\nid = 1")
    (folder / "wrong.toml").write_text('[board]\nid = "1"\ncornerz = 3\n')
    (folder / "no_camera.toml").write_text('[board]\nid = "1"\n[camera]\nsource = 99\n')
    (folder / "not_a_picture.jpg").write_bytes(b"\xff\xd8 this is no picture")
    (folder / "text.sqlite").write_text("not a database")
    thin = np.zeros((1, 4000, 3), np.uint8)
    cv2.imwrite(str(folder / "line.png"), thin)
    (folder / "giant.png").write_bytes(black_png(40_000, 40_000))
    return folder


BAD = [
    (("demo", "--colour", "red"), "--colour"),
    (("demo", "--ruleset", "chess"), "chess"),
    (("run", "--config", "absent.toml"), "absent.toml"),
    (("run", "--config", "broken.toml"), "broken.toml"),
    (("run", "--config", "wrong.toml"), "corners"),
    (("run", "--config", "no_camera.toml"), "99"),
    (("read", "absent.jpg"), "absent.jpg"),
    (("read", "not_a_picture.jpg"), "not_a_picture.jpg"),
    (("read", "giant.png"), "giant.png"),
    (("read", "line.png"), "board not found"),
    (("read", "line.png", "--corners", "nan,1 2,1 2,0 1,0"), "--corners"),
    (("read", "line.png", "--bar", "0.9,0.1"), "--bar"),
    (("replay", "empty"), "empty"),
    (("replay", "text.sqlite"), "text.sqlite"),
    (("plays", "--roll", "7-1"), "7"),
    (("plays", "--roll", "6-5", "--position", "nonsense"), "nonsense"),
    (("plays", "--roll", "6-5", "--why", "24-18"), "24-18"),
    (("evaluate", "boards", "empty"), "empty"),
    (("evaluate", "dice", "empty"), "empty"),
    (("evaluate", "sequences", "empty"), "empty"),
    (("evaluate", "rules", "empty"), "empty"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_a_mistake_is_named_and_no_traceback_shown(files: Path, arguments: tuple[str, ...], named: str) -> None:
    done = nardy(*arguments, cwd=files)
    assert done.returncode == 2, done.stderr
    assert named in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("run",), "Ошибка: не хватает --config. Справка: nardy-referee run --help"),
        (("read",), "Ошибка: не хватает PICTURE. Справка: nardy-referee read --help"),
        (("demo", "--colour", "red"), "Ошибка: нет ключа --colour. Справка: nardy-referee demo --help"),
        (
            ("demo", "--headles"),
            "Ошибка: нет ключа --headles; может быть, --headless? Справка: nardy-referee demo --help",
        ),
        (("evaluate", "cards"), "Ошибка: WHAT: 'cards': можно только 'boards', 'dice', 'sequences', 'rules'."),
        (("demo", "--speed", "99"), "Ошибка: --speed: 99.0 вне пределов 0.1<=x<=50."),
        (("read", "absent.jpg"), "Ошибка: PICTURE: Файл 'absent.jpg': такого нет."),
        (("chess",), "Ошибка: Нет команды 'chess'. Справка: nardy-referee --help"),
        (("read", "wrong.toml", "extra"), "Ошибка: Лишнее: extra. Справка: nardy-referee read --help"),
        (("replay", "text.sqlite"), "Ошибка: журнал text.sqlite — не журнал"),
        (("run", "--config", "no_camera.toml"), "Ошибка: камера 99 не открывается: подключена ли она"),
        (("run", "--config", "absent.toml"), "Ошибка: absent.toml: не читается: No such file or directory"),
    ],
)
def test_a_mistake_is_told_in_russian(files: Path, arguments: tuple[str, ...], line: str) -> None:
    assert nardy("--lang", "ru", *arguments, cwd=files).stderr.strip().startswith(line)


def test_settings_in_russian_are_answered_in_russian(files: Path) -> None:
    (files / "russian.toml").write_text('language = "ru"\n', "utf-8")
    said = nardy("doctor", "--config", "russian.toml", cwd=files).stdout
    assert "board: отсутствует" in said
    assert "board: missing" in nardy("--lang", "en", "doctor", "--config", "russian.toml", cwd=files).stdout


def test_help_in_russian_has_no_english_around_it() -> None:
    page = nardy("--lang", "ru", "run", "--help").stdout
    assert page.startswith("Вызов: nardy-referee run [КЛЮЧИ]")
    assert "[обязательно]" in page
    assert not [word for word in ("Usage", "OPTIONS", "Options", "required", "Show this", "FILE") if word in page]
    assert "Команды:" in nardy("--lang", "ru", "--help").stdout


def test_the_bare_command_shows_its_help() -> None:
    done = nardy()
    assert done.returncode == 0
    assert "Referee a nardy" in done.stdout
    assert done.stderr == ""


def test_help_speaks_both_languages() -> None:
    assert "Referee a nardy" in nardy("--help").stdout
    assert "Судья" in nardy("--lang", "ru", "--help").stdout
    assert "виртуальным столом" in nardy("--lang=ru", "demo", "--help").stdout


def test_a_roll_that_is_none_is_explained_in_russian() -> None:
    done = nardy("--lang", "ru", "plays", "--roll", "7-5")
    assert done.returncode == 2
    assert "7-5 — не бросок" in done.stderr


def test_a_forbidden_play_is_explained_in_russian() -> None:
    done = nardy("--lang", "ru", "plays", "--ruleset", "long-fnr", "--roll", "6-5", "--why", "24/18 24/19")
    assert done.returncode == 0
    assert "головы" in done.stdout
    assert "24/13" in done.stdout

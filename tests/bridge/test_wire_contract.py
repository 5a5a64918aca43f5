"""protocol.toml, what is made from it, and what it refuses."""

from pathlib import Path

import pytest

from firmware_bridge import generate, messages
from firmware_bridge.rig import Rig

SOURCE = (generate.HERE / "protocol.toml").read_text("utf-8")


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert old in SOURCE
    path = tmp_path / "protocol.toml"
    path.write_text(SOURCE.replace(old, new, 1), "utf-8")
    return path


@pytest.mark.parametrize("path", generate.outputs(generate.load()), ids=lambda path: path.name)
def test_generated_files_are_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == generate.outputs(generate.load())[path]


def test_a_code_used_twice_is_refused_with_both_names(tmp_path: Path) -> None:
    path = changed(tmp_path, "code = 0x02", "code = 0x01")
    with pytest.raises(generate.ProtocolError, match="code 0x01 belongs to both Hello and Keyframe"):
        generate.load(path)


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, '["ping_seq", "u16"', '["ping_seq", "u17"')
    with pytest.raises(generate.ProtocolError, match="Pong: unknown field kind 'u17'; known: u8, u16, u32"):
        generate.load(path)


def test_an_open_end_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, '["major", "u8"', '["major", "u8[]"')
    with pytest.raises(generate.ProtocolError, match="Hello: only the last field may be open-ended"):
        generate.load(path)


def test_the_hash_sees_a_renamed_field_and_no_comment(tmp_path: Path) -> None:
    renamed = generate.load(changed(tmp_path, '"ping_seq"', '"pinged"'))
    commented = generate.load(changed(tmp_path, "Who the board is; sent", "Who it is. Sent"))
    assert renamed.tables != messages.PROTOCOL_TABLES
    assert commented.tables == messages.PROTOCOL_TABLES


def test_a_rig_without_a_microcontroller_has_no_firmware() -> None:
    with pytest.raises(generate.ProtocolError, match="rig camera_only has no microcontroller to flash"):
        generate.rig_header(Rig.load("camera_only"))

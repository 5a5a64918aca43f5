import hashlib
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.adapters.evidence import Evidence, EvidenceError, PictureState, picture_state


@settings(max_examples=20, deadline=None)
@given(st.binary(max_size=2000), st.sampled_from(["jpg", "png"]))
def test_a_picture_comes_back_under_the_hash_of_itself(
    tmp_path_factory: pytest.TempPathFactory, picture: bytes, kind: str
) -> None:
    evidence = Evidence(tmp_path_factory.getbasetemp() / "evidence")
    name = evidence.keep(picture, kind)
    assert name == f"{hashlib.sha256(picture).hexdigest()}.{kind}"
    assert picture_state(evidence.folder, name) is PictureState.KEPT


def test_the_same_picture_lies_there_once(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    assert evidence.keep(b"look") == evidence.keep(b"look")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"look"]


def test_pictures_are_for_their_owner_only(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        evidence = Evidence(tmp_path / "board" / "evidence")
        name = evidence.keep(b"a player's face")
    finally:
        os.umask(old)
    assert stat.S_IMODE(evidence.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((evidence.folder / name).stat().st_mode) == 0o600


def test_a_picture_that_was_changed_or_taken_away_is_noticed(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    name = evidence.keep(b"5-3")
    (tmp_path / name).write_bytes(b"6-6")
    assert picture_state(tmp_path, name) is PictureState.CHANGED
    (tmp_path / name).unlink()
    assert picture_state(tmp_path, name) is PictureState.MISSING


@pytest.mark.parametrize("name", ["../journal.sqlite", "/etc/passwd", "", "0" * 64, f"{'0' * 64}.sh"])
def test_a_name_that_no_picture_has_is_no_picture(tmp_path: Path, name: str) -> None:
    assert picture_state(tmp_path, name) is PictureState.CHANGED


def test_what_a_crash_left_half_written_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / f"{'0' * 64}.jpg.part").write_bytes(b"ha")
    evidence = Evidence(tmp_path)
    assert list(tmp_path.iterdir()) == []
    evidence.keep(b"half")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_cannot_be_made_is_an_evidence_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(EvidenceError, match=r"cannot use the evidence folder"):
        Evidence(tmp_path / "file" / "evidence")

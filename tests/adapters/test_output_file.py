"""What a command writes lands whole, and never over what it reads."""

from pathlib import Path

import pytest

from controller.adapters.journal import Journal, is_journal_file
from controller.adapters.output_file import OutputError, write_output
from controller.ports.entries import ENTRIES


def test_a_file_is_written_over_an_older_one_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "sheet.txt"
    for content in (b"first", b"second"):
        write_output(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_read_is_not_written_over_by_whatever_name(tmp_path: Path) -> None:
    source, other = tmp_path / "photo.jpg", tmp_path / "link.jpg"
    source.write_bytes(b"picture")
    other.symlink_to(source)
    for path in (source, other, tmp_path / "." / "photo.jpg"):
        with pytest.raises(OutputError, match="is what this command reads"):
            write_output(path, b"drawn", sources=[source])
    assert source.read_bytes() == b"picture"


def test_no_journal_is_written_over_whether_it_is_read_or_not(tmp_path: Path) -> None:
    path = tmp_path / "match.csv"
    Journal(path, ENTRIES).close()
    before = path.read_bytes()
    assert is_journal_file(path)
    with pytest.raises(OutputError, match="is a journal"):
        write_output(path, b"sheet")
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_an_error_about_the_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_output(tmp_path / "nowhere" / "sheet.txt", b"")
    assert caught.value.filename == str(tmp_path / "nowhere" / "sheet.txt")

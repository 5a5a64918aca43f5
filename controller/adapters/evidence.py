"""Pictures that rulings rest on, kept beside the journal under the hash of what they show."""

import hashlib
import os
import re
from pathlib import Path
from typing import NewType

PictureName = NewType("PictureName", str)
"""The SHA-256 of the picture in hex, and its kind: what events refer to."""

_NAME = re.compile(r"[0-9a-f]{64}\.(?:jpg|png)")
_UNFINISHED = ".part"


class EvidenceError(OSError):
    """A picture cannot be kept, or is not what it was when it was kept; the message says what to do."""


class Evidence:
    """A folder of pictures; the same picture kept twice lies there once."""

    def __init__(self, folder: Path) -> None:
        """Use ``folder``, made when absent, and clear away what a crash left half written.

        Raises EvidenceError when the folder cannot be used.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for leftover in folder.glob(f"*{_UNFINISHED}"):
                leftover.unlink()
        except OSError as error:
            msg = f"cannot use the evidence folder {folder}: {error.strerror}; give this user the right to write in it"
            raise EvidenceError(msg) from error

    def keep(self, picture: bytes, kind: str = "jpg") -> PictureName:
        """Write ``picture`` (an encoded JPEG or PNG), on the disk when this returns, and return its name.

        Keep pictures before the events that name them. Raises EvidenceError when the disk takes no more.
        """
        name = PictureName(f"{hashlib.sha256(picture).hexdigest()}.{kind}")
        path = self.folder / name
        if path.exists():
            return name
        unfinished = path.with_suffix(f"{path.suffix}{_UNFINISHED}")
        try:
            with unfinished.open("wb") as file:
                file.write(picture)
                file.flush()
                os.fsync(file.fileno())
            # Renamed into place once whole: under its name a picture is either all there or not at all.
            unfinished.replace(path)
            _sync_folder(self.folder)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            msg = f"cannot keep a picture in {self.folder}: {error.strerror}; make room on the disk"
            raise EvidenceError(msg) from error
        return name

    def show(self, name: str) -> bytes:
        """Return the picture called ``name``.

        Raises EvidenceError when it is absent or not the picture that was kept.
        """
        if not _NAME.fullmatch(name):
            msg = f"no picture is called {name!r}: a name is 64 hex digits and .jpg or .png"
            raise EvidenceError(msg)
        try:
            picture = (self.folder / name).read_bytes()
        except OSError as error:
            msg = f"picture {name} cannot be read from {self.folder}: {error.strerror}; restore it from a copy"
            raise EvidenceError(msg) from error
        if hashlib.sha256(picture).hexdigest() != name.partition(".")[0]:
            msg = f"picture {name} in {self.folder} was changed after it was kept; restore it from a copy"
            raise EvidenceError(msg)
        return picture


def _sync_folder(folder: Path) -> None:
    """Have the folder's own entries on the disk: a file that was synced may otherwise still lack its name."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

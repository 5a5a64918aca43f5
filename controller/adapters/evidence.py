"""Pictures that rulings rest on, kept beside the journal under the hash of what they show."""

import hashlib
import os
import re
from enum import Enum
from pathlib import Path
from typing import NewType

from controller.locale import LocalizedError

PictureName = NewType("PictureName", str)
"""The SHA-256 of the picture in hex, and its kind: what events refer to."""

_NAME = re.compile(r"[0-9a-f]{64}\.(?:jpg|png)")
_UNFINISHED = ".part"


class EvidenceError(LocalizedError, OSError):
    """A picture cannot be kept; the text says what to do."""


class Evidence:
    """A folder of pictures; the same picture kept twice lies there once."""

    def __init__(self, folder: Path) -> None:
        """Use ``folder``, made when absent, and clear away what a crash left half written.

        Raises EvidenceError when the folder cannot be used.
        """
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for leftover in folder.glob(f"*{_UNFINISHED}"):
                leftover.unlink()
        except OSError as error:
            raise EvidenceError("evidence_folder", folder=folder, why=error.strerror) from error

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
            # Faces may be in the picture: it is for the owner of the journal only.
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(picture)
                file.flush()
                os.fsync(file.fileno())
            # Renamed into place once whole: under its name a picture is either all there or not at all.
            unfinished.replace(path)
            _sync_folder(self.folder)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise EvidenceError("evidence_full", folder=self.folder, why=error.strerror) from error
        return name


class PictureState(Enum):
    """What became of a picture that was kept."""

    KEPT = "kept"
    MISSING = "missing"
    CHANGED = "changed"
    """It is not what its name is the hash of."""


def picture_state(folder: Path, name: str) -> PictureState:
    """Compare the picture called ``name`` in ``folder`` with its name.

    Raises OSError for a picture that is there and cannot be read.
    """
    if not _NAME.fullmatch(name):
        return PictureState.CHANGED
    try:
        picture = (folder / name).read_bytes()
    except FileNotFoundError:
        return PictureState.MISSING
    same = hashlib.sha256(picture).hexdigest() == name.partition(".")[0]
    return PictureState.KEPT if same else PictureState.CHANGED


def _sync_folder(folder: Path) -> None:
    """Have the folder's own entries on the disk: a file that was synced may otherwise still lack its name."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

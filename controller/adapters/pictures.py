"""The pictures that rulings rest on: JPEG files named by their content, so that a picture cannot be changed unseen."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

NAME_LENGTH = 20


class PictureFolder:
    """Keeps pictures in a folder; ``shot`` gives the JPEG of the last look, None while there is none."""

    def __init__(self, folder: Path, shot: Callable[[], bytes | None]) -> None:
        self._folder = folder
        self._shot = shot

    def keep_latest(self) -> str | None:
        """Keep the last look's picture and return its name.

        Raises OSError when the folder cannot be written.
        """
        picture = self._shot()
        if picture is None:
            return None
        name = f"{hashlib.sha256(picture).hexdigest()[:NAME_LENGTH]}.jpg"
        target = self._folder / name
        if not target.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            # Renamed into place, so that a crash leaves no half picture under a name that vouches for it.
            unfinished = target.with_suffix(f".{os.getpid()}.part")
            unfinished.write_bytes(picture)
            unfinished.replace(target)
        return name

"""A folder in memory, for what has to be kept in files but never outlives the process that wrote it."""

import os
import stat
from hashlib import sha256
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of ours in it, which nobody else may open
OWNER_ONLY = 0o700


def memory_folder(name: str, beside: Path) -> Path:
    """Return a folder called ``name`` in memory that only its owner may open, the same for the same ``beside``.

    It lies in the service's runtime folder (``RUNTIME_DIRECTORY`` of systemd), the user's, or in shared memory; where
    there is none, or somebody else has taken the name, it is a folder beside ``beside``.
    """
    mark = sha256(str(beside.resolve()).encode()).hexdigest()[:12]
    for key in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        place = os.environ.get(key, "").partition(":")[0]
        if place and (folder := _own(Path(place) / f"{name}-{mark}")):
            return folder
    return _own(SHARED_MEMORY / f"nardy-referee-{name}-{mark}") or beside / name


def _own(folder: Path) -> Path | None:
    """``folder``, made where it is missing; None where it cannot be made or is not ours alone."""
    try:
        folder.mkdir(mode=OWNER_ONLY, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == OWNER_ONLY
    return folder if ours else None

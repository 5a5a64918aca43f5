"""A disk that can lose its power: what was not synced is there in part, in any order, or torn.

Built on apsw's virtual file systems: the bytes go to files as always, while a second account is kept of what the disk
would hold if the power went now.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import apsw

SECTOR_BYTES = 512


@dataclass
class Platter:
    """One file as the disk has it: surely, and the writes that may or may not have reached it."""

    sure: bytearray
    unsynced: list[tuple[int, bytes]] = field(default_factory=list)
    """(offset, bytes) in order; offset -1 cuts the file to the length that the bytes spell."""

    def write(self, offset: int, content: bytes) -> None:
        self.unsynced.append((offset, content))

    def truncate(self, size: int) -> None:
        self.unsynced.append((-1, str(size).encode()))

    def sync(self) -> None:
        for offset, content in self.unsynced:
            _put(self.sure, offset, content)
        self.unsynced.clear()

    def after_a_cut(self, chance: random.Random) -> bytes:
        left = bytearray(self.sure)
        for offset, content in self.unsynced:
            fate = chance.random()
            if fate < 0.4:
                _put(left, offset, content)
            elif fate < 0.6 and offset >= 0 and len(content) > SECTOR_BYTES:
                sectors = chance.randrange(1, len(content) // SECTOR_BYTES + 1)
                _put(left, offset, content[: sectors * SECTOR_BYTES])
        return bytes(left)


def _put(image: bytearray, offset: int, content: bytes) -> None:
    if offset < 0:
        del image[int(content) :]
        return
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset : offset + len(content)] = content


class TornDisk:
    """Files opened with ``connect`` lie on this disk; ``cut_after`` takes its power away in the midst of the work."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._platters: dict[str, Platter] = {}
        self._left: dict[str, bytes] | None = None
        self._operations_left = -1
        self._system = _System(self)

    @property
    def is_cut(self) -> bool:
        return self._left is not None

    def connect(self, path: Path) -> apsw.Connection:
        return apsw.Connection(str(path), vfs=self._system.name)

    def cut_after(self, operations: int) -> None:
        """Lose the power once that many writes, syncs and deletions have been asked for."""
        self._operations_left = operations

    def restore(self, folder: Path) -> None:
        """Write what was left after the cut into ``folder``, under the same file names."""
        assert self._left is not None
        folder.mkdir(parents=True)
        for name, content in self._left.items():
            (folder / Path(name).name).write_bytes(content)

    def opened(self, name: str) -> Platter:
        if name not in self._platters:
            path = Path(name)
            self._platters[name] = Platter(bytearray(path.read_bytes() if path.exists() else b""))
        return self._platters[name]

    def deleted(self, name: str) -> None:
        self.asked()
        self._platters.pop(name, None)

    def asked(self) -> None:
        """Count one operation, before it is done; the power may go at any of them."""
        self._operations_left -= 1
        if self._operations_left == 0:
            self._left = {name: platter.after_a_cut(self._chance) for name, platter in self._platters.items()}


class _System(apsw.VFS):
    def __init__(self, disk: TornDisk) -> None:
        self.name = f"torn-{uuid4()}"
        self._disk = disk
        super().__init__(self.name, "")

    def xOpen(self, name: "str | apsw.URIFilename | None", flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's signature
        self._disk.deleted(filename)
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, disk: TornDisk, name: "str | apsw.URIFilename | None", flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._disk = disk
        # SQLite's own temporary files have no name and no use after a cut.
        self._platter = disk.opened(path) if path else Platter(bytearray())
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.asked()
        self._platter.write(offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.asked()
        self._platter.truncate(newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802 - SQLite's signature
        # The real disk is not asked: nothing here outlives the test, and this account is what counts.
        self._disk.asked()
        self._platter.sync()

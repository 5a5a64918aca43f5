"""What of the arbiter's sign-in outlives the process: a small file beside the journal that only its owner may read."""

import logging
import os
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

logger = logging.getLogger(__name__)

SIGN_IN_FILE = "sign-in.json"
"""Its name, beside the journal."""

OWNER_ONLY = 0o600


class Kept(BaseModel):
    """The PIN, whether it was made up here, and the hashes of the open sessions' tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pin: str = ""
    made_up: bool = False
    sessions: tuple[str, ...] = Field(default=(), max_length=1000)


class SignInFile:
    """The file at ``path``; one that cannot be read or written is warned of, and everybody signs in again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Kept | None:
        """What was kept; None where there is nothing, or nothing readable."""
        try:
            return Kept.model_validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError):
            logger.warning("%s cannot be read: everybody has to sign in again", self.path)
            return None

    def write(self, kept: Kept) -> None:
        """Keep it, whole or not at all."""
        unfinished = self.path.with_suffix(".part")
        try:
            with suppress(FileNotFoundError):
                unfinished.unlink()
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w") as file:
                file.write(kept.model_dump_json())
            unfinished.replace(self.path)
        except OSError as error:
            logger.warning("the sign-in cannot be kept in %s: %s", self.path, error.strerror)

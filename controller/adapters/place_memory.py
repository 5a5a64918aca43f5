"""Remembers over a restart where the board lies in the picture, and the frame that showed it there.

The corners of the settings are true for the moment at which they were measured. A camera that was bumped during the
match, or while the service was down, is found out by the remembered frame.
"""

import io
import logging
import zipfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.board.geometry import BoardNotFoundError, BoardPose, Frame

logger = logging.getLogger(__name__)

PLACE_FILE = "board-place.npz"
"""Its name, beside the journal."""

JPEG_QUALITY = 95


@dataclass(frozen=True, eq=False, slots=True)
class Remembered:
    """A pose, and a frame in which the board lay so."""

    pose: BoardPose
    frame: Frame


class PlaceMemory:
    """One small file beside the journal. ``measured`` is the pose that the board was set up with.

    What is remembered counts only for a board that is still set up with the same corners: whoever measures them anew
    means it.
    """

    def __init__(self, file: Path, measured: BoardPose) -> None:
        self._file = file
        self._measured = measured

    def keep(self, frame: Frame, pose: BoardPose) -> None:
        """Remember that ``frame`` shows the board at ``pose``; a disk that takes no more is only warned of."""
        _, coded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        packed = io.BytesIO()
        np.savez(packed, measured=self._measured.corners, corners=pose.corners, frame=coded)
        unfinished = self._file.with_suffix(".part")
        try:
            unfinished.write_bytes(packed.getvalue())
            unfinished.replace(self._file)
        except OSError as error:
            logger.warning("the board's place cannot be kept in %s: %s", self._file, error.strerror)

    def forget(self) -> None:
        """Remember nothing: a new match begins with the corners as they are measured."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            logger.warning("%s cannot be removed: %s", self._file, error.strerror)

    def recall(self) -> Remembered | None:
        """What was remembered last; None where there is nothing, or it belongs to other corners."""
        try:
            with np.load(self._file, allow_pickle=False) as packed:
                measured, corners, coded = packed["measured"], packed["corners"], packed["frame"]
        except FileNotFoundError:
            return None
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            logger.warning("%s does not hold the board's place (%s): the measured corners count", self._file, error)
            return None
        frame = cv2.imdecode(np.asarray(coded, np.uint8), cv2.IMREAD_COLOR)
        if frame is None or not np.array_equal(measured, self._measured.corners):
            return None
        try:
            pose = BoardPose(np.asarray(corners, np.float32), self._measured.shape, self._measured.frame_size)
        except BoardNotFoundError:
            return None
        return Remembered(pose, np.asarray(frame, np.uint8))

"""Keeps the pose of a board true while a match runs: checks it, distrusts it when it moved, registers it anew."""

import logging
from typing import Final

from vision.board.geometry import CORNER_NAMES, BoardNotFoundError, BoardPose, Frame
from vision.board.markers import find_marked_corners, markers_in_view
from vision.board.pose_watch import IN_PLACE, PoseCheck, PoseFinding, PoseWatch, off_share

logger = logging.getLogger(__name__)

CHECK_MS: Final = 500
"""How often the pose is checked while nothing is suspected, so that a bump is named within a second."""
SETTLED_SHARE: Final = 0.0015
"""A board whose corners are no farther off from one check to the next (share of its width) has come to rest."""
MARKED_SHARE: Final = 0.01
"""Printed markers belong to the board when they give its corners as nearly as that."""


class BoardTracker:
    """The pose of one board before one camera.

    ``reference`` is a frame in which the board lay at ``pose``; without one the first frame is taken for it.
    """

    def __init__(self, pose: BoardPose, reference: Frame | None = None) -> None:
        self.pose = pose
        self.registrations = 0
        """How often a reference was taken; each time the pose may be another."""
        self._watch: PoseWatch | None = None
        self._marked = False
        if reference is not None:
            self._register(reference, pose)
        self._known = IN_PLACE
        self._last = IN_PLACE
        self._checked_at: int | None = None

    @property
    def trusted(self) -> bool:
        """Whether the last check found the board at ``pose``: only then a look means anything."""
        return self._last.finding is PoseFinding.IN_PLACE

    def check(self, frame: Frame, at_ms: int, *, due: bool) -> PoseCheck:
        """Return what is known about the board's place after ``frame``, shot at ``at_ms``.

        The frame is examined when ``due`` (before a look), when something is amiss, else now and then. A finding
        other than "in place" is given once two frames in a row agree that there is one; until then ``trusted`` is
        false already. A board that has moved and come to rest is registered anew.
        """
        if self._watch is None:
            self._register(frame, self.pose)
        recent = self._checked_at is not None and at_ms - self._checked_at < CHECK_MS
        calm = self.trusted or (self._known.finding is PoseFinding.OUT_OF_VIEW and not due)
        if recent and calm and not due:
            return self._known
        self._checked_at = at_ms
        before, self._last = self._last, self._examined(frame)
        rests = _rests(before, self._last)
        if self.trusted:
            self._known = IN_PLACE
        elif rests and self._known.finding is PoseFinding.MOVED and self._last.pose is not None:
            self._register(frame, self._last.pose)
            self._known = self._last = IN_PLACE
        elif before.finding is not PoseFinding.IN_PLACE:
            self._known = self._last
        return self._known

    def quiet(self, frame: Frame) -> None:
        """Take ``frame``, in which the board is in place and no hand is in view, for what the surface looks like."""
        if self._watch is not None and self.trusted:
            self._watch.refresh(frame)

    def _register(self, frame: Frame, pose: BoardPose) -> None:
        self.pose = pose
        self.registrations += 1
        self._watch = PoseWatch(frame, pose)
        try:
            self._marked = off_share(find_marked_corners(frame), pose.corners) < MARKED_SHARE
        except BoardNotFoundError:
            self._marked = False

    def _examined(self, frame: Frame) -> PoseCheck:
        """The watch's finding; markers show more when the board is far from where it was."""
        check = IN_PLACE if self._watch is None else self._watch.check(frame)
        if not self._marked or check.finding is not PoseFinding.OUT_OF_VIEW or check.size is not None:
            return check
        try:
            pose = BoardPose(find_marked_corners(frame), self.pose.shape, self.pose.frame_size)
        except BoardNotFoundError:
            seen = markers_in_view(frame)
            missing = tuple(index for index, name in enumerate(CORNER_NAMES) if name not in seen)
            return PoseCheck(PoseFinding.OUT_OF_VIEW, missing=check.missing or missing)
        return PoseCheck(PoseFinding.MOVED, pose)


def _rests(before: PoseCheck, now: PoseCheck) -> bool:
    """Whether two checks found a moved board at the same place."""
    if before.pose is None or now.pose is None:
        return False
    return off_share(now.pose.corners, before.pose.corners) < SETTLED_SHARE

"""Scores boards that are found without markers: how far off, how often not at all.

A corner's error is given in widths of the board, and the worst of the four counts. Which corner is p1 no picture
shows, so the other way round is right as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from vision.board.finder import BoardFinder
from vision.board.geometry import BoardNotFoundError, Corners, Frame

NEAR, MISPLACED = 0.01, 0.03
"""Within a hundredth of the width a board is found; off by more than the second it is another one."""


class LabelledCorners(Protocol):
    """A picture and the corners of the board in it, pixels."""

    @property
    def picture(self) -> Path:
        """The picture's file."""
        ...

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The surface's corners p1, p12, p13, p24."""
        ...

    def load(self) -> Frame:
        """Read the picture."""
        ...


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """What the finder found in one picture; ``off_share`` is None where it found nothing."""

    picture: str
    off_share: float | None


@dataclass(slots=True)
class CornersScore:
    """All pictures' boards."""

    boards: list[FoundBoard] = field(default_factory=list)

    def totals(self) -> dict[str, Any]:
        """Return the figures: shares of all pictures, 0..1."""
        number = max(1, len(self.boards))
        offs = self._offs()
        return {
            "pictures": len(self.boards),
            "within_1_percent": sum(off <= NEAR for off in offs) / number,
            "off_by_1_to_3_percent": sum(NEAR < off <= MISPLACED for off in offs) / number,
            "off_by_more": sum(off > MISPLACED for off in offs) / number,
            "not_found": 1 - len(offs) / number,
        }

    def lines(self) -> list[str]:
        """Return the misplaced boards, the worst first, then one line of figures."""
        totals = self.totals()
        wrong = sorted((b for b in self.boards if (b.off_share or 0) > MISPLACED), key=lambda b: -(b.off_share or 0))
        lines = [f"{b.picture}: board misplaced by {b.off_share:.1%} of its width" for b in wrong]
        lines.append(
            f"found without markers: {totals['within_1_percent']:.1%} within 1 % of the width, "
            f"{totals['off_by_1_to_3_percent']:.1%} off by 1 to 3 %, {totals['off_by_more']:.1%} by more, "
            f"{totals['not_found']:.1%} not found"
        )
        return lines

    def _offs(self) -> Sequence[float]:
        return [board.off_share for board in self.boards if board.off_share is not None]


def score_corners(boards: Iterable[LabelledCorners], finder: BoardFinder | None = None) -> CornersScore:
    """Look for the board in each picture."""
    chosen = finder or BoardFinder()
    score = CornersScore()
    for board in boards:
        true = np.array(board.corners, np.float32)
        try:
            off: float | None = off_share(chosen.find(board.load()).corners, true)
        except BoardNotFoundError:
            off = None
        score.boards.append(FoundBoard(board.picture.name, off))
    return score


def off_share(found: Corners, true: Corners) -> float:
    """How far the worst corner lies off, in widths of the surface."""
    width = float(np.linalg.norm(true[0] - true[1]))
    return min(float(np.linalg.norm(np.roll(found, turn, 0) - true, axis=1).max()) for turn in (0, 2)) / width

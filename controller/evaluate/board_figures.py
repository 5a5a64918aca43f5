"""Figures for the docs: how honest the odds are, what is confused with what, and the worst pictures.

``python -m controller.evaluate.board_figures LABELLED_PICTURES OUTPUT_FOLDER`` writes ``reliability.png``,
``confusion.json`` and ``worst.png`` (the pictures' own licences decide whether that one may be passed on).
"""

import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from controller.evaluate.boards import BoardsScore, PlaceScore, find_boards, score_boards
from vision.annotate import annotate
from vision.checkers import CheckerReader

EDGES: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001)
WORST: Final = 10
_SIZE: Final = 640
_MARGIN: Final = 70
Picture = npt.NDArray[np.uint8]


def reliability(places: Sequence[PlaceScore]) -> list[tuple[float, float, int]]:
    """Return (mean stated certainty, share right, places) for each band of certainty that occurs."""
    rows = []
    for low, high in itertools.pairwise(EDGES):
        band = [place for place in places if low <= place.certainty < high]
        if band:
            stated = sum(place.certainty for place in band) / len(band)
            rows.append((stated, sum(place.right for place in band) / len(band), len(band)))
    return rows


def draw_reliability(rows: Sequence[tuple[float, float, int]]) -> Picture:
    """Draw stated certainty against the share that was right; both axes are stretched towards 1."""
    picture = np.full((_SIZE, _SIZE, 3), 255, np.uint8)

    def place(stated: float, right: float) -> tuple[int, int]:
        # Doubt 0.5 ... 0.001 on a log scale: what matters is whether "99 %" is 99 %.
        spots = [1 - (np.log10(max(0.0005, 1 - value)) + 3.3) / 3.3 for value in (stated, right)]
        span = _SIZE - 2 * _MARGIN
        return int(_MARGIN + span * spots[0]), int(_SIZE - _MARGIN - span * spots[1])

    cv2.line(picture, place(0, 0), place(0.9995, 0.9995), (200, 200, 200), 2, cv2.LINE_AA)
    for tick in (0.0, 0.5, 0.9, 0.99, 0.999):
        x, y = place(tick, tick)
        cv2.putText(picture, f"{tick:g}", (x - 18, _SIZE - _MARGIN + 28), 0, 0.5, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
        cv2.putText(picture, f"{tick:g}", (12, y + 5), 0, 0.5, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
    for stated, right, number in rows:
        cv2.circle(picture, place(stated, right), 3 + int(2 * np.log10(number + 1)), (150, 90, 30), -1, cv2.LINE_AA)
        x, y = place(stated, right)
        cv2.putText(picture, str(number), (x + 10, y + 16), 0, 0.4, (90, 90, 90), 1, cv2.LINE_AA)
    cv2.putText(picture, "stated certainty", (_SIZE // 2 - 70, _SIZE - 12), 0, 0.55, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
    cv2.putText(picture, "share that was right", (12, 30), 0, 0.55, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
    return picture


def worst_pictures(score: BoardsScore, folder: Path, reader: CheckerReader) -> Picture | None:
    """Return a sheet of the annotated pictures with the most wrong places; None if all are right."""
    wrong: dict[str, int] = {}
    for place in score.places:
        if not place.unsure and not place.right:
            wrong[place.picture] = wrong.get(place.picture, 0) + 1
    names = sorted(wrong, key=lambda name: -wrong[name])[:WORST]
    boards = {board.picture.name: board for board in find_boards(folder)}
    tiles = []
    for name in names:
        frame = boards[name].load()
        pose = boards[name].pose(frame)
        drawn = annotate(frame, pose, reader.read(frame, pose))
        scale = min(640 / drawn.shape[1], 400 / drawn.shape[0])
        small = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tile = np.zeros((420, 640, 3), np.uint8)
        tile[: small.shape[0], : small.shape[1]] = small
        cv2.putText(tile, f"{name}: {wrong[name]} wrong", (6, 414), 0, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    if not tiles:
        return None
    tiles += [np.zeros_like(tiles[0])] * (len(tiles) % 2)
    return np.asarray(np.vstack([np.hstack(tiles[i : i + 2]) for i in range(0, len(tiles), 2)]), np.uint8)


def main(folder: Path, target: Path) -> None:
    """Write all figures."""
    reader = CheckerReader()
    score = score_boards(find_boards(folder), reader)
    target.mkdir(parents=True, exist_ok=True)
    seen = [place for place in score.places if not place.unsure and not place.hidden]
    cv2.imwrite(str(target / "reliability.png"), draw_reliability(reliability(seen)))
    (target / "confusion.json").write_text(json.dumps(score.confusion(), indent=1) + "\n", encoding="utf-8")
    sheet = worst_pictures(score, folder, reader)
    if sheet is not None:
        cv2.imwrite(str(target / "worst.png"), sheet)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""Figures for the docs: how honest the odds are, what is confused with what, and the worst pictures.

``python -m controller.evaluate.board_figures LABELLED_PICTURES OUTPUT_FOLDER`` writes ``reliability.png``,
``confusion.png``, ``confusion.json`` and ``worst.jpg`` (the pictures' own licences decide whether that one may be
passed on; those of ``drawn_boards`` are the project's own).
"""

import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.evaluate.boards import BoardsScore, PlaceScore, find_boards, score_boards
from vision.annotate import annotate
from vision.board.geometry import Frame
from vision.checkers.reader import CheckerReader

EDGES: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001)
WORST: Final = 10
MOST_COUNT: Final = 10
"""Numbers of checkers from here on share a row."""
_SIZE: Final = 640
_CELL: Final = 46
_MARGIN: Final = 70


def reliability(places: Sequence[PlaceScore]) -> list[tuple[float, float, int]]:
    """Return (mean stated certainty, share right, places) for each band of certainty that occurs."""
    rows = []
    for low, high in itertools.pairwise(EDGES):
        band = [place for place in places if low <= place.certainty < high]
        if band:
            stated = sum(place.certainty for place in band) / len(band)
            rows.append((stated, sum(place.right for place in band) / len(band), len(band)))
    return rows


def draw_reliability(rows: Sequence[tuple[float, float, int]]) -> Frame:
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


def draw_confusion(places: Sequence[PlaceScore]) -> Frame:
    """Draw how often each number of checkers (rows) was read as which (columns), in per cent of the row."""
    table = np.zeros((MOST_COUNT + 1, MOST_COUNT + 1))
    for place in places:
        if place.read is not None:
            table[min(MOST_COUNT, abs(place.true)), min(MOST_COUNT, abs(place.read))] += 1
    share = table / np.maximum(1, table.sum(1, keepdims=True))
    picture = np.full((_MARGIN + _CELL * len(table), _MARGIN + _CELL * len(table), 3), 255, np.uint8)
    names = [*(str(count) for count in range(MOST_COUNT)), f"{MOST_COUNT}+"]
    for row, name in enumerate(names):
        middle = _MARGIN + row * _CELL + _CELL // 2
        for spot in ((middle - 8, _MARGIN - 12), (_MARGIN - 30, middle + 5)):
            cv2.putText(picture, name, spot, 0, 0.5, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
        for column in range(len(names)):
            x, y = _MARGIN + column * _CELL, _MARGIN + row * _CELL
            depth = float(np.sqrt(share[row, column]))
            shade = (255 - 90 * depth, 255 - 150 * depth, 255 - 235 * depth)
            cv2.rectangle(picture, (x, y), (x + _CELL - 2, y + _CELL - 2), shade, -1)
            if table[row, column]:
                text = f"{100 * share[row, column]:.3g}"
                ink = (255.0, 255.0, 255.0) if depth > 0.7 else (0.0, 0.0, 0.0)
                cv2.putText(picture, text, (x + 4, y + _CELL // 2 + 5), 0, 0.42, ink, 1, cv2.LINE_AA)
    cv2.putText(picture, "read, % of the row", (_MARGIN, 22), 0, 0.5, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
    cv2.putText(picture, "true", (6, _MARGIN - 12), 0, 0.5, (0.0, 0.0, 0.0), 1, cv2.LINE_AA)
    return picture


def worst_pictures(score: BoardsScore, folder: Path, reader: CheckerReader) -> Frame | None:
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
    points = [place for place in score.places if not place.unsure and place.place != "bar"]
    cv2.imwrite(str(target / "confusion.png"), draw_confusion(points))
    sheet = worst_pictures(score, folder, reader)
    if sheet is not None:
        cv2.imwrite(str(target / "worst.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 80])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

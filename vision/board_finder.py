"""Finds a board without markers: a small network marks the surface's corners, then each is looked at closely.

Which corner is p1 no picture tells; of the two ways round, the one with p1 nearer to the lower right is given.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.geometry import SURFACE_CORNERS, BoardNotFoundError, BoardPose, BoardShape, Corners, Frame

MODELS: Final = Path(__file__).parent / "models"
WHOLE: Final = (384, 216)
"""Size (width, height) at which the whole picture is searched."""
STRIDE: Final = 4
LEAST_CERTAIN: Final = 0.25
"""A corner marked more weakly than this is not believed."""
LEAST_OVERLAP: Final = 0.75
"""Share (intersection over union) that the corners' outline and the marked surface must have in common."""
PATCH_PX: Final = 64
PATCH_SHARE: Final = 0.2
"""Width of the close look round a corner, in widths of the surface."""
CLOSE_LOOKS: Final = 2
LARGEST_SHIFT: Final = 0.06
"""A close look that wants to move a corner farther, in widths of the surface, saw something else."""
Floats = npt.NDArray[np.float32]


def fit_into(frame: Frame, size: tuple[int, int]) -> tuple[Frame, float, tuple[float, float]]:
    """Return the frame scaled into ``size`` (width, height) with grey borders, its scale and its offset in pixels."""
    scale = min(size[0] / frame.shape[1], size[1] / frame.shape[0])
    width, height = round(frame.shape[1] * scale), round(frame.shape[0] * scale)
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    fitted = np.full((size[1], size[0], 3), 127, np.uint8)
    fitted[top : top + height, left : left + width] = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)
    return fitted, scale, (float(left), float(top))


def patch_map(corners: Corners, index: int, aspect: float) -> npt.NDArray[np.float64]:
    """Homography (3, 3) from a corner patch's pixels to the picture; the surface lies at the patch's lower right."""
    surface = cv2.getPerspectiveTransform(SURFACE_CORNERS, np.asarray(corners, np.float32))
    u, v = SURFACE_CORNERS[index]
    step = PATCH_SHARE / PATCH_PX
    right, down = (1 - 2 * u) * step, (1 - 2 * v) * step / aspect
    middle = (PATCH_PX - 1) / 2
    place = np.array([(right, 0, u - right * middle), (0, down, v - down * middle), (0, 0, 1)], np.float64)
    return np.asarray(surface @ place, np.float64)


def cut_patch(frame: Frame, matrix: npt.NDArray[np.float64]) -> Frame:
    """Return the patch (64, 64, 3) that a patch map describes."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(frame, matrix, (PATCH_PX, PATCH_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


class BoardFinder:
    """Marks a board's corners in a picture."""

    def __init__(self, folder: Path = MODELS) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._whole, self._close = (
            onnxruntime.InferenceSession(str(folder / name), options, providers=["CPUExecutionProvider"])
            for name in ("board_finder.onnx", "corner_finder.onnx")
        )

    def find(self, frame: Frame) -> Corners:
        """Return the corners p1, p12, p13, p24 of the board in view.

        Raises BoardNotFoundError that says how many corners were seen.
        """
        corners = self._coarse(frame)
        try:
            for _ in range(CLOSE_LOOKS):
                aspect = BoardPose(corners, BoardShape(), (frame.shape[1], frame.shape[0])).aspect
                corners = self._refined(frame, corners, aspect)
        except BoardNotFoundError as error:
            msg = f"board not in view: {error}"
            raise BoardNotFoundError(msg) from error
        return corners

    def _coarse(self, frame: Frame) -> Corners:
        fitted, scale, shift = fit_into(frame, WHOLE)
        maps = self._whole.run(None, {"picture": fitted.transpose(2, 0, 1)[None].astype(np.float32)})[0][0]
        pairs = [_two_peaks(channel) for channel in maps[:2]]
        seen = sum(len(pair) for pair in pairs)
        if seen < 4:
            msg = f"board not in view: {seen} of 4 corners seen"
            raise BoardNotFoundError(msg)
        (a, c), (b, d) = pairs
        # Once round in the picture: p1, p12, p13, p24 go clockwise in the turned view.
        if _area(np.array([a, b, c, d])) < 0:
            b, d = d, b
        ring = np.array([a, b, c, d], np.float32)
        if _overlap(ring, maps[2]) < LEAST_OVERLAP:
            msg = "board not in view: four corners are seen, but no board between them"
            raise BoardNotFoundError(msg)
        ring = (ring - np.array(shift, np.float32)) / scale
        lower_right = ring @ np.array([1.0, 1.0], np.float32)
        return np.asarray(ring if lower_right[0] >= lower_right[2] else np.roll(ring, 2, 0), np.float32)

    def _refined(self, frame: Frame, corners: Corners, aspect: float) -> Corners:
        # The close look is trained at this size of a board.
        scale = min(1.0, 1.25 * PATCH_PX / PATCH_SHARE / float(np.linalg.norm(corners[0] - corners[1])))
        small = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        matrices = [patch_map((corners * scale).astype(np.float32), index, aspect) for index in range(4)]
        patches = np.stack([cut_patch(small, matrix) for matrix in matrices]).transpose(0, 3, 1, 2)
        maps = self._close.run(None, {"patch": patches.astype(np.float32)})[0][:, 0]
        moved = corners.copy()
        width = float(np.linalg.norm(corners[0] - corners[1]))
        for index, (matrix, logits) in enumerate(zip(matrices, maps, strict=True)):
            odds = np.exp(logits - logits.max())
            odds /= odds.sum()
            rows, columns = np.mgrid[0 : odds.shape[0], 0 : odds.shape[1]]
            near = odds * (np.hypot(rows - (odds * rows).sum(), columns - (odds * columns).sum()) < 8)
            spot = matrix @ (
                2 * (near * columns).sum() / near.sum() + 0.5,
                2 * (near * rows).sum() / near.sum() + 0.5,
                1.0,
            )
            target = spot[:2] / spot[2] / scale
            if np.linalg.norm(target - corners[index]) < LARGEST_SHIFT * width:
                moved[index] = target
        return moved


def _two_peaks(logits: Floats) -> list[tuple[float, float]]:
    """The two strongest marks of a map that are far apart, in pixels of the searched picture."""
    odds = 1 / (1 + np.exp(-logits))
    found: list[tuple[float, float]] = []
    left = odds.copy()
    for _ in range(2):
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        if left[row, column] < LEAST_CERTAIN:
            break
        rows, columns = slice(max(0, row - 2), row + 3), slice(max(0, column - 2), column + 3)
        weight = odds[rows, columns]
        y, x = np.mgrid[rows.start : rows.start + weight.shape[0], columns.start : columns.start + weight.shape[1]]
        found.append(
            (
                float((weight * x).sum() / weight.sum() * STRIDE + (STRIDE - 1) / 2),
                float((weight * y).sum() / weight.sum() * STRIDE + (STRIDE - 1) / 2),
            )
        )
        left[max(0, row - 6) : row + 7, max(0, column - 6) : column + 7] = 0
    return found


def _overlap(ring: Corners, surface: Floats) -> float:
    """Intersection over union of a ring of corners and the cells marked as surface."""
    outline = np.zeros(surface.shape, np.uint8)
    cv2.fillConvexPoly(outline, np.round((ring - (STRIDE - 1) / 2) / STRIDE).astype(np.int32), 1.0)
    inside, marked = outline > 0, surface > 0
    return float((inside & marked).sum() / max(1, (inside | marked).sum()))


def _area(ring: npt.NDArray[np.float64]) -> float:
    """Signed area; positive clockwise in the picture."""
    following = np.roll(ring, -1, 0)
    return float((ring[:, 0] * following[:, 1] - ring[:, 1] * following[:, 0]).sum() / 2)

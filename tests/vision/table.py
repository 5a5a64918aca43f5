"""A synthetic set with a camera, and its pictures."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.board.geometry import BoardPose, BoardShape, Frame
from vision.synthetic.scene import Renderer
from vision.synthetic.style import Style
from vision.synthetic.viewpoint import overhead_camera
from vision.training.pictures.layout import Tidiness, lay_position

SHORT_START = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A rendered set under one camera."""

    renderer: Renderer
    pose: BoardPose

    def picture(self, points: tuple[int, ...] = SHORT_START, bar: tuple[int, int] = (0, 0)) -> Frame:
        checkers = lay_position(self.renderer.style, points, bar, Tidiness(), np.random.default_rng(5))
        return self.renderer.render(checkers).frame


def make_table(style: Style, size: tuple[int, int] = (1280, 720), tilt_deg: float = 20.0) -> Table:
    renderer = Renderer(style, overhead_camera(style.dims, size, tilt_deg=tilt_deg), size)
    return Table(renderer, BoardPose(renderer.corners_px, BoardShape(style.dims.bar_edges), size))


def with_markers(table: Table, *, missing: int | None = None) -> Frame:
    """Lay the printed markers flat beside the board, their inner corners on the surface's corners."""
    frame = table.picture()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = 0.09
    for label, (u, v) in enumerate(((1, 0), (0, 0), (0, 1), (1, 1))):
        if label == missing:
            continue
        picture = np.full((120, 120), 255, np.uint8)
        picture[15:105, 15:105] = cv2.aruco.generateImageMarker(dictionary, label, 90)
        left, bottom = (u if u else -side), (v if v else -side / table.pose.aspect)
        edge = side * 15 / 90
        corners = [(left - edge, bottom + side / table.pose.aspect + edge), (left + side + edge, bottom - edge)]
        (x0, y0), (x1, y1) = corners
        target = table.pose.to_picture([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]).astype(np.float32)
        source = np.array([(0, 0), (120, 0), (120, 120), (0, 120)], np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(picture, matrix, (1280, 720))
        inside = cv2.warpPerspective(np.full_like(picture, 255), matrix, (1280, 720)) > 127
        frame[inside] = warped[inside, None]
    return frame

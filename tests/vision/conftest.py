"""A synthetic set with a camera, and its pictures."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import settings

from vision.geometry import BoardPose, BoardShape, Frame
from vision.synthetic.layout import Tidiness, lay_position
from vision.synthetic.scene import Renderer
from vision.synthetic.style import Style, club_style
from vision.synthetic.viewpoint import overhead_camera

# Pictures take their time on a busy machine; a slow example is not a wrong one.
settings.register_profile("pictures", deadline=None)
settings.load_profile("pictures")

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


@pytest.fixture(scope="session")
def table() -> Table:
    return make_table(club_style())

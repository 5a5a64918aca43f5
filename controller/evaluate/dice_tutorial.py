"""The usual tutorial's dice reader (blob detector, blobs within a fixed distance are one die), to compare with.

Kept as the tutorials have it: median blur, round blobs, a 40-pixel radius; the blobs of a cluster are a die's value.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import cv2
import numpy as np

from vision.board.geometry import Frame

ROUND_ENOUGH: Final = 0.6
TOGETHER_PX: Final = 40.0


def tutorial_values(frame: Frame) -> list[int]:
    """Values of the dice the tutorial sees, sorted."""
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia = True
    settings.minInertiaRatio = ROUND_ENOUGH
    spots = cv2.SimpleBlobDetector.create(settings).detect(cv2.medianBlur(frame, 7))
    places = np.array([spot.pt for spot in spots]).reshape(-1, 2)
    cluster = np.full(len(places), -1)
    for start in range(len(places)):
        if cluster[start] >= 0:
            continue
        cluster[start] = start
        waiting = [start]
        while waiting:
            here = places[waiting.pop()]
            for other in np.flatnonzero((cluster < 0) & (np.hypot(*(places - here).T) <= TOGETHER_PX)):
                cluster[other] = start
                waiting.append(int(other))
    return sorted(Counter(cluster.tolist()).values())

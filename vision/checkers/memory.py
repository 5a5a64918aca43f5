"""Remembers what each place of this very board looked like when its checkers were last known for sure.

In a match most places look exactly as they did a turn ago. A strip that shows the same picture, but for the light,
shows the same checkers; what has changed is read anew. Nothing here knows the game: somebody else says what was known.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.checkers.conservation import Odds
from vision.checkers.profile import Profile
from vision.checkers.strips import PITCH_PX, STRIP_HEIGHT, STRIP_WIDTH, STRIPS, Strips
from vision.inference import Floats
from vision.readings import BoardReading

logger = logging.getLogger(__name__)

MARGIN_PX: Final = (STRIP_WIDTH - PITCH_PX) // 2 - 2
"""Columns left out on either side of a strip: they show the neighbours."""
ROWS, COLUMNS = STRIP_HEIGHT // 2, (STRIP_WIDTH - 2 * MARGIN_PX) // 2
"""Places are compared at half their detail."""
DARKEST: Final = 16.0
"""Grey levels below which light and noise cannot be told apart."""
WINDOW: Final = 8
"""Cells along and across in which a difference is summed: two thirds of a checker."""
MOST_SHADING: Final = 0.2
"""By how much (log) the light of one place may change beside that of all others and still be light."""
LEAST_NOISE, MOST_NOISE = 0.012, 0.08
"""Bounds of what is taken for noise, in log light: where everything differs by more, nothing is the same."""
SAME_TO, SAME_STACK_TO = 4.5, 3.0
SAME_STEEPNESS: Final = 8.0
MOST_SURE: Final = 0.999
ROW: Final = 5
"""How likely the same checkers lie there falls with the difference: half of it is lost at ``SAME_TO``, earlier where a
checker on top of five or more may be all that is new. Set on 16 drawn games, where no place under 4 had changed; on 8
others of 7,000 places stated as the same with 95 % and more one had, a stack, which is why stacks have their own."""
SURE: Final = 0.95
"""Places surer than this to be the same need no reading, if all are."""
STRANGE: Final = 17
"""Of 26 places, so many changed at once are another board or another light: a turn changes eight, a hand covers ten."""
EVEN: Final = 0.5
KEPT_A_PLACE: Final = 5
"""Looks that are remembered of each place: with other checkers, or with a die or a shadow on the same ones."""

Content = int | tuple[int, int]
"""What a strip shows: the signed count of a point, or the counts of both sets on the bar."""


@dataclass(frozen=True, slots=True)
class KnownCheckers:
    """What is known to lie on a board.

    ``points``: signed counts of p1..p24, + lighter set; ``bar``: checkers of the lighter and of the darker set on it. A
    place is learnt only if what is known of it is read there too, with a probability of ``least``.
    """

    points: Sequence[int]
    bar: tuple[int, int]
    least: float


@dataclass(frozen=True, slots=True, eq=False)
class Exemplar:
    """What a place looked like (log light, shape (ROWS, COLUMNS, 3)) with these checkers on it."""

    content: Content
    look: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Recalled:
    """What of a look has been seen before: the content that each strip had then, and how likely it has it now."""

    contents: tuple[Content, ...]
    same: Floats
    """Probability for each strip, shape (26,); 0 where nothing is known."""

    @property
    def whole(self) -> bool:
        """Whether every place is as it was."""
        return bool((self.same > SURE).all())

    def known(self) -> list[tuple[int, float]]:
        """Signed counts of p1..p24 and of both sets on the bar, with how likely each is."""
        points = [
            (content if isinstance(content, int) else 0, float(same))
            for content, same in zip(self.contents[:24], self.same[:24], strict=True)
        ]
        near = self.contents[24]
        light, dark = near if isinstance(near, tuple) else (0, 0)
        bar = float(self.same[24] * self.same[25]) if near == self.contents[25] else 0.0
        return [*points, (light, bar), (-dark, bar)]

    def weighed(self, places: Sequence[Odds]) -> list[Odds]:
        """Return the odds of all places: as known where they look as they did, as read where they do not."""
        weighed: list[Odds] = []
        for odds, (count, same) in zip(places, self.known(), strict=True):
            mixed = {read: (1 - same) * probability for read, probability in odds.items()}
            mixed[count] = mixed.get(count, 0.0) + same
            weighed.append(mixed)
        return weighed


class BoardMemory:
    """All that has been learnt of one board before one camera: the look of its sets and of each place."""

    def __init__(self) -> None:
        self.profile: Profile | None = None
        self.reading: BoardReading | None = None
        """What was read in the look that was remembered last."""
        self._places: list[list[Exemplar]] = [[] for _ in range(STRIPS)]
        """What was known of each place, the latest first."""

    def forget_places(self) -> None:
        """Forget what each place looked like: the camera hangs otherwise, or what was known is not true."""
        self.reading = None
        self._places = [[] for _ in range(STRIPS)]

    def forget(self) -> None:
        """Forget all: it is another board, or another light."""
        self.profile = None
        self.forget_places()

    def recall(self, strips: Strips) -> Recalled | None:
        """Compare a look with what was known last; None where too little is known, or nothing is as it was.

        A board that was exchanged, or a light that has moved, is forgotten on the spot.
        """
        places = self._known()
        if len(places) < STRANGE:
            return None
        now = looks_of(strips)
        same = np.zeros(STRIPS, np.float32)
        change = now[places] - self._latest(places)
        light, noise = _light_and_noise(change)
        contents = [own[0].content if own else 0 for own in self._places]
        same[places] = likely_same(differences(change - light, noise), [contents[place] for place in places])
        for place in np.flatnonzero(same < SURE):
            for exemplar in self._places[place][1:]:
                difference = differences((now[place] - exemplar.look - light)[None], noise)
                again = float(likely_same(difference, [exemplar.content])[0])
                if again > same[place]:
                    same[place], contents[place] = again, exemplar.content
        if int((same[places] < EVEN).sum()) >= STRANGE:
            logger.info("the board or its light is another one: its look is forgotten")
            self.forget()
            return None
        return Recalled(tuple(contents), same)

    def remember(self, strips: Strips, reading: BoardReading, known: KnownCheckers) -> None:
        """Remember what each place looks like that lies in view and is not read as something else than is known."""
        now = looks_of(strips)
        self._follow_light(now)
        places = (*reading.points, reading.bar_light, reading.bar_dark)
        counts = (*known.points, known.bar[0], -known.bar[1])
        believed = [
            not place.hidden and place.probability(count) >= known.least
            for place, count in zip(places, counts, strict=True)
        ]
        for strip, own in enumerate(self._places):
            content: Content = known.points[strip] if strip < 24 else known.bar
            if believed[strip] if strip < 24 else believed[24] and believed[25]:
                own.insert(0, Exemplar(content, now[strip]))
                del own[KEPT_A_PLACE:]
            elif own and own[0].content != content:
                own.clear()
        self.reading = reading

    def _known(self) -> list[int]:
        return [place for place, own in enumerate(self._places) if own]

    def _latest(self, places: list[int]) -> Floats:
        return np.asarray([self._places[place][0].look for place in places], np.float32)

    def _follow_light(self, now: Floats) -> None:
        """Bring what was remembered into the light of today."""
        places = self._known()
        if places:
            light, _ = _light_and_noise(now[places] - self._latest(places))
            self._places = [[replace(one, look=one.look + light) for one in own] for own in self._places]


def likely_same(difference: Floats, contents: Sequence[Content]) -> Floats:
    """Probability that places which differ so much hold the same checkers as then."""
    stacks = np.array([isinstance(content, int) and abs(content) >= ROW for content in contents])
    half = np.where(stacks, SAME_STACK_TO, SAME_TO)
    return np.asarray(MOST_SURE / (1 + (difference / half) ** SAME_STEEPNESS), np.float32)


def looks_of(strips: Strips) -> Floats:
    """Log light of what strips show of their own places, shape (26, ROWS, COLUMNS, 3)."""
    own = np.ascontiguousarray(strips[:, :, MARGIN_PX:-MARGIN_PX]).reshape(-1, STRIP_WIDTH - 2 * MARGIN_PX, 3)
    halved = cv2.resize(own, (COLUMNS, len(strips) * ROWS), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(halved.reshape(len(strips), ROWS, COLUMNS, 3) + np.float32(DARKEST)), np.float32)


def _light_and_noise(change: Floats) -> tuple[Floats, float]:
    """What most of all pixels have changed by, in each colour, and what is left of it in the calmest places."""
    sample = change[:, ::3, ::2]
    light = np.asarray(np.median(sample, (0, 1, 2)), np.float32)
    left = np.median(np.abs(sample - light).mean(-1), (1, 2))
    return light, float(np.clip(np.percentile(left, 25), LEAST_NOISE, MOST_NOISE))


def differences(change: Floats, noise: float) -> Floats:
    """How much places differ, in units of the noise: the greatest mean over a checker-sized window, shape (n,)."""
    own = np.median(change[:, ::3, ::2], (1, 2), keepdims=True)
    size = np.abs(change - np.clip(own, -MOST_SHADING, MOST_SHADING)).mean(-1)
    total = np.pad(size.cumsum(1, dtype=np.float32).cumsum(2), ((0, 0), (1, 0), (1, 0)))
    whole = total[:, WINDOW:, WINDOW:] - total[:, :-WINDOW, WINDOW:] - total[:, WINDOW:, :-WINDOW]
    means = (whole + total[:, :-WINDOW, :-WINDOW]) / WINDOW**2
    return np.asarray(means.max((1, 2)) / noise, np.float32)

"""A set's learnt look: how the tops of its lighter and darker checkers appear to the network and to the eye."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np

from vision.checkers.strip_net import StripScores
from vision.errors import VisionError
from vision.inference import Floats


class ProfileError(VisionError, ValueError):
    """A profile can't be learnt or read."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The look of one set on one board under one light.

    ``light_look``, ``dark_look``: mean features as ``StripScores.features_of`` gives them;
    ``light_colour``, ``dark_colour``: mean BGR of their tops.
    """

    name: str
    light_look: tuple[float, ...]
    dark_look: tuple[float, ...]
    light_colour: tuple[float, float, float]
    dark_colour: tuple[float, float, float]

    def save(self, path: Path) -> None:
        """Write the profile as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a profile; raises ProfileError that names the file for anything that isn't one."""
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            light, dark = (tuple(float(value) for value in stored[key]) for key in ("light_look", "dark_look"))
            (b0, g0, r0), (b1, g1, r1) = (stored[key] for key in ("light_colour", "dark_colour"))
            return cls(str(stored["name"]), light, dark, (b0, g0, r0), (b1, g1, r1))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise ProfileError("no_profile", path=path, why=error) from error

    def blended(self, newer: "Profile", share: float) -> "Profile":
        """Return this profile moved towards a newer one by ``share`` (0..1): light changes slowly over a match."""

        def mix(old: Sequence[float], new: Sequence[float]) -> tuple[float, ...]:
            return tuple((1 - share) * a + share * b for a, b in zip(old, new, strict=True))

        light, dark = mix(self.light_colour, newer.light_colour), mix(self.dark_colour, newer.dark_colour)
        return Profile(
            self.name,
            mix(self.light_look, newer.light_look),
            mix(self.dark_look, newer.dark_look),
            (light[0], light[1], light[2]),
            (dark[0], dark[1], dark[2]),
        )


def learn_from(scores: StripScores, counts: Sequence[int], *, name: str = "") -> Profile:
    """Learn from what the network saw of a known position."""
    features: dict[bool, list[Floats]] = {True: [], False: []}
    colours: dict[bool, list[Floats]] = {True: [], False: []}
    for strip, count in enumerate(counts):
        if count == 0 or scores.hidden[strip] > 0.5 or float(scores.tops[strip].max()) < 0.3:
            continue
        features[count > 0].append(scores.features_of(strip, scores.tops[strip]))
        colours[count > 0].append(scores.colour_of(strip, scores.tops[strip]))
    if not features[True] or not features[False]:
        raise ProfileError("no_look")
    light, dark = (np.mean(colours[key], 0) for key in (True, False))
    return Profile(
        name,
        tuple(float(value) for value in np.mean(features[True], 0)),
        tuple(float(value) for value in np.mean(features[False], 0)),
        (float(light[0]), float(light[1]), float(light[2])),
        (float(dark[0]), float(dark[1]), float(dark[2])),
    )

"""From camera frames to events: when the scene is quiet, look; when it moves, report it."""

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from controller.adapters.close_ups import Look
from controller.adapters.place_memory import PlaceMemory
from controller.clock import Millis
from controller.fusion.evidence import BAR_DARK, BAR_LIGHT, BoardLook
from controller.ports.sight import PICTURES_KEPT, KnownPosition, Taken, Wanted
from controller.referee import events
from controller.referee.rulings import DieAtRest
from controller.rules import Game
from vision.board.geometry import BoardPose, Frame
from vision.board.pose_watch import IN_PLACE, PoseCheck
from vision.board.tracker import BoardTracker
from vision.camera.motion import SceneState, SceneWatch
from vision.checkers.memory import BoardMemory, KnownCheckers
from vision.checkers.profile import ProfileError
from vision.checkers.reader import CheckerReader
from vision.cube.reader import CubeReader
from vision.dice.on_board import settled_on_board
from vision.dice.reader import DiceReader
from vision.readings import BoardReading, CubeReading, DieReading

logger = logging.getLogger(__name__)

LOOKS_AT_ONCE = 4
"""Looks taken one after another when a scene has become quiet. A convention: by ``effective_looks`` four are worth 1.7
independent ones, and any number no more than 2.2."""

LOOK_AGAIN_MS = 2_000
"""A quiet scene is looked at again now and then, for what came to rest unnoticed. A convention: no player waits longer
for a ruling without wondering."""

CONTRADICTED, BELIEVED = 0.02, 0.5
"""A place is learnt where what was ruled on is read with more than a shadow of probability; where nothing was ruled on
since, and a checker may be on its way already, where it is read as what is known."""

LOOKS_A_CUBE = 2
"""The doubling cube is looked for in every second look: it is turned a few times a game, and each search costs 3 ms."""


SCENES = {
    SceneState.QUIET: events.Scene.QUIET,
    SceneState.MOVING: events.Scene.MOVING,
    SceneState.HAND: events.Scene.HAND,
}
"""What the camera sees in the referee's words; all the rest is a picture in which nothing can be read."""


UNSEEN = {
    SceneState.DARK: events.BoardPlace.TOO_DARK,
    SceneState.OVEREXPOSED: events.BoardPlace.OVEREXPOSED,
    SceneState.FROZEN: events.BoardPlace.FROZEN,
}
"""Pictures in which nobody can tell where the board is."""

Place = tuple[events.BoardPlace, tuple[int, ...], tuple[int, int] | None]
"""The board's place in the picture, the corners that have left it, its size where it is another one."""


class ReadsCheckers(Protocol):
    """Reads the checkers of a frame."""

    def read(self, frame: Frame, pose: BoardPose, *, memory: BoardMemory) -> BoardReading:
        """Odds for every place, as far as ``memory`` does not know it."""
        ...

    def learn(self, memory: BoardMemory, frame: Frame, pose: BoardPose, known: KnownCheckers, /) -> None:
        """Let ``memory`` learn a look at a known position."""
        ...


class ReadsDice(Protocol):
    """Reads the dice of a frame."""

    def read(self, frame: Frame, pose: BoardPose) -> tuple[DieReading, ...]:
        """Every die in view."""
        ...


class ReadsCube(Protocol):
    """Reads the doubling cube of a frame."""

    def read(self, frame: Frame, pose: BoardPose) -> CubeReading | None:
        """The cube, None where none is in view."""
        ...


class WatchesScene(Protocol):
    """Tells from frame to frame whether something moves."""

    def distrust(self) -> None:
        """Forget what the empty-handed scene looked like."""
        ...

    def update(self, frame: Frame, at_ms: int) -> SceneState:
        """The scene with this frame."""
        ...


class CameraAdapter:
    """Turns frames of one camera into events. Holds the last looks' frames as evidence.

    The camera is fixed, but it may be bumped: then nothing is read until the board has been found again.
    """

    def __init__(
        self,
        tracker: BoardTracker,
        checkers: ReadsCheckers,
        dice: ReadsDice,
        watch_scene: Callable[[BoardPose], WatchesScene],
        memory: PlaceMemory | None = None,
        cube: ReadsCube | None = None,
    ) -> None:
        self._tracker = tracker
        self._checkers = checkers
        self._dice = dice
        self._watch_scene = watch_scene
        self._memory = memory
        self._cube = cube
        self._scene_watch = watch_scene(tracker.pose)
        self._place = place_of(IN_PLACE)
        self._registrations = tracker.registrations
        self._scene: events.Scene | None = None
        self._looks = 0
        self._looked_at = 0
        self._known = BoardMemory()
        self._kept: tuple[Look, ...] = ()
        self._since_cube = 0

    def see(self, frame: Frame, at: Millis, wanted: Wanted) -> tuple[events.Event, ...]:
        """Return what a frame shot at ``at`` shows that is new, and a look where one is due or wanted."""
        shown = self._scene_watch.update(frame, at)
        scene = SCENES.get(shown, events.Scene.UNREADABLE)
        seen: list[events.Event] = []
        if shown in UNSEEN:
            seen += self._placed((UNSEEN[shown], (), None), at)
        else:
            seen += self._placed(self._checked(frame, at, scene), at)
            if not self._tracker.trusted:
                scene = events.Scene.UNREADABLE
        if scene is not self._scene:
            self._scene, self._looks = scene, 0
            seen.append(events.SceneChanged(at, scene))
        if scene is not events.Scene.QUIET:
            if wanted.rolling_dice and scene is not events.Scene.UNREADABLE:
                seen.append(self._rolling_dice(frame, at))
            return tuple(seen)
        due = self._looks < LOOKS_AT_ONCE or wanted.looks or at - self._looked_at >= LOOK_AGAIN_MS
        if due:
            self._looks += 1
            self._looked_at = at
            look = self.look(frame, at, cube=wanted.cube)
            self._keep(frame, at, look.dice)
            if look.board.hidden:
                # A hand that was there from the first frame on must not pass for the empty scene.
                self._scene_watch.distrust()
            seen.append(look)
        return tuple(seen)

    def look(self, frame: Frame, at: Millis, *, cube: bool) -> events.Looked:
        """Read one frame, whatever the scene does."""
        pose = self._tracker.pose
        board = self._checkers.read(frame, pose, memory=self._known)
        dice = settled_on_board(self._dice.read(frame, pose), board, pose)
        seen = self._look_at_cube(frame, pose) if cube else None
        return events.Looked(at, board_look(board), tuple(die_seen(die) for die in dice), seen)

    def _look_at_cube(self, frame: Frame, pose: BoardPose) -> events.CubeSeen | None:
        """Read the doubling cube, now and then, where one is played with."""
        if self._cube is None:
            return None
        self._since_cube = (self._since_cube + 1) % LOOKS_A_CUBE
        cube = self._cube.read(frame, pose) if self._since_cube == 0 else None
        return cube_seen(cube) if cube is not None else None

    def _rolling_dice(self, frame: Frame, at: Millis) -> events.RollingDice:
        """See where the dice are while they roll; what they lie on is read when they have come to rest."""
        dice = tuple(die_seen(die) for die in self._dice.read(frame, self._tracker.pose))
        self._keep(frame, at, dice)
        return events.RollingDice(at, dice)

    def _keep(self, frame: Frame, at: Millis, dice: tuple[events.DieSeen, ...]) -> None:
        # One assignment: whoever asks for pictures may do so from another thread.
        self._kept = (*self._kept[1 - PICTURES_KEPT :], Look(at, frame, self._tracker.pose, dice))

    def _checked(self, frame: Frame, at: Millis, scene: events.Scene) -> Place:
        """Check that the board lies where it is looked for, before the first look after any motion and now and then."""
        quiet = scene is events.Scene.QUIET
        place = self._tracker.check(frame, at, due=quiet and self._scene is not scene)
        if self._tracker.registrations != self._registrations:
            if self._registrations:
                self._scene_watch = self._watch_scene(self._tracker.pose)
            self._registrations = self._tracker.registrations
            self._known.forget_places()
            if self._memory is not None:
                self._memory.keep(frame, self._tracker.pose)
        if quiet:
            self._tracker.quiet(frame)
        return place_of(place)

    def _placed(self, place: Place, at: Millis) -> tuple[events.BoardChecked, ...]:
        """Note the board's place; the event when it is another one than before."""
        if place == self._place:
            return ()
        self._place = place
        logger.info("the board is %s", place[0].value)
        return (events.BoardChecked(at, *place),)

    def learn(self, known: KnownPosition) -> None:
        """Learn the board's look from the look that showed ``known``: its checkers are labels for free."""
        look = next((look for look in self._kept if look.at == known.seen_at), None)
        if look is None:
            logger.warning("the board's look was not learnt: the picture of it is not kept any more")
            return
        if look.pose is not self._tracker.pose:
            return  # bumped since: places look otherwise now
        least = CONTRADICTED if known.ruled else BELIEVED
        try:
            self._checkers.learn(self._known, look.frame, look.pose, KnownCheckers(known.points, known.bar, least))
        except ProfileError as missing:
            # The arbiter may have begun the game with a hand over the board: the cold reading goes on.
            logger.warning("the board's look was not learnt: %s", missing)
        else:
            logger.info("the board's look was learnt")

    def forget(self) -> None:
        """Forget what each place looked like; how the sets look stays known."""
        self._known.forget_places()

    @property
    def learnt(self) -> bool:
        """Whether the look of this board is known from a position that was surely on it."""
        return self._known.profile is not None

    def taken(self, at: Millis, dice: Sequence[DieAtRest]) -> Taken | None:
        """The look that was the last at ``at``, as JPEG, with a close-up of each of ``dice``; None before any look."""
        kept = self._kept
        if not kept:
            return None
        look = next((look for look in reversed(kept) if look.at <= at), kept[0])
        return look.pictures(dice)


def place_of(place: PoseCheck) -> Place:
    """A check of the board's place as the core knows it."""
    return events.BoardPlace(place.finding.value), place.missing, place.size


def board_look(reading: BoardReading) -> BoardLook:
    """A reading of the board as the core knows it."""
    hidden = [point - 1 for point in reading.hidden_points]
    hidden += [BAR_LIGHT] * reading.bar_light.hidden + [BAR_DARK] * reading.bar_dark.hidden
    return BoardLook(
        tuple(place.odds for place in reading.points), reading.bar_light.odds, reading.bar_dark.odds, tuple(hidden)
    )


def die_seen(die: DieReading) -> events.DieSeen:
    """A reading of a die as the core knows it."""
    return events.DieSeen(
        round(die.u, 4),
        round(die.v, 4),
        tuple(round(chance, 5) for chance in die.faces),  # type: ignore[arg-type] # six faces stay six
        tuple((events.DieState(state.value), round(chance, 5)) for state, chance in die.states),
        events.Half(die.half),
        round(die.x_px, 1),
        round(die.y_px, 1),
        round(die.size_px, 1),
        die.colour,
    )


def cube_seen(cube: CubeReading) -> events.CubeSeen:
    """A reading of the doubling cube as the core knows it."""
    return events.CubeSeen(cube.value, events.CubeSide(cube.side.value))


def tracker_of(pose: BoardPose, memory: PlaceMemory | None) -> BoardTracker:
    """The tracker of a board measured at ``pose``; what is remembered of an interrupted match goes before that."""
    remembered = memory.recall() if memory else None
    return BoardTracker(remembered.pose, remembered.frame) if remembered else BoardTracker(pose)


def open_camera(pose: BoardPose, game: Game, memory: PlaceMemory | None = None) -> CameraAdapter:
    """CameraAdapter with the project's own readers for a board measured at ``pose`` on which ``game`` is played."""
    checkers = CheckerReader(set_size=game.checkers)
    return CameraAdapter(tracker_of(pose, memory), checkers, DiceReader(), SceneWatch, memory, CubeReader())

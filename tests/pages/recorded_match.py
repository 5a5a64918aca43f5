"""A short recorded match as a board would tell it: for the tests of the pages and for looking at them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from controller.adapters.mqtt.messages import (
    BoardPosition,
    ClockMessage,
    Content,
    CubeShown,
    DeviceHealth,
    DieShown,
    HealthMessage,
    HypothesisShown,
    MatchMessage,
    Picture,
    PlayedTurn,
    Players,
    ResultMessage,
    RulesetName,
    RulingMessage,
    ScoreShown,
    SideName,
    StateMessage,
    Texts,
)
from controller.referee.events import Device

LONG_START = (0,) * 11 + (-15,) + (0,) * 11 + (15,)
SHORT_START = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)

LONG_GAME = (
    "W 63 24/18 24/21|B 41 24/20 20/19|W 52 21/16 18/16|B 66 24/18 24/18 18/12 18/12|W 54 24/19 16/12|B 31 24/21 19/18"
)
SHORT_GAME = "W 31 8/5 6/5|B 64 24/14|W 52 13/8 24/22|B 55 13/3 13/3|W 65 24/13"


@dataclass(frozen=True)
class Scene:
    """What the board says at one moment, and a word for it."""

    name: str
    contents: tuple[Content, ...]


def place(own: int, side: SideName, game: str) -> int:
    if side == "white":
        return own
    return (own + 11) % 24 + 1 if game == "long" else 25 - own


def played(points: tuple[int, ...], side: SideName, game: str, notation: str) -> tuple[int, ...]:
    moved = list(points)
    sign = 1 if side == "white" else -1
    for step in notation.split():
        source, target = (int(own) for own in step.split("/"))
        moved[place(source, side, game) - 1] -= sign
        moved[place(target, side, game) - 1] += sign
    return tuple(moved)


def dice_of(roll: tuple[int, int], side: SideName) -> tuple[DieShown, ...]:
    u = 0.74 if side == "white" else 0.2
    return (
        DieShown(value=roll[0], u=u, v=0.53, half="right" if side == "white" else "left"),
        DieShown(value=roll[1], u=u + 0.1, v=0.47, half="right" if side == "white" else "left"),
    )


def clock(running: SideName | None, white_ms: int, black_ms: int, **more: object) -> ClockMessage:
    return ClockMessage.model_validate(
        {
            "running": running,
            "white_ms": white_ms,
            "black_ms": black_ms,
            "delay_ms": 8000,
            "delay_ms_left": 8000 if running else 0,
            "asof_mono_ms": time.monotonic_ns() // 1_000_000,
            "asof_utc": datetime.now(UTC),
            **more,
        }
    )


def match(game: str, **more: object) -> MatchMessage:
    title = Texts(en="Long nardy, FNR rules", ru="Длинные нарды, правила ФНР")
    if game == "short":
        title = Texts(en="Short nardy, WBGF rules", ru="Короткие нарды, правила WBGF")
    return MatchMessage.model_validate(
        {
            "match": "m1",
            "players": Players(white="Первый игрок", black="The Second Player"),
            "ruleset": RulesetName(name="long-fnr", title=title),
            "game": game,
            "length": 5,
            "score": ScoreShown(white=2, black=3),
            "game_number": 4,
            "cube": CubeShown(value=2, owner="black"),
            **more,
        }
    )


def healthy() -> HealthMessage:
    ok = DeviceHealth(state="ok")
    return HealthMessage(devices={device.value: ok for device in Device})


def scenes(game: str = "long") -> Iterator[Scene]:
    """The whole recorded match, moment by moment."""
    points = LONG_START if game == "long" else SHORT_START
    yield Scene(
        "start",
        (
            match(game),
            healthy(),
            StateMessage(phase="opening", position=BoardPosition(points=points)),
            clock(None, 600_000, 600_000),
        ),
    )
    white_ms, black_ms = 600_000, 600_000
    plays: list[PlayedTurn] = []
    for turn, line in enumerate((LONG_GAME if game == "long" else SHORT_GAME).split("|"), start=1):
        who, digits, notation = line.split(" ", 2)
        side: SideName = "white" if who == "W" else "black"
        other: SideName = "black" if side == "white" else "white"
        roll = (int(digits[0]), int(digits[1]))
        throw = RulingMessage(id=f"{turn}t", subject="throw", verdict="valid", turn=turn, side=side, roll=roll)
        before = BoardPosition(points=points)
        state = StateMessage(
            phase="to_play",
            turn=turn,
            side=side,
            position=before,
            pips=(310 - turn * 9, 305 - turn * 8),
            roll=roll,
            dice=dice_of(roll, side),
            last_plays=tuple(plays[-8:]),
            waiting_for=Texts(en="Play, then press the clock", ru="Сделайте ход и нажмите часы"),
        )
        yield Scene(f"throw {turn}", (throw, state, clock(side, white_ms, black_ms)))
        points = played(points, side, game, notation)
        plays.append(PlayedTurn(turn=turn, side=side, roll=roll, notation=notation, verdict="accepted"))
        white_ms, black_ms = white_ms - (7_300 if side == "white" else 0), black_ms - (11_900 if side == "black" else 0)
        ruling = RulingMessage(
            id=f"{turn}p",
            subject="play",
            verdict="accepted",
            turn=turn,
            side=side,
            roll=roll,
            notation=notation,
            before=before,
        )
        waiting = Texts(en="Throw the dice", ru="Бросайте кости")
        after = StateMessage(
            phase="to_throw",
            turn=turn + 1,
            side=other,
            position=BoardPosition(points=points),
            pips=(305 - turn * 9, 300 - turn * 8),
            last_plays=tuple(plays[-8:]),
            waiting_for=waiting,
        )
        yield Scene(f"play {turn}", (ruling, after, clock(other, white_ms, black_ms)))


def refused(points: tuple[int, ...] = LONG_START) -> Scene:
    """An illegal play, refused with its reason."""
    position = BoardPosition(points=points)
    seen = BoardPosition(points=played(points, "white", "long", "24/18 24/19"))
    legal = BoardPosition(points=played(points, "white", "long", "24/13"))
    ruling = RulingMessage(
        id="9",
        subject="play",
        verdict="refused",
        turn=9,
        side="white",
        roll=(6, 5),
        notation="24/18 24/19",
        reason="head_twice",
        texts=Texts(
            en="Two checkers were taken from the head in one turn.",
            ru="За один ход с головы сняты две шашки.",
        ),
        clause="3.4",
        source="FNR rules 2023",
        before=position,
        seen=seen,
        would_be_legal=("24/13", "18/12 24/19"),
        hypotheses=(
            HypothesisShown(probability=0.94, notation="24/18 24/19", position=seen, legal=False),
            HypothesisShown(probability=0.05, notation="24/13", position=legal),
        ),
    )
    state = StateMessage(
        phase="deciding",
        turn=9,
        side="white",
        position=position,
        roll=(6, 5),
        dice=dice_of((6, 5), "white"),
        pips=(301, 298),
        last_plays=(
            PlayedTurn(turn=8, side="black", roll=(3, 1), notation="24/21 19/18", verdict="accepted"),
            PlayedTurn(turn=9, side="white", roll=(6, 5), notation="24/18 24/19", verdict="refused"),
        ),
        waiting_for=Texts(en="Take the play back and play again", ru="Верните ход и сходите снова"),
    )
    return Scene("refused", (ruling, state, clock("white", 431_200, 27_400)))


def please_look(points: tuple[int, ...] = LONG_START, pictures: tuple[dict[str, object], ...] = ()) -> Scene:
    """A play that two hypotheses explain about as well."""
    position = BoardPosition(points=points)
    ends = [BoardPosition(points=played(points, "white", "long", play)) for play in ("24/18 18/13", "24/18 18/12")]
    too_far = Texts(en="The 5 was played as a 6.", ru="Пятёрка сыграна как шестёрка.")
    ruling = RulingMessage(
        id="12",
        subject="play",
        verdict="please_look",
        turn=12,
        side="white",
        roll=(6, 5),
        needs_arbiter=True,
        texts=Texts(en="A sleeve hid points 12 and 13.", ru="Рукав закрывал пункты 12 и 13."),
        before=position,
        seen=ends[0],
        hypotheses=(
            HypothesisShown(probability=0.61, notation="24/18/13", position=ends[0]),
            HypothesisShown(probability=0.36, notation="24/18/12", position=ends[1], legal=False, texts=too_far),
        ),
        pictures=tuple(Picture.model_validate(picture) for picture in pictures),
    )
    state = StateMessage(
        phase="deciding",
        turn=12,
        side="white",
        position=position,
        roll=(6, 5),
        dice=dice_of((6, 5), "white"),
        pips=(280, 284),
        waiting_for=Texts(en="The arbiter decides", ru="Решает арбитр"),
    )
    called = Texts(en="the arbiter was called", ru="вызван арбитр")
    return Scene("please_look", (ruling, state, clock(None, 380_000, 290_000, paused=called)))


def bearing_off() -> Scene:
    """Late in a short game: checkers off, one on the bar, a cocked throw."""
    points = (2, 3, 2, 0, 1, 0) + (0,) * 12 + (-1, -2, 0, -3, -2, -1)
    state = StateMessage(
        phase="to_throw",
        turn=41,
        side="black",
        position=BoardPosition(points=points, bar=(1, 0), off=(6, 6)),
        pips=(44, 21),
        dice=(
            DieShown(value=5, u=0.2, v=0.5, half="left"),
            DieShown(value=None, u=0.36, v=0.62, half="left", state="cocked"),
        ),
        waiting_for=Texts(en="Throw again", ru="Бросьте ещё раз"),
    )
    ruling = RulingMessage(
        id="r41",
        subject="throw",
        verdict="re_roll",
        turn=41,
        side="black",
        reason="cocked",
        texts=Texts(en="A die leans on a checker.", ru="Кость стоит на ребре у шашки."),
    )
    playing = match("short", game_number=6, crawford=True, score=ScoreShown(white=4, black=3), cube=None)
    return Scene("bearing_off", (playing, ruling, state, clock("black", 93_000, 9_400)))


def cocked_throw(urls: tuple[str, ...]) -> Scene:
    """A cocked throw with its evidence: ``urls`` are the whole picture and a close-up of each die."""
    whole, first, second = urls
    state = StateMessage(phase="to_throw", turn=3, side="black", position=BoardPosition(points=LONG_START))
    ruling = RulingMessage(
        id="r5",
        subject="throw",
        verdict="re_roll",
        turn=3,
        side="black",
        reason="cocked",
        texts=Texts(en="A die is cocked: throw both again", ru="Зар стоит криво: бросить оба заново"),
        pictures=(
            Picture(url=whole, at_mono_ms=5),
            Picture(
                url=first,
                at_mono_ms=5,
                texts=Texts(en="3 (99 %), flat", ru="3 (99 %), лежит ровно"),
                die=DieShown(value=3, u=0.2, v=0.5, half="left"),
            ),
            Picture(
                url=second,
                at_mono_ms=5,
                texts=Texts(en="cocked, the 3 uppermost", ru="стоит криво, сверху 3"),
                die=DieShown(value=3, u=0.36, v=0.1, half="left", state="cocked"),
            ),
        ),
    )
    return Scene("cocked", (match("long"), ruling, state, clock("black", 93_000, 9_400)))


def game_over() -> Scene:
    """White has won with mars."""
    points = (0,) * 12 + (-3, -4, -4, -4) + (0,) * 8
    state = StateMessage(
        phase="match_over", turn=60, side="white", position=BoardPosition(points=points, off=(15, 0)), pips=(0, 90)
    )
    score = ScoreShown(white=5, black=3)
    result = ResultMessage(
        match="m1",
        game_number=4,
        winner="white",
        kind="mars",
        points=2,
        score=score,
        match_over=True,
        texts=Texts(
            en="Первый игрок wins the match 5:3 (mars, 2 points)",
            ru="Первый игрок выигрывает матч 5:3 (марс, 2 очка)",
        ),
    )
    return Scene("match_over", (match("long", score=score), result, state, clock(None, 120_000, 45_000)))

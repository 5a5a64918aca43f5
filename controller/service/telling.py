"""From the referee's state to what the feed says: values in, messages out, nothing kept."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from controller.adapters.mqtt import messages as feed
from controller.clock import Millis, TimeMethod
from controller.locale import Lang, text
from controller.ports.entries import CloseUp, Ruled
from controller.referee.events import Device
from controller.referee.plays import ends_with_next_throw, lifted_early, not_in_view
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import GameLog, Phase, State
from controller.rules import Game, GameResult, Position, Ruleset, Side, resign_kinds, start

EVIDENCE = "evidence/"
"""Where the panel finds pictures, relative to itself."""
RETHROWN = "rethrown"
"""Reason of a ruling that a valid throw stands although it was thrown once more."""
EARLY = "early"
"""Reason of a ruling that a throw stands although the opponent had not ended his turn."""
LAST_PLAYS = 12
CLOCK_TOLERANCE_MS = 50


def both(key: str, **values: object) -> feed.Texts:
    """Say the text ``key`` in both languages; a value that is a text itself is said in the same one."""
    en = {name: value.en if isinstance(value, feed.Texts) else value for name, value in values.items()}
    ru = {name: value.ru if isinstance(value, feed.Texts) else value for name, value in values.items()}
    return feed.Texts(en=text(Lang.EN, key, **en), ru=text(Lang.RU, key, **ru))


def player_name(state: State, side: Side) -> feed.Texts:
    """A player's name; one who has given none is called by the colour."""
    name = state.white if side is Side.WHITE else state.black
    return feed.Texts(en=name, ru=name) if name else both(f"page.{side.value}")


def name_of(side: Side | None) -> feed.SideName | None:
    """A side's name in the feed."""
    return None if side is None else ("white" if side is Side.WHITE else "black")


def board_position(position: Position, mover: Side, game: Game) -> feed.BoardPosition:
    """A position in the mover's numbering as the feed shows it: from White's own view, white first."""
    white = position if mover is Side.WHITE else position.turned(game)
    return feed.BoardPosition(points=white.points, bar=white.bar, off=white.off)


def match_message(state: State, match_id: str) -> feed.Match:
    """What is being played, by whom, and how it stands."""
    rules = state.rules
    white, black = state.score
    cube = feed.Cube(value=state.cube.value, owner=name_of(state.cube.owner), offered_by=name_of(state.cube.offered_by))
    return feed.Match(
        match=match_id,
        players=feed.Players(white=state.white, black=state.black),
        ruleset=feed.RulesetName(name=state.ruleset, title=both(f"ruleset.{_title(rules)}")),
        game=rules.game.value,
        length=rules.length if rules.play == "match" else 0,
        score=feed.Score(white=white, black=black),
        game_number=state.game.number,
        crawford=state.crawford_game,
        kestum=rules.kestum != "off",
        cube=cube if rules.cube else None,
        resign_kinds=tuple(kind.value for kind in resign_kinds(rules)),  # type: ignore[misc] # no drop, no draw
    )


def state_message(state: State) -> feed.State:
    """The board as the referee holds it true, and what it waits for."""
    position, mover = _position_shown(state)
    shown = board_position(position, mover, state.rules.game)
    own, other = position.pips, position.turned(state.rules.game).pips
    return feed.State(
        phase=_phase(state),
        turn=len(state.game.turns) + (state.turn is not None),
        side=name_of(state.turn),
        position=shown,
        pips=(own, other) if mover is Side.WHITE else (other, own),
        roll=(state.roll.high, state.roll.low) if state.roll else None,
        dice=tuple(
            feed.Die(value=die.face[0], u=die.u, v=die.v, half=die.half.value, state=die.state[0].value)
            for die in state.roll_dice
        ),
        last_plays=_last_plays(_game_shown(state)),
        waiting_for=_waiting_for(state),
    )


def clock_message(state: State, utc_now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> feed.Clock:
    """Both reserves as they stand at the state's moment."""
    clock, at = state.clock, state.at
    return feed.Clock(
        running=name_of(clock.running),
        white_ms=clock.reserve(Side.WHITE, at),
        black_ms=clock.reserve(Side.BLACK, at),
        delay_ms=clock.control.delay_ms,
        delay_ms_left=clock.delay_left(at),
        asof_mono_ms=at,
        asof_utc=utc_now(),
        paused=both(f"pause.{state.paused.value}") if state.paused else None,
        timed=clock.control.method is not TimeMethod.NONE,
        flag=name_of(clock.flag(at)),
    )


def ruling_message(state: State, ruled: Ruled) -> feed.Ruling:
    """A ruling with everything the referee saw."""
    ruling = ruled.ruling
    whole = tuple(feed.Picture(url=EVIDENCE + name, at_mono_ms=ruling.at) for name in ruled.pictures)
    frames = (*whole, *(_close_up(close_up, ruling.at) for close_up in ruled.close_ups))
    match ruling:
        case ThrowRuling():
            return _throw_message(state, ruling, frames)
        case PlayRuling():
            return _play_message(state, ruling, frames)


def result_message(state: State, game: GameLog, match_id: str) -> feed.Result | None:
    """How a finished game ended; None while it has not."""
    if game.result is None:
        return None
    white, black = state.score
    result: GameResult = game.result
    if game.winner is None:
        sentence = both("referee.draw")
    else:
        winner = player_name(state, game.winner)
        sentence = both("referee.game_won", winner=winner, points=result.points)
    return feed.Result(
        match=match_id,
        game_number=game.number,
        winner=name_of(game.winner),
        kind=result.kind.value,
        points=result.points,
        score=feed.Score(white=white, black=black),
        match_over=state.phase is Phase.MATCH_OVER,
        texts=sentence,
    )


def _close_up(close_up: CloseUp, at: Millis) -> feed.Picture:
    die = close_up.die
    return feed.Picture(
        url=EVIDENCE + close_up.picture,
        at_mono_ms=at,
        # Cut off, not rounded: nothing is ever sure to 100 %.
        texts=both(f"die.{die.state}", face=die.face, sure=int(100 * min(die.chance, 0.999))),
        die=feed.Die.model_validate({"value": die.face, "u": die.u, "v": die.v, "half": die.half, "state": die.state}),
    )


def _title(rules: Ruleset) -> str:
    """Key of what people call the game: crazy nardy is long nardy under another ruleset."""
    return "crazy" if rules.cascade else rules.game.value


def _phase(state: State) -> feed.Phase:
    if state.paused and state.phase is not Phase.DECIDING:
        return "paused"
    match state.phase:
        case Phase.SETUP:
            return "game_over" if state.finished and not state.sight.settled.looks else "setup"
        case Phase.OPENING:
            return "opening"
        case Phase.TO_THROW:
            return "to_throw"
        case Phase.TO_PLAY:
            return "to_play"
        case Phase.DECIDING:
            return "deciding"
        case Phase.MATCH_OVER:
            return "match_over"


def _game_shown(state: State) -> GameLog:
    """Between games the last one stays on the screen until the next has begun."""
    fresh = not state.game.turns and state.game.starter is None and state.phase is Phase.SETUP
    return state.finished[-1] if fresh and state.finished else state.game


def _position_shown(state: State) -> tuple[Position, Side]:
    if state.position is not None and state.turn is not None:
        return state.position, state.turn
    turns = _game_shown(state).turns
    if turns:
        return turns[-1].after, turns[-1].side
    return start(state.rules.game), Side.WHITE


def _last_plays(game: GameLog) -> tuple[feed.PlayedTurn, ...]:
    return tuple(
        feed.PlayedTurn(
            turn=turn.number,
            side=turn.side.value,
            roll=(turn.roll.high, turn.roll.low),
            notation=turn.notation,
            verdict=turn.verdict.value,
        )
        for turn in game.turns[-LAST_PLAYS:]
    )


def _waiting_for(state: State) -> feed.Texts | None:
    who = player_name(state, state.turn) if state.turn else ""
    if state.cube.offered_by:
        taker = player_name(state, state.cube.offered_by.other)
        return both("waiting.cube", player=taker, cube=state.cube.value * 2)
    if state.pressed_at is not None and state.phase is Phase.TO_PLAY:
        return both("waiting.look")
    if state.sight.early_press is not None and state.phase is Phase.TO_THROW:
        return both("waiting.look_for_dice", player=who)
    if lifted_early(state):
        return both("waiting.lifted", player=who, roll=str(state.roll))
    if state.phase in {Phase.OPENING, Phase.TO_THROW} and state.lost(Device.CAMERA):
        return both("waiting.unseen_throw")
    if state.phase in {Phase.OPENING, Phase.TO_THROW} and not_in_view(state):
        return both("waiting.throw_not_in_view")
    if state.phase is Phase.TO_PLAY and ends_with_next_throw(state):
        return both("waiting.unseen_play", player=who)
    return both(f"waiting.{state.phase.value}", player=who)


def _throw_message(state: State, ruling: ThrowRuling, frames: tuple[feed.Picture, ...]) -> feed.Ruling:
    values = "-".join(map(str, ruling.values)) if ruling.values else ""
    reason = ruling.reason.value if ruling.reason else None
    if ruling.rethrown:
        reason = RETHROWN
        sentence = both(f"throw.{RETHROWN}", roll=values, again="-".join(map(str, ruling.rethrown)))
    elif ruling.early:
        reason = EARLY
        costs = state.rules.premature_delay == "lost" and state.clock.control.delay_ms > 0
        sentence = both(f"throw.{EARLY}_without_delay" if costs else f"throw.{EARLY}", roll=values)
    else:
        sentence = both(f"void.{reason}") if reason else both(f"throw.{ruling.outcome.value}", roll=values)
    roll = (max(ruling.values), min(ruling.values)) if ruling.values else None
    return feed.Ruling(
        id=str(ruling.number),
        subject="throw",
        verdict=ruling.outcome.value,
        turn=len(state.game.turns) + 1,
        side=name_of(ruling.side),
        roll=ruling.values if ruling.side is None else roll,
        reason=reason,
        texts=sentence,
        clause=both(f"void_clause.{reason}") if reason else None,
        source=text(Lang.EN, f"void_source.{reason}") if reason else None,
        stories=(feed.Story(probability=1.0, roll=ruling.values),)
        if ruling.outcome is ThrowOutcome.PLEASE_LOOK and ruling.values
        else (),
        pictures=frames,
        decided_by=_judge(ruling.judge),
        needs_arbiter=ruling.outcome is ThrowOutcome.PLEASE_LOOK,
    )


def _play_message(state: State, ruling: PlayRuling, frames: tuple[feed.Picture, ...]) -> feed.Ruling:
    game = state.rules.game
    first = ruling.faults[0] if ruling.faults else None
    if first:
        sentence = both(first.why, **dict(first.details))
    else:
        sentence = both(f"play.{ruling.verdict.value}", notation=ruling.notation)
    return feed.Ruling(
        id=str(ruling.number),
        subject="play",
        verdict=ruling.verdict.value,
        turn=len(_game_shown(state).turns) + (ruling.verdict is not PlayVerdict.ACCEPTED),
        side=name_of(ruling.side),
        roll=ruling.roll,
        notation=ruling.notation or None,
        reason=first.fault if first else None,
        texts=sentence,
        clause=both(f"rules.clause.{first.clause}") if first else None,
        source=first.source if first else None,
        stories=tuple(
            feed.Story(
                probability=min(1.0, max(0.0, told.probability)),
                notation=told.notation or None,
                position=board_position(told.after, ruling.side, game),
                legal=bool(told.notation),
                texts=both(f"tale.{told.tale.value}"),
            )
            for told in ruling.stories
        ),
        before=board_position(ruling.before, ruling.side, game),
        seen=board_position(ruling.after, ruling.side, game),
        would_be_legal=ruling.would_be_legal,
        pictures=frames,
        decided_by=_judge(ruling.judge),
        needs_arbiter=ruling.verdict is PlayVerdict.PLEASE_LOOK,
    )


def _judge(judge: Judge) -> Literal["referee", "arbiter"]:
    return "referee" if judge is Judge.REFEREE else "arbiter"


def same_clock(said: feed.Clock, now: feed.Clock) -> bool:
    """Whether a reader who counts on from ``said`` shows what ``now`` says."""
    if (said.running, said.paused, said.flag) != (now.running, now.paused, now.flag):
        return False
    if now.running is None:
        return (said.white_ms, said.black_ms, said.delay_ms_left) == (now.white_ms, now.black_ms, now.delay_ms_left)
    passed = now.asof_mono_ms - said.asof_mono_ms
    charged = max(0, passed - said.delay_ms_left)
    spent = {"white": said.white_ms - now.white_ms, "black": said.black_ms - now.black_ms}
    waiting = "black" if now.running == "white" else "white"
    return abs(spent[now.running] - charged) <= CLOCK_TOLERANCE_MS and spent[waiting] == 0

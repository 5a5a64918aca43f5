"""From the referee's state to the feed's messages about match, board, clock and result."""

from collections.abc import Callable
from datetime import datetime

from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.steady_time import STEADY
from controller.adapters.mqtt.texts import both, name_of, player_name
from controller.adapters.shown import game_shown, phase_shown, position_shown
from controller.clock import TimeMethod
from controller.formats.notation import play_text
from controller.referee.events import Device
from controller.referee.plays import ends_with_next_throw, not_in_view
from controller.referee.presses import lifted_early
from controller.referee.sight import thrown_beside
from controller.referee.state import GameLog, Phase, State
from controller.rules import GameResult, Position, Ruleset, Side, beaver_allowed, faces, resign_kinds, take

LAST_PLAYS = 12
CLOCK_TOLERANCE_MS = 50


def board_position(white_view: Position) -> feed.BoardPosition:
    """A position as White sees it, white first."""
    return feed.BoardPosition(points=white_view.points, bar=white_view.bar, off=white_view.off)


def match_message(state: State, match_id: str) -> feed.MatchMessage:
    """What is being played, by whom, and how it stands."""
    rules = state.rules
    white, black = state.score
    taker = state.cube.answerer
    cube = feed.CubeShown(
        value=state.cube.value,
        owner=name_of(state.cube.owner),
        offered_by=name_of(state.cube.offered_by),
        beaver=beaver_allowed(state.cube, rules),
        offered_value=take(state.cube, rules).value if taker else None,
        answer_by=name_of(taker),
    )
    return feed.MatchMessage(
        match=match_id,
        players=feed.Players(white=state.white, black=state.black),
        ruleset=feed.RulesetName(name=state.ruleset, title=both(f"ruleset.{_title(rules)}")),
        game=rules.game.value,
        length=rules.length if rules.play == "match" else 0,
        score=feed.ScoreShown(white=white, black=black),
        game_number=state.game.number,
        crawford=state.crawford_game,
        kestum=rules.kestum != "off",
        cube=cube if rules.cube else None,
        resign_kinds=tuple(kind.value for kind in resign_kinds(rules)),
        cube_faces=faces(rules) if rules.cube else (),
        draw=rules.last_move,
        warnings=_counted(state.warnings),
        breaks=_counted(state.breaks),
        breaks_allowed=rules.breaks,
    )


def state_message(state: State) -> feed.StateMessage:
    """The board as the referee holds it true, and what it waits for."""
    position = position_shown(state)
    return feed.StateMessage(
        phase=phase_shown(state).value,
        turn=len(state.game.turns) + (state.turn is not None),
        side=name_of(state.turn),
        position=board_position(position),
        pips=(position.pips, position.turned(state.rules.game).pips),
        roll=(state.roll.high, state.roll.low) if state.roll else None,
        dice=tuple(
            feed.DieShown(value=die.face[0], u=die.u, v=die.v, half=die.half.value, state=die.state[0].value)
            for die in state.in_play.dice
        ),
        last_plays=_last_plays(game_shown(state)),
        waiting_for=waiting_for(state),
        claim=_claim(state),
        undo=_undo(state),
    )


def _counted(sides: tuple[Side, ...]) -> feed.Counted:
    return feed.Counted(white=sides.count(Side.WHITE), black=sides.count(Side.BLACK))


def _claim(state: State) -> feed.ClaimShown | None:
    claim = state.claim
    if claim is None:
        return None
    about = both(f"sheet.claim.{claim.about.value}")
    return feed.ClaimShown(
        side=claim.side.value,
        about=claim.about.value,
        ruling=str(claim.ruling) if claim.ruling else None,
        texts=both("waiting.claim", player=player_name(state, claim.side), about=about),
    )


def _undo(state: State) -> feed.Texts | None:
    """What would be taken back: an order, how a game or the match has ended, or the last turn."""
    if state.done is not None:
        return both("undo.order", order=both(f"sheet.order.{state.done.order.verb}"))
    if state.phase in {Phase.SETUP, Phase.MATCH_OVER}:
        return both("undo.end") if state.ended is not None else None
    if not state.game.turns:
        return None
    last = state.game.turns[-1]
    roll = str(last.roll) if last.roll else ""
    return both("undo.turn", player=player_name(state, last.side), roll=roll, play=play_text(last.play))


def clock_message(state: State, utc_now: Callable[[], datetime] = STEADY.utc) -> feed.ClockMessage:
    """Both reserves as they stand at the state's moment; the link gives that moment its time of day."""
    clock, at = state.clock, state.at
    return feed.ClockMessage(
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


def result_message(state: State, game: GameLog, match_id: str) -> feed.ResultMessage | None:
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
    return feed.ResultMessage(
        match=match_id,
        game_number=game.number,
        winner=name_of(game.winner),
        kind=result.kind.value,
        points=result.points,
        cube=next((turned.value for turned in reversed(game.cube) if turned.action == "take"), 1),
        score=feed.ScoreShown(white=white, black=black),
        match_over=state.phase is Phase.MATCH_OVER,
        texts=sentence,
    )


def _title(rules: Ruleset) -> str:
    """Key of what people call the game: crazy nardy is long nardy under another ruleset."""
    return "crazy" if rules.cascade else rules.game.value


def _last_plays(game: GameLog) -> tuple[feed.PlayedTurn, ...]:
    return tuple(
        feed.PlayedTurn(
            turn=turn.number,
            side=turn.side.value,
            roll=(turn.roll.high, turn.roll.low) if turn.roll else None,
            notation=play_text(turn.play),
            verdict=turn.verdict.value,
        )
        for turn in game.turns[-LAST_PLAYS:]
    )


def waiting_for(state: State) -> feed.Texts:
    """What the referee expects next."""
    who = player_name(state, state.turn) if state.turn else ""
    if taker := state.cube.answerer:
        value = take(state.cube, state.rules).value
        return both("waiting.cube", player=player_name(state, taker), cube=value)
    if state.phase is Phase.SETUP and state.sets_kept:
        return both("waiting.sets_kept")
    if thrown_beside(state):
        return both("waiting.beside", player=who)
    if state.pressed_at is not None and state.phase is Phase.TO_PLAY:
        return both("waiting.look")
    if state.in_play.early_press is not None and state.phase is Phase.TO_THROW:
        return both("waiting.look_for_dice", player=who)
    if state.phase is Phase.TO_PLAY and state.in_play.delay_claimed:
        return both("waiting.delay_claimed", player=who, roll=str(state.roll))
    if lifted_early(state):
        return both("waiting.lifted", player=who, roll=str(state.roll))
    if state.phase is Phase.TO_PLAY and state.in_play.pressed_unplayed:
        return both("waiting.pressed_unplayed", player=who, roll=str(state.roll))
    if state.phase in {Phase.OPENING, Phase.TO_THROW} and state.lost(Device.CAMERA):
        return both("waiting.unseen_throw")
    if state.phase in {Phase.OPENING, Phase.TO_THROW} and not_in_view(state):
        return both("waiting.throw_not_in_view")
    if state.phase is Phase.TO_PLAY and ends_with_next_throw(state):
        return both("waiting.unseen_play", player=who)
    if state.phase is Phase.TO_PLAY and state.in_play.rest:
        return both("waiting.rest", player=who, dice="-".join(map(str, state.in_play.rest)))
    return both(f"waiting.{state.phase.value}", player=who)


def same_clock(sent: feed.ClockMessage, now: feed.ClockMessage) -> bool:
    """Whether a reader who counts on from ``sent`` shows what ``now`` holds."""
    if (sent.running, sent.paused, sent.flag) != (now.running, now.paused, now.flag):
        return False
    if now.running is None:
        return (sent.white_ms, sent.black_ms, sent.delay_ms_left) == (now.white_ms, now.black_ms, now.delay_ms_left)
    passed = now.asof_mono_ms - sent.asof_mono_ms
    charged = max(0, passed - sent.delay_ms_left)
    spent = {"white": sent.white_ms - now.white_ms, "black": sent.black_ms - now.black_ms}
    waiting = "black" if now.running == "white" else "white"
    return abs(spent[now.running] - charged) <= CLOCK_TOLERANCE_MS and spent[waiting] == 0

"""From a ruling to its message: verdict, words, hypotheses, pictures."""

from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.match_messages import board_position
from controller.adapters.mqtt.texts import both, name_of
from controller.adapters.shown import game_shown, white_view
from controller.clock import Millis
from controller.formats.notation import play_text
from controller.locale import Lang, text
from controller.ports.entries import CloseUp, Ruled
from controller.referee.rulings import DieAtRest, PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import State

EVIDENCE = "evidence/"
"""Where the panel finds pictures, relative to itself."""
RETHROWN = "rethrown"
"""Reason of a ruling that a valid throw stands although it was thrown once more."""
EARLY = "early"
"""Reason of a ruling that a throw stands although the opponent had not ended their turn."""


def ruling_message(state: State, ruled: Ruled) -> feed.RulingMessage:
    """A ruling with everything the referee saw."""
    ruling = ruled.ruling
    whole = tuple(feed.Picture(url=EVIDENCE + name, at_mono_ms=ruling.at) for name in ruled.pictures)
    frames = (*whole, *(_close_up(close_up, ruling.at) for close_up in ruled.close_ups))
    match ruling:
        case ThrowRuling():
            return _throw_message(state, ruling, frames)
        case PlayRuling():
            return _play_message(state, ruling, frames)


def _close_up(close_up: CloseUp, at: Millis) -> feed.Picture:
    die = close_up.die
    return feed.Picture(
        url=EVIDENCE + close_up.picture,
        at_mono_ms=at,
        # Cut off, not rounded: nothing is ever sure to 100 %.
        texts=both(f"die.{die.state.value}", face=die.face, sure=int(100 * min(die.probability, 0.999))),
        die=_die(die),
    )


def _die(die: DieAtRest) -> feed.DieShown:
    return feed.DieShown.model_validate(
        {"value": die.face, "u": die.u, "v": die.v, "half": die.half.value, "state": die.state.value}
    )


def _throw_message(state: State, ruling: ThrowRuling, frames: tuple[feed.Picture, ...]) -> feed.RulingMessage:
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
    return feed.RulingMessage(
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
        hypotheses=(feed.HypothesisShown(probability=1.0, roll=ruling.values),)
        if ruling.outcome is ThrowOutcome.PLEASE_LOOK and ruling.values
        else (),
        dice=tuple(_die(die) for die in ruling.dice),
        pictures=frames,
        decided_by=ruling.judge.value,
        needs_arbiter=ruling.outcome is ThrowOutcome.PLEASE_LOOK,
    )


def _play_message(state: State, ruling: PlayRuling, frames: tuple[feed.Picture, ...]) -> feed.RulingMessage:
    first = ruling.faults[0] if ruling.faults else None
    if first:
        sentence = both(first.why, **first.values)
    else:
        sentence = both(f"play.{ruling.verdict.value}", notation=play_text(ruling.play))
    return feed.RulingMessage(
        id=str(ruling.number),
        subject="play",
        verdict=ruling.verdict.value,
        turn=len(game_shown(state).turns) + (ruling.verdict is not PlayVerdict.ACCEPTED),
        side=name_of(ruling.side),
        roll=ruling.roll,
        notation=play_text(ruling.play) or None,
        reason=first.key if first else None,
        texts=sentence,
        clause=both(f"rules.clause.{first.clause}") if first else None,
        source=first.source if first else None,
        hypotheses=tuple(
            feed.HypothesisShown(
                probability=min(1.0, max(0.0, guess.probability)),
                notation=play_text(guess.play) or None,
                position=board_position(white_view(state, guess.after, ruling.side)),
                legal=guess.play is not None,
                texts=both(f"hypothesis.{guess.kind.value}"),
            )
            for guess in ruling.hypotheses
        ),
        before=board_position(white_view(state, ruling.before, ruling.side)),
        seen=board_position(white_view(state, ruling.after, ruling.side)),
        would_be_legal=tuple(str(play) for play in ruling.would_be_legal),
        pictures=frames,
        decided_by=ruling.judge.value,
        needs_arbiter=ruling.verdict is PlayVerdict.PLEASE_LOOK,
    )

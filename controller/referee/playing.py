"""A finished turn: accepted, refused with the fault, or a question to a person.

The board is judged only when the mover has ended the turn: until then he may try plays and take them back (T05).
"""

from dataclasses import replace

from controller.clock import Clock
from controller.fusion.evidence import Evidence
from controller.fusion.stories import Story, Tale, stories
from controller.referee.events import TurnEnd
from controller.referee.games import finish_turn
from controller.referee.rulings import FaultFound, Judge, PlayRuling, PlayVerdict, Ruling, Told
from controller.referee.sight import whole
from controller.referee.state import PauseReason, Phase, Refused, State
from controller.referee.throw import LOOKS_TO_ASK, LOOKS_TO_RULE, SURE, Valid, judge_throw
from controller.rules import Illegal, Play, Position, Roll, Side, judge, legal_plays

Ruled = tuple[State, tuple[Ruling, ...]]

STORIES_TOLD = 3
LEGAL_ENDS_TOLD = 6


def watch_play(state: State) -> Ruled:
    """Rule on the play once the turn is over and the board has been seen well enough; until then do nothing."""
    if state.phase is Phase.TO_PLAY and _illegal_play_stands(state):
        return _stands(state)
    if not _turn_is_over(state):
        return state, ()
    looks = state.sight.evidence.looks
    if whole(state.sight, LOOKS_TO_RULE):
        return rule_on_play(state, state.sight.evidence, patient=looks < LOOKS_TO_ASK)
    if looks >= LOOKS_TO_ASK:
        return rule_on_play(state, state.sight.evidence, patient=False)
    return state, ()


def rule_on_play(state: State, evidence: Evidence, *, patient: bool) -> Ruled:
    """Weigh what may have been played; ``patient`` waits for more looks rather than ask."""
    mover, roll, position, light = _under_way(state)
    legal = legal_plays(position, roll, state.rules, first_turn=state.first_turn, second_player=state.second_player)
    ranked = stories(evidence, position, legal, state.view(mover, light))
    best = ranked[0]
    if best.tale is Tale.LEGAL and best.play is not None and best.probability >= SURE:
        return accept(state, best.after, best.play, ranked, Judge.REFEREE)
    if best.tale in {Tale.UNMOVED, Tale.ILLEGAL} and best.probability >= SURE:
        return _refused_again(state, best, ranked)
    if patient or state.sight.asked or state.phase is Phase.DECIDING:
        return state, ()
    return _ask(state, ranked)


def accept(state: State, after: Position, play: Play, ranked: tuple[Story, ...], who: Judge) -> Ruled:
    """The play stands and the turn passes."""
    ruling = _ruling(state, PlayVerdict.ACCEPTED, after, str(play), ranked, who)
    state = _resumed(replace(state, ruling=ruling, rulings=ruling.number))
    return finish_turn(state, after, ruling.notation, PlayVerdict.ACCEPTED), (ruling,)


def refuse(state: State, after: Position, ranked: tuple[Story, ...], who: Judge) -> Ruled:
    """The play does not stand: the mover's time runs on and the same roll is played from the position before (T01)."""
    mover, roll, position, _ = _under_way(state)
    verdict = judge(position, roll, after, state.rules, first_turn=state.first_turn, second_player=state.second_player)
    faults: tuple[FaultFound, ...] = ()
    would_be: tuple[str, ...] = ()
    if isinstance(verdict, Illegal):
        faults = tuple(
            FaultFound(found.key, found.clause, found.source, found.why, found.details) for found in verdict.faults
        )
        would_be = tuple(str(play) for play in verdict.would_be_legal[:LEGAL_ENDS_TOLD])
    ruling = replace(
        _ruling(state, PlayVerdict.REFUSED, after, "", ranked, who), faults=faults, would_be_legal=would_be
    )
    return (
        replace(
            state,
            phase=Phase.TO_PLAY,
            ruling=ruling,
            rulings=ruling.number,
            clock=_given_back(state, mover),
            paused=None,
            pressed_at=None,
            clock_before_press=None,
            refused=(*state.refused, Refused(after, tuple(found.fault for found in faults))),
        ),
        (ruling,),
    )


def _given_back(state: State, mover: Side) -> Clock[Side]:
    """The clock with the press undone: the mover's time runs on, the opponent has lost none."""
    if state.clock_before_press is None or state.pressed_at is None:
        return state.clock.resume(state.at) if state.clock.paused else state.clock
    clock = state.clock_before_press.pause(state.pressed_at)
    return clock.start(mover, state.at) if clock.turn is None else clock.resume(state.at)


def _under_way(state: State) -> tuple[Side, Roll, Position, Side]:
    """What a play in this state needs; the phases TO_PLAY and DECIDING guarantee that it is there."""
    if state.turn is None or state.roll is None or state.position is None or state.light is None:
        msg = f"no play is under way in phase {state.phase.value}"
        raise ValueError(msg)
    return state.turn, state.roll, state.position, state.light


def _turn_is_over(state: State) -> bool:
    """Whether the mover has pressed, or, where there is no clock, has taken the dice."""
    if state.phase is Phase.DECIDING:
        return True
    if state.turn_end is TurnEnd.PRESS:
        return state.pressed_at is not None and state.looks_since_press >= LOOKS_TO_RULE
    return state.lifted_looks >= LOOKS_TO_RULE


def _refused_again(state: State, best: Story, ranked: tuple[Story, ...]) -> Ruled:
    """Refuse a play, but not the same board twice while the mover puts it right."""
    same = isinstance(state.ruling, PlayRuling) and state.ruling.after == best.after and bool(state.refused)
    if same and state.turn_end is TurnEnd.LIFT:
        return state, ()
    return refuse(state, best.after, ranked, Judge.REFEREE)


def _ask(state: State, ranked: tuple[Story, ...]) -> Ruled:
    """Ask a person which story is true; both clocks stand until it is known."""
    ruling = _ruling(state, PlayVerdict.PLEASE_LOOK, ranked[0].after, "", ranked, Judge.REFEREE)
    timed = state.clock.running is not None
    return (
        replace(
            state,
            phase=Phase.DECIDING,
            ruling=ruling,
            rulings=ruling.number,
            clock=state.clock.pause(state.at),
            paused=PauseReason.PLEASE_LOOK if timed else state.paused,
            sight=replace(state.sight, asked=True),
        ),
        (ruling,),
    )


def _resumed(state: State) -> State:
    """Let the clock run on after a question has been answered."""
    if state.paused is not PauseReason.PLEASE_LOOK:
        return state
    return replace(state, paused=None, clock=state.clock.resume(state.at))


def _illegal_play_stands(state: State) -> bool:
    """Whether the opponent has thrown validly over a refused play, which closes it (T02, T03)."""
    if not state.refused or state.turn is None:
        return False
    thrown = judge_throw(state.sight.dice, state.sight.known_dice, state.turn.other, state.rules)
    return isinstance(thrown, Valid) and isinstance(state.ruling, PlayRuling)


def _stands(state: State) -> Ruled:
    """Let the refused play stand as it was seen."""
    if not isinstance(state.ruling, PlayRuling):
        msg = "no refused play to let stand"
        raise TypeError(msg)
    ruling = replace(
        state.ruling,
        number=state.rulings + 1,
        at=state.at,
        verdict=PlayVerdict.ACCEPTED,
        judge=Judge.REFEREE,
        would_be_legal=(),
    )
    state = replace(state, ruling=ruling, rulings=ruling.number)
    return finish_turn(state, ruling.after, ruling.notation, PlayVerdict.REFUSED), (ruling,)


def _ruling(
    state: State, verdict: PlayVerdict, after: Position, notation: str, ranked: tuple[Story, ...], who: Judge
) -> PlayRuling:
    mover, roll, position, _ = _under_way(state)
    told = tuple(
        Told(story.tale, story.after, str(story.play) if story.play else "", round(story.probability, 4))
        for story in ranked[:STORIES_TOLD]
    )
    return PlayRuling(
        state.rulings + 1,
        state.at,
        mover,
        (roll.high, roll.low),
        verdict,
        who,
        position,
        after,
        notation,
        stories=told,
    )

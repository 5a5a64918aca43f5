"""A finished turn: accepted, refused with the fault, or a question to a person.

The board is judged only when the mover has ended the turn: until then they may try plays and take them back (T05).
Where the camera sees nothing the reeds show the play, or a person is asked.
"""

from dataclasses import replace

from controller.clock import Millis
from controller.fusion.evidence import Evidence
from controller.fusion.hypotheses import Hypothesis, HypothesisKind, hypotheses
from controller.referee.dice import DICE, LOOKS_TO_ASK, LOOKS_TO_RULE, SURE, Valid, judge_throw
from controller.referee.events import Device, TurnEnd
from controller.referee.games import can_stand, ends_game, finish_turn
from controller.referee.misplaced import displaced_before_throw
from controller.referee.presses import answered, given_back, pressed_too_early, taken_back
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict
from controller.referee.sight import whole
from controller.referee.state import PauseReason, Phase, RefusedPlay, Ruled, State
from controller.rules import (
    Fault,
    Illegal,
    Legal,
    Play,
    Position,
    Roll,
    Side,
    TooManyEndsError,
    Verdict,
    judge,
    judge_rest,
    legal_plays,
    legal_rest,
)

HYPOTHESES_KEPT = 3


LEGAL_ENDS_KEPT = 6


LIKELY_ENDS = 2
"""Likeliest boards that are tried as ends of a cascade; each can take the rules a second."""


def watch_play(state: State) -> Ruled:
    """Rule on the play once the turn is over and the board has been seen well enough; until then do nothing."""
    state, rulings = _rule_when_seen(state) if _turn_is_over(state) else _rule_on_last_checker(state)
    if not rulings and _illegal_play_is_closed(state):
        return _close(state)
    return state, rulings


def _rule_on_last_checker(state: State) -> Ruled:
    """End the game at the look that surely shows the last checker borne off; the clock stops with the first of them."""
    last = _last_borne_off(state) if whole(state.sight, LOOKS_TO_RULE) and state.paused is None else None
    if last is None or last[0].play is None or not _surely_legal(last[0]):
        return state, ()
    ranked, best, seen_at = last, last[0], state.sight.first_look_at or state.at
    state = replace(state, clock=state.clock.pause(seen_at))
    return accept(state, best.after, best.play, ranked, Judge.REFEREE)


def won_in_view(state: State, before: Millis) -> bool:
    """Whether looks from ``before`` on seem to show that the mover has borne off the last checker already."""
    seen_at = state.sight.first_look_at
    looked = state.sight.evidence.looks and seen_at is not None and seen_at < before
    return bool(looked) and state.phase is Phase.TO_PLAY and _last_borne_off(state) is not None


def _last_borne_off(state: State) -> tuple[Hypothesis, ...] | None:
    """What may have been played, if the likeliest ends the game; None else."""
    roll, position = state.roll, state.position
    if state.phase is not Phase.TO_PLAY or roll is None or position is None or state.light is None:
        return None
    if position.off[0] + len(roll.dice) < state.rules.game.checkers:
        return None
    ranked = _ranked(state, state.sight.evidence)
    best = ranked[0]
    ends = best.kind is HypothesisKind.LEGAL and best.after != state.in_play.taken_back and ends_game(state, best.after)
    return ranked if ends else None


def _rule_when_seen(state: State) -> Ruled:
    looks = state.sight.evidence.looks
    if whole(state.sight, LOOKS_TO_RULE):
        return rule_on_play(state, state.sight.evidence, patient=looks < LOOKS_TO_ASK)
    if looks >= LOOKS_TO_ASK:
        return rule_on_play(state, state.sight.evidence, patient=False)
    return state, ()


def rule_on_play(state: State, evidence: Evidence, *, patient: bool) -> Ruled:
    """Weigh what may have been played; ``patient`` waits for more looks rather than ask."""
    ranked = _ranked(state, evidence)
    best = ranked[0]
    if _surely_legal(best) and best.play is not None and _shown(state, evidence, best.after):
        if best.after != state.in_play.taken_back:
            return accept(state, best.after, best.play, ranked, Judge.REFEREE)
        patient = state.turn_end is not TurnEnd.PRESS
    if best.kind is HypothesisKind.UNMOVED and best.probability >= SURE and pressed_too_early(state):
        return taken_back(state), ()
    if best.kind in {HypothesisKind.UNMOVED, HypothesisKind.ILLEGAL} and best.probability >= SURE:
        return _illegal(state, best, ranked)
    if patient or state.sight.asked or state.phase is Phase.DECIDING:
        return state, ()
    return _ask(state, ranked)


def _ranked(state: State, evidence: Evidence) -> tuple[Hypothesis, ...]:
    mover, _, position, light = _under_way(state)
    return hypotheses(evidence, position, _legal_ends(state, evidence), state.view(mover, light))


def _legal_ends(state: State, evidence: Evidence) -> dict[Position, Play]:
    """All legal ends; of a cascade that has too many, those among what the board most looks like."""
    mover, roll, position, light = _under_way(state)
    rest = state.in_play.rest
    turn = {"first_turn": state.first_turn, "second_player": state.second_player}
    try:
        if rest:
            return legal_rest(position, rest, state.rules)
        return legal_plays(position, roll, state.rules, **turn, throw=state.throws + 1)
    except TooManyEndsError:
        view = state.view(mover, light)
        seen = [view.position(counts) for counts, _ in evidence.likeliest(view.checkers, view.checkers, LIKELY_ENDS)]
    verdicts = [_verdict(state, end) for end in seen]
    return {verdict.end: verdict.play for verdict in verdicts if isinstance(verdict, Legal)}


def _verdict(state: State, after: Position) -> Verdict | None:
    """What the rules say to ``after``; None for a cascade with more ways than can be looked through."""
    _, roll, position, _ = _under_way(state)
    rest = state.in_play.rest
    turn = {"first_turn": state.first_turn, "second_player": state.second_player}
    try:
        if rest:
            return judge_rest(position, rest, after, state.rules)
        return judge(position, roll, after, state.rules, **turn, throw=state.throws + 1)
    except TooManyEndsError:
        return None


def _surely_legal(hypothesis: Hypothesis) -> bool:
    """Whether a legal play may be accepted in silence.

    Its probability holds also what the board looks like by itself, whether legal or possible or not: with that at one
    in a million a surely read place that denies the play leaves less than ``SURE``.
    """
    return hypothesis.kind is HypothesisKind.LEGAL and hypothesis.probability >= SURE


def _shown(state: State, evidence: Evidence, after: Position) -> bool:
    """Whether looks show ``after``, or, where nobody looked, the reeds: every one of them.

    Reeds see no colours and no trays: one that says otherwise may be all that tells an illegal play from a legal one.
    """
    if evidence.looks:
        return True
    mover, _, position, light = _under_way(state)
    nothing_to_play = after == position
    felt = evidence.felt(state.view(mover, light).counts(after))
    return felt if evidence.reeds else nothing_to_play


def accept(state: State, after: Position, play: Play | None, ranked: tuple[Hypothesis, ...], who: Judge) -> Ruled:
    """The play stands and the turn passes; None: nobody can say by what steps the checkers came ``after``."""
    ruling = _ruling(state, PlayVerdict.ACCEPTED, after, play, ranked, who)
    state = answered(replace(state, ruling=ruling, rulings=ruling.number))
    return finish_turn(state, after, play, PlayVerdict.ACCEPTED), (ruling,)


def refuse(state: State, after: Position, ranked: tuple[Hypothesis, ...], who: Judge) -> Ruled:
    """The play does not stand: the mover's time runs on and the same roll is played from the position before (T01)."""
    faults, would_be = _faults(state, after)
    ruling = replace(
        _ruling(state, PlayVerdict.REFUSED, after, None, ranked, who), faults=faults, would_be_legal=would_be
    )
    answers = state.paused is PauseReason.PLEASE_LOOK
    refused = RefusedPlay(after, tuple(found.key for found in faults))
    return (
        replace(
            state,
            phase=Phase.TO_PLAY,
            ruling=ruling,
            rulings=ruling.number,
            clock=given_back(state),
            paused=None if answers else state.paused,
            in_play=replace(state.in_play, press=None, refused=(*state.in_play.refused, refused)),
        ),
        (ruling,),
    )


def _faults(state: State, after: Position) -> tuple[tuple[Fault, ...], tuple[Play, ...]]:
    """What is wrong with ``after``, and some plays that would have been legal; nothing where the rules cannot say."""
    verdict = _verdict(state, after)
    if not isinstance(verdict, Illegal):
        return (), ()
    return verdict.faults, tuple(verdict.would_be_legal[:LEGAL_ENDS_KEPT])


def _steps(state: State, after: Position) -> Play | None:
    """By what steps the checkers came ``after``, legal or not; None where nobody can say."""
    match _verdict(state, after):
        case Legal(play=play):
            return play
        case Illegal(played=played):
            return played
        case None:
            return None


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
        return state.in_play.press is not None and state.in_play.press.looks >= LOOKS_TO_RULE
    return state.in_play.lifted_looks >= LOOKS_TO_RULE


def _illegal(state: State, best: Hypothesis, ranked: tuple[Hypothesis, ...]) -> Ruled:
    """Do with an illegal play what the ruleset says.

    ``legal_moves``: it is refused. ``responsible``: the opponent has to say whether it stands or is corrected (T04).
    ``condone``: it stands in silence unless the opponent demands the correction before the next throw. Once a
    correction was demanded, only a legal play will do.
    """
    unknown = state.turn_end is not TurnEnd.PRESS and not state.in_play.own_dice
    demanded = bool(state.in_play.refused)
    faults, _ = _faults(state, best.after)
    if displaced_before_throw(state) and any(fault.key == "opponent_moved" for fault in faults):
        # It was not the mover: a person, or the checkers put back, decides while both clocks stand.
        return (state, ()) if state.phase is Phase.DECIDING else _ask(state, ranked)
    match state.rules.illegal:
        case "responsible" if not demanded and not unknown:
            return (state, ()) if state.phase is Phase.DECIDING else _ask(state, ranked, *_faults(state, best.after))
        case "condone" if not demanded and not unknown and can_stand(state, best.after):
            return accept(state, best.after, _steps(state, best.after), ranked, Judge.REFEREE)
        case _:
            return _refused_again(state, best, ranked)


def _refused_again(state: State, best: Hypothesis, ranked: tuple[Hypothesis, ...]) -> Ruled:
    """Refuse a play, but not the same board twice while the mover puts it right."""
    same = (
        bool(state.in_play.refused) and state.in_play.refused[-1].after == best.after and state.phase is Phase.TO_PLAY
    )
    # Without the mover's dice on the board nobody knows whether they have finished.
    if state.turn_end is not TurnEnd.PRESS and (same or not state.in_play.own_dice):
        return state, ()
    return refuse(state, best.after, ranked, Judge.REFEREE)


def _ask(
    state: State,
    ranked: tuple[Hypothesis, ...],
    faults: tuple[Fault, ...] = (),
    would_be_legal: tuple[Play, ...] = (),
) -> Ruled:
    """Ask a person which hypothesis is true, or whether a play with ``faults`` stands; both clocks stand till then."""
    ruling = replace(
        _ruling(state, PlayVerdict.PLEASE_LOOK, ranked[0].after, None, ranked, Judge.REFEREE),
        faults=faults,
        would_be_legal=would_be_legal,
    )
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


def _illegal_play_is_closed(state: State) -> bool:
    """Whether the opponent has thrown validly over an illegal play, which closes it (T02, T03)."""
    if state.turn is None or not _is_open(state):
        return False
    known = (*state.sight.known_dice, *state.sight.early_dice)
    # Over the rest of a cascade the mover's own throw is the next.
    thrower = state.turn if state.in_play.rest else state.turn.other
    verdict = judge_throw(state.sight.dice, known, thrower, state.rules, state.sight.false_dice)
    return isinstance(verdict, Valid)


def closed_by_double(state: State, side: Side) -> Ruled:
    """Let a refused play stand when the opponent ``side`` doubles over it: a valid double closes it as a throw does."""
    return _close(state) if _is_open(state) and state.turn is side.other else (state, ())


def _is_open(state: State) -> bool:
    """Whether an illegal play may still be corrected: it was refused, or the opponent has been asked about it."""
    if state.phase is Phase.TO_PLAY:
        return bool(state.in_play.refused) and state.pressed_at is None
    return state.phase is Phase.DECIDING and isinstance(state.ruling, PlayRuling) and bool(state.ruling.faults)


def _close(state: State) -> Ruled:
    """Let the refused play stand as the board shows it: put right without a press, or as it was refused."""
    if not isinstance(state.ruling, PlayRuling) or state.ruling.verdict is PlayVerdict.ACCEPTED:
        return state, ()
    after = state.ruling.after
    if whole(state.sight, LOOKS_TO_RULE):
        ranked = _ranked(state, state.sight.evidence)
        best = ranked[0]
        if _surely_legal(best) and best.play is not None and best.after != state.in_play.taken_back:
            return accept(state, best.after, best.play, ranked, Judge.REFEREE)
        if best.kind is HypothesisKind.UNMOVED and best.probability >= SURE:
            # Taken back and not played yet: there is nothing that could stand.
            return state, ()
        after = best.after if best.kind is HypothesisKind.ILLEGAL and best.probability >= SURE else after
    if not can_stand(state, after):
        return state, ()
    ruling = replace(
        state.ruling,
        number=state.rulings + 1,
        after=after,
        play=_steps(state, after),
        at=state.at,
        verdict=PlayVerdict.ACCEPTED,
        judge=Judge.REFEREE,
        would_be_legal=(),
    )
    state = replace(answered(state), ruling=ruling, rulings=ruling.number)
    return finish_turn(state, ruling.after, ruling.play, PlayVerdict.REFUSED), (ruling,)


def _ruling(
    state: State, verdict: PlayVerdict, after: Position, play: Play | None, ranked: tuple[Hypothesis, ...], who: Judge
) -> PlayRuling:
    mover, roll, position, _ = _under_way(state)
    kept = tuple(
        replace(hypothesis, probability=round(hypothesis.probability, 4), misfit=round(hypothesis.misfit, 2))
        for hypothesis in ranked[:HYPOTHESES_KEPT]
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
        play,
        hypotheses=kept,
    )


UNSEEN_PRESS_MS = 4_000
"""How long after a press the referee waits for a clear look before it goes on without."""


RESTLESS_PRESS_MS = 8_000
"""And how long for reeds that do not come to rest, before it asks a person."""


REST_MS = 1_000
"""So long after the press and the last checker the reeds are taken to be at rest: nobody sees the hand."""


def not_in_view(state: State) -> bool:
    """Whether the camera works but shows no board that could be read, and nobody knows for how long."""
    return state.blind and not state.lost(Device.CAMERA)


def waited_too_long(state: State) -> bool:
    """Whether a pressed turn has waited too long for eyes and reeds: a person has to be asked."""
    patience_ms = RESTLESS_PRESS_MS if state.sight.reeds else UNSEEN_PRESS_MS
    return _unseen_since_press(state) and state.at - (state.pressed_at or state.at) >= patience_ms


def rule_by_reeds(state: State) -> Ruled:
    """Rule on a pressed turn from the reeds alone once they are at rest, where the camera does not see the board.

    A hand over a board that is in view may be trying the next play already: then the reeds accept a play or
    say nothing.
    """
    waits = state.phase is Phase.TO_PLAY and state.pressed_at is not None and state.paused is None
    if not waits or not state.sight.reeds or not (state.lost(Device.CAMERA) or _unseen_since_press(state)):
        return state, ()
    since = max(state.pressed_at or Millis(0), state.sight.reeds_at)
    if state.at - since < REST_MS:
        return state, ()
    dice_seen = len(state.in_play.dice) == DICE
    state, rulings = _by_reeds(state, patient=False) if state.blind else _accepted_by_reeds(state)
    # Dice that nobody has seen fall may lie there still when the board comes into view again: they are no new throw.
    strange = state.sight.strange or (bool(rulings) and not dice_seen)
    return replace(state, sight=replace(state.sight, strange=strange)), rulings


def ends_with_next_throw(state: State) -> bool:
    """Whether only the next throw, entered by the arbiter, can tell that a turn has ended: no eyes and no buttons."""
    return state.blind and state.turn_end is not TurnEnd.PRESS and bool(state.sight.reeds)


def ended_by_next_throw(state: State) -> Ruled:
    """Accept the play that the reeds surely show, since the arbiter enters a throw: it is the opponent's.

    Only without eyes and buttons. Where the reeds show no finished play the arbiter corrects the throw, and nothing is
    ruled.
    """
    if state.phase is not Phase.TO_PLAY or not ends_with_next_throw(state):
        return state, ()
    return _accepted_by_reeds(state)


def _by_reeds(state: State, *, patient: bool) -> Ruled:
    return rule_on_play(state, Evidence().with_reeds(state.sight.reeds), patient=patient)


def _accepted_by_reeds(state: State) -> Ruled:
    """Accept the play that the reeds surely show, if they show one."""
    after, rulings = _by_reeds(state, patient=True)
    accepted = any(isinstance(ruling, PlayRuling) and ruling.verdict is PlayVerdict.ACCEPTED for ruling in rulings)
    return (after, rulings) if accepted else (state, ())


def _unseen_since_press(state: State) -> bool:
    press = state.in_play.press
    return (
        state.phase is Phase.TO_PLAY
        and press is not None
        and state.at - press.at >= UNSEEN_PRESS_MS
        and min(press.looks, state.sight.evidence.looks) < LOOKS_TO_RULE
    )

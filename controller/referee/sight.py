"""Keep what the sensors show: looks add up while the scene is quiet and begin anew when it moves."""

from dataclasses import replace

from controller.fusion.evidence import BAR_DARK, BAR_LIGHT, ROWS, Evidence
from controller.referee.dice import DICE, LOOKS_SPARE, LOOKS_TO_ASK, SURE, DieTrack, TrackedDice
from controller.referee.events import (
    Device,
    DeviceChanged,
    Looked,
    ReedsChanged,
    Scene,
    SceneChanged,
    SlotDoubted,
    TurnEnd,
)
from controller.referee.false_dice import Origin, after_look, after_throw, may_be_thrown, noted, top_face
from controller.referee.state import Phase, Sight, State
from controller.rules import Roll, Side


def with_look(state: State, event: Looked) -> State:
    """Add a quiet look."""
    sight = state.sight
    evidence = sight.evidence.with_look(event.board).with_reeds(sight.reeds)
    dice = sight.dice.with_look(may_be_thrown(event.dice, sight.false_dice))
    state = _with_pushed_dice(state, dice)
    settled = sight.settled if event.board.hidden else evidence
    lifted = not event.board.hidden and _lifted(dice, state.in_play.own_dice) and not _kept(state, dice)
    state = _with_late_dice(state, dice)
    press = state.in_play.press
    state = replace(
        state,
        sight=replace(
            sight,
            scene=Scene.QUIET,
            evidence=evidence,
            first_look_at=sight.first_look_at if sight.evidence.looks else event.at,
            settled=settled,
            dice=dice,
            strange=False,
        ),
        in_play=replace(
            state.in_play,
            press=replace(press, looks=press.looks + 1) if press else None,
            lifted_looks=state.in_play.lifted_looks + 1 if lifted else 0,
        ),
    )
    state = _with_false_dice(state, event)
    unseen = sight.strange and state.phase in {Phase.OPENING, Phase.TO_THROW}
    # Whose throw these dice are nobody has seen: the arbiter enters it, or they are thrown again.
    return with_known_dice(state, tuple(track for track in dice.tracks if track.on_board)) if unseen else state


def _with_false_dice(state: State, event: Looked) -> State:
    """See which false_dice are still there; what looks like a die before the game begins is one."""
    sight = state.sight
    # Behind a hand nobody sees what is still there.
    false_dice = sight.false_dice if event.board.hidden else after_look(sight.false_dice, event.dice)
    if state.phase is Phase.SETUP:
        for die in event.dice:
            false_dice = noted(false_dice, die, top_face(die), Origin.BESIDE)
    return replace(state, sight=replace(sight, false_dice=false_dice))


def _with_lonely_die(state: State) -> State:
    """Note a find that lay alone on the board for long when something moves again: two dice fall together."""
    sight = state.sight
    others = sight.dice.without((*sight.known_dice, *state.in_play.dice, *state.in_play.own_dice))
    alone = [die for die in others if die.on_board]
    if state.phase not in {Phase.TO_THROW, Phase.TO_PLAY} or len(alone) != 1 or alone[0].looks < LOOKS_TO_ASK:
        return state
    false_dice = noted(sight.false_dice, alone[0], alone[0].face[0], Origin.ALONE)
    return replace(state, sight=replace(sight, false_dice=false_dice))


def with_ruled_throw(state: State, dice: tuple[DieTrack, ...]) -> State:
    """Note what lies beside the ``dice`` of a throw that is being ruled on: it is none of them."""
    sight = state.sight
    beside = [track for track in sight.dice.tracks if not any(track.near(die) for die in dice)]
    earlier = tuple(track for track in beside if any(track.near(die) for die in sight.thrown))
    false_dice = sight.false_dice
    for track in beside:
        false_dice = noted(false_dice, track, track.face[0], Origin.THROWN if track in earlier else Origin.BESIDE)
    false_dice = after_throw(false_dice, dice)
    return replace(state, sight=replace(sight, false_dice=false_dice, thrown=(*dice, *earlier)))


def _with_late_dice(state: State, dice: TrackedDice) -> State:
    """Take the dice on the board for the mover's when the arbiter set the roll while they could not be seen."""
    unseen = state.phase is Phase.TO_PLAY and len(state.in_play.dice) < DICE and state.pressed_at is None
    lying = tuple(track for track in dice.tracks if track.on_board)
    if not unseen or not lying:
        return state
    return replace(state, in_play=replace(state.in_play, dice=lying, own_dice=lying))


def with_scene(state: State, event: SceneChanged) -> State:
    """Begin anew when something moves; what was settled before stays known."""
    if event.scene is Scene.QUIET:
        return replace(state, sight=replace(state.sight, scene=event.scene, rolling=TrackedDice()))
    state = _with_lonely_die(state)
    # What a call voided has been seen at rest by now, or was taken up before.
    called = None if state.sight.dice.looks else state.sight.kestum_at
    beside = beside_the_board(state.sight.dice) if state.sight.dice.looks else state.sight.beside
    sight = replace(state.sight, scene=event.scene, evidence=Evidence(), dice=TrackedDice(), asked=False, beside=beside)
    return replace(state, sight=replace(sight, kestum_at=called), in_play=state.in_play.unseen())


def with_reeds(state: State, event: ReedsChanged) -> State:
    """Take the reeds as they are now; a checker that moves on them makes the looks before it old.

    A reed that is not believed moves nothing: one that chatters would blind the camera for good.
    """
    doubted = doubted_rows(state)
    reeds = tuple((_in_colours(row, state.light), shut, most) for row, shut, most in event.closed if row < ROWS)
    known = tuple(reed for reed in reeds if reed[0] >= 0 and reed[0] not in doubted)
    if doubted and known == state.sight.reeds:
        return state
    evidence = Evidence().with_reeds(known)
    return replace(state, sight=replace(state.sight, reeds=known, reeds_at=event.at, evidence=evidence))


def with_doubt(state: State, event: SlotDoubted) -> State:
    """Leave the places of a reed that lies to the camera."""
    doubted = tuple(known for known in state.doubted if (known.row, known.slot) != (event.row, event.slot))
    state = replace(state, doubted=(*doubted, event))
    rows = doubted_rows(state)
    reeds = tuple(reed for reed in state.sight.reeds if reed[0] not in rows)
    return replace(state, sight=replace(state.sight, reeds=reeds, evidence=state.sight.evidence.with_reeds(reeds)))


def doubted_rows(state: State) -> frozenset[int]:
    """Rows of the reader's colours in which a reed is not believed."""
    rows = [row for doubt in state.doubted for row in (doubt.row, *(doubt.other or ())[:1])]
    return frozenset(_in_colours(row, state.light) for row in rows)


def _in_colours(row: int, light: Side | None) -> int:
    """Row of the reader's colours for a row of the rig; -1 for the bar's while no colours are known."""
    if row not in {BAR_LIGHT, BAR_DARK} or light is Side.WHITE:
        return row
    return -1 if light is None else BAR_LIGHT + BAR_DARK - row


def with_known_dice(state: State, dice: tuple[DieTrack, ...]) -> State:
    """Remember dice that are no new throw: ``dice`` of a ruling, known ones that lie there still, those outside."""
    tracks, fresh = state.sight.dice.tracks, state.sight.dice.without(state.sight.known_dice)
    old = tuple(track for track in tracks if not track.on_board or track not in fresh)
    return replace(state, sight=replace(state.sight, known_dice=(*dice, *(die for die in old if die not in dice))))


def _with_pushed_dice(state: State, dice: TrackedDice) -> State:
    """Follow the dice of the roll when a sleeve has pushed them: a pushed die is neither lifted nor a new throw."""
    thrown = state.in_play.dice
    lying = [track for track in dice.tracks if track.on_board]
    gone = [die for die in thrown if not any(track.near(die) for track in lying)]
    moved = [track for track in lying if not any(track.near(die) for die in thrown)]
    if state.phase is not Phase.TO_PLAY or not gone or len(gone) != len(moved) or len(lying) != len(thrown):
        return state
    places: dict[DieTrack, DieTrack] = {}
    for die in gone:
        now = next((track for track in moved if track.pushed_from(die)), None)
        if now is None:
            return state
        moved.remove(now)
        places[die] = now
    own = tuple(places.get(die, die) for die in state.in_play.own_dice)
    return replace(state, in_play=replace(state.in_play, dice=tuple(places.get(d, d) for d in thrown), own_dice=own))


def _with_early_dice(state: State) -> State:
    """Keep in mind which other dice lie on the board before the mover has ended the turn for the first time."""
    over = state.in_play.lifted_looks if state.turn_end is not TurnEnd.PRESS else state.pressed_at is not None
    if state.phase is not Phase.TO_PLAY or over or state.in_play.refused:
        return state
    others = state.sight.dice.without((*state.in_play.dice, *state.in_play.own_dice))
    mover, colours = state.turn, state.sight.dice_colours
    early = tuple(
        track for track in others if track.on_board and (not mover or colours.owner(track.colour) is not mover)
    )
    return replace(state, sight=replace(state.sight, early_dice=early))


def notice_idle_dice(state: State) -> State:
    """Know dice beside the board as the other pair, put down, while no throw is awaited or none lies on the board."""
    state = _with_early_dice(state)
    tracks = state.sight.dice.tracks
    waiting = state.phase in {Phase.TO_THROW, Phase.OPENING}
    if waiting and any(track.on_board for track in tracks):
        return state
    known = tuple(track for track in state.sight.known_dice if track.on_board) if waiting else state.in_play.dice
    return with_known_dice(state, known)


def whole(sight: Sight, looks: int) -> bool:
    """Whether the scene has been seen at least ``looks`` times, all of it."""
    return sight.scene is Scene.QUIET and sight.evidence.looks >= looks and not sight.evidence.hidden


def _lifted(dice: TrackedDice, own: tuple[DieTrack, ...]) -> bool:
    """Whether none of the mover's dice lies where it lay; where they are not known, whether none is on the board."""
    if not own:
        return not any(track.on_board for track in dice.tracks)
    return not any(track.near(die) for track in dice.tracks for die in own)


def beside_the_board(dice: TrackedDice) -> tuple[DieTrack, ...]:
    """The dice that lie there, but not on the board."""
    return tuple(track for track in dice.tracks if not track.on_board)


def thrown_beside(state: State) -> bool:
    """Whether two dice have just come to lie beside the board on the thrower's side, and none on it.

    They may have been thrown there or laid down: only the players know, so the throw is awaited as before.
    """
    before, awaited = state.sight.beside, state.phase is Phase.TO_THROW and state.sight.scene is Scene.QUIET
    if not awaited or before is None or state.turn is None or state.turn_end is TurnEnd.HANDOVER:
        return False
    new = [die for die in beside_the_board(state.sight.dice) if not any(die.near(old) for old in before)]
    theirs = [die for die in new if die.looks >= LOOKS_TO_ASK and on_side_of(die, state.turn)]
    fresh = state.sight.dice.without(state.sight.known_dice)
    return len(theirs) == DICE and not any(die.on_board for die in fresh)


def _kept(state: State, dice: TrackedDice) -> bool:
    """Whether the mover has laid their dice down on their own side where they have to hand them over.

    Only what shows a number of the roll for sure is one of them; and the opponent, who has thrown, has them.
    """
    roll = state.roll
    if state.turn_end is not TurnEnd.HANDOVER or state.phase is not Phase.TO_PLAY or not state.turn or not roll:
        return False
    if any(track.on_board for track in dice.without((*state.sight.known_dice, *state.in_play.dice))):
        return False
    laid = [track for track in beside_the_board(dice) if not any(track.near(old) for old in state.in_play.beside)]
    return any(on_side_of(track, state.turn) and _shows(track, roll) for track in laid)


def _shows(die: DieTrack, roll: Roll) -> bool:
    face, probability = die.face
    return face in {roll.high, roll.low} and probability >= SURE


def on_side_of(die: DieTrack, side: Side) -> bool:
    """Whether ``die`` lies nearer to ``side`` than to the opponent: White sits at v = 0."""
    return (die.v < 0.5) is (side is Side.WHITE)


def looks_wanted(state: State) -> bool:
    """Whether another look at the quiet scene can bring a ruling, or the question in its place."""
    if state.phase is Phase.SETUP:
        return True
    if state.phase is Phase.TO_PLAY:
        return state.in_play.press is not None and state.in_play.press.looks <= LOOKS_TO_ASK
    return state.phase in {Phase.OPENING, Phase.TO_THROW} and _dice_not_ruled_on(state)


def _dice_not_ruled_on(state: State) -> bool:
    """Whether dice lie there that nobody has ruled on or asked about yet."""
    sight = state.sight
    if sight.asked or state.cube.offered_by is not None or sight.dice.looks >= LOOKS_TO_ASK + LOOKS_SPARE:
        return False
    return any(die.on_board for die in sight.dice.without(sight.known_dice))


def with_device(state: State, event: DeviceChanged) -> State:
    """Keep in mind that a device was lost or came back."""
    others = tuple(entry for entry in state.devices if entry[0] is not event.device)
    was_lost = state.lost(event.device)
    state = replace(state, devices=(*others, (event.device, event.up, event.why)))
    if event.device is Device.REEDS and event.up and was_lost:
        # Somebody has been at the plug: the board is believed until a reed is found faulty again.
        return replace(state, doubted=())
    if event.device is not Device.CAMERA or event.up is not was_lost:
        return state
    if event.up:
        return replace(state, sight=replace(state.sight, strange=True))
    sight = state.sight
    touched = Evidence().with_reeds(sight.reeds)
    sight = replace(sight, scene=Scene.UNREADABLE, evidence=touched, settled=Evidence(), dice=TrackedDice())
    return replace(state, sight=sight, in_play=state.in_play.unseen())

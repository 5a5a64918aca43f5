"""A referee who sees the truth, for tests of the table without the product's referee."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.adapters.shown import ShownPhase as Phase
from controller.rules import Ruleset, Side, ruleset
from controller.simulator.actions import Helped, LiftDice, PlannedFault, Press, Rest, SetUp, TableEntry
from controller.simulator.layout import OFF
from controller.simulator.plan import QUICK
from controller.simulator.table import VirtualTable
from controller.simulator.table_state import Stage, TableState, with_entry
from controller.simulator.visible import SeenHypothesis, SeenRuling, Subject, Verdict, VisibleState

FRAME_MS = 100


@dataclass
class ScriptedReferee:
    """Rules as a perfect referee would, unless it is to err.

    ``overlook`` swallows actions that it fails to notice; ``stubborn`` legal plays are refused so many times each; a
    ``clueless`` one asks about every play without a state that fits; with ``misreads`` it accepts some plays as if
    nothing had moved.
    """

    rules: Ruleset
    overlook: Callable[[TableEntry], bool] = lambda _entry: False
    ask_about_plays: bool = False
    stubborn: int = 0
    clueless: bool = False
    misreads: bool = False
    refusals: int = 0
    state: TableState = field(default_factory=TableState)
    seen: VisibleState = field(default_factory=lambda: VisibleState(Phase.SETUP))
    waiting_press: bool = False
    rulings: int = 0
    early: bool = False
    """The opponent of the side on turn has thrown already."""

    def notice(self, entry: TableEntry) -> None:
        self.state = with_entry(self.state, entry)
        if self.overlook(entry):
            return
        match entry.action:
            case SetUp():
                self.seen = replace(self.seen, phase=Phase.SETUP)
            case Rest(fault=PlannedFault.PREMATURE):
                self.early = True
            case Rest():
                self._throw_rests(entry.action)
            case Press() | LiftDice(ends_turn=True):
                self.waiting_press = True
            case Helped():
                self._obey(entry.action)
            case _:
                pass

    def look(self) -> VisibleState:
        """Finish what needs a clear view, then show the display."""
        state = self.state
        if state.world.hand is None and self.seen.phase is Phase.SETUP and state.stage is Stage.SETTING_UP:
            self._begin()
        if state.world.hand is None and self.waiting_press and state.turn.choice is not None:
            self.waiting_press = False
            self._rule_on_play()
        return self.seen

    def _begin(self) -> None:
        starter = {"winner": self.state.last_winner}.get(self.rules.next_start)
        phase = Phase.TO_THROW if starter else Phase.OPENING
        self.seen = replace(self.seen, phase=phase, side=starter, game=self.state.game)

    def _throw_rests(self, rest: Rest) -> None:
        state = self.state
        if state.stage is Stage.OPENING:
            if len(state.turn.resting) < 2:
                return
            white, black = (state.world.dice_of(side)[0].face for side in (Side.WHITE, Side.BLACK))
            self._rule(Subject.THROW, Verdict.VALID, roll=(white, black))
            if white != black:
                phase = Phase.TO_PLAY if self.rules.opening_dice == "use" else Phase.TO_THROW
                side = Side.WHITE if white > black else Side.BLACK
                self.seen = replace(self.seen, phase=phase, side=side, roll=(max(white, black), min(white, black)))
        elif rest.fault is not None:
            self._rule(Subject.THROW, Verdict.RE_ROLL, reason=rest.fault.value)
        else:
            roll = tuple(die.face for die in rest.dice)
            self._rule(Subject.THROW, Verdict.VALID, roll=roll)
            self.seen = replace(self.seen, phase=Phase.TO_PLAY, roll=roll)

    def _rule_on_play(self) -> None:
        choice = self.state.turn.choice
        assert choice is not None
        assert self.state.world.position() == choice.end, "the players pressed before the checkers were in place"
        if self.clueless:
            self._rule(Subject.PLAY, Verdict.PLEASE_LOOK)
            self.seen = replace(self.seen, phase=Phase.DECIDING)
        elif self.ask_about_plays:
            hypotheses = (
                SeenHypothesis(None, None, legal=False),
                SeenHypothesis(choice.end, None, legal=not choice.wrong),
            )
            self._rule(Subject.PLAY, Verdict.PLEASE_LOOK, hypotheses=hypotheses)
            self.seen = replace(self.seen, phase=Phase.DECIDING)
        elif choice.wrong or self.refusals < self.stubborn:
            self.refusals += not choice.wrong
            hypotheses = (SeenHypothesis(choice.end, None, legal=not choice.wrong),)
            self._rule(
                Subject.PLAY, Verdict.REFUSED, reason=choice.wrong[0] if choice.wrong else "", hypotheses=hypotheses
            )
        else:
            self.refusals = 0
            self._accept()
            if self.misreads and self.rulings % 4 == 2 and self.seen.phase is Phase.TO_THROW:
                self.seen = replace(self.seen, position=self.state.turn.before)

    def _accept(self) -> None:
        side = self.state.turn.side
        self._rule(Subject.PLAY, Verdict.ACCEPTED)
        over = self.state.world.position().count(side, OFF) == self.rules.game.checkers
        self.seen = replace(
            self.seen,
            phase=Phase.GAME_OVER if over else Phase.TO_THROW,
            side=None if over else side.other,
            roll=None,
            position=self.state.world.position(),
        )
        if self.early:
            self.early = False
            self._rule(Subject.THROW, Verdict.RE_ROLL, reason=PlannedFault.PREMATURE.value)

    def _obey(self, help_: Helped) -> None:
        state = self.state
        match help_.verb.value:
            case "confirm":
                assert self.seen.ruling is not None
                assert self.seen.ruling.hypotheses[help_.hypothesis].position == state.world.position()
                self.refusals = 0
                self._accept()
            case "refuse":
                self._rule(Subject.PLAY, Verdict.REFUSED)
                self.seen = replace(self.seen, phase=Phase.TO_PLAY, side=state.turn.side, position=None)
            case "correct":
                assert help_.position == state.world.position()
                self.seen = replace(
                    self.seen, phase=Phase.TO_THROW, side=help_.turn, roll=None, position=help_.position
                )
            case "set_roll":
                assert help_.roll is not None
                self._rule(Subject.THROW, Verdict.VALID, roll=help_.roll)
                self.seen = replace(self.seen, phase=Phase.TO_PLAY, roll=help_.roll)
            case "void_throw":
                self._rule(Subject.THROW, Verdict.RE_ROLL, reason="by_arbiter")
                self.seen = replace(self.seen, phase=Phase.TO_THROW, roll=None)
            case _:
                pass

    def _rule(
        self,
        subject: Subject,
        verdict: Verdict,
        roll: tuple[int, ...] | None = None,
        reason: str | None = None,
        hypotheses: tuple[SeenHypothesis, ...] = (),
    ) -> None:
        self.rulings += 1
        ruling = SeenRuling(str(self.rulings), subject, verdict, roll, reason, hypotheses)
        self.seen = replace(self.seen, ruling=ruling)


def sit_down(
    path: Path,
    name: str,
    *,
    seed: int = 1,
    games: int = 1,
    faults: bool = False,
    referee: ScriptedReferee | None = None,
) -> tuple[VirtualTable, ScriptedReferee]:
    """Return a table at ``path`` with a scripted referee who has followed it so far."""
    rules = ruleset(name)
    table = VirtualTable(rules, path, seed=seed, games=games, faults=faults, tempo=QUICK)
    referee = referee or ScriptedReferee(rules)
    for entry in table.entries:
        referee.notice(entry)
        referee.look()
    table.listen(lambda entry, _world: referee.notice(entry))
    return table, referee


def play_on(table: VirtualTable, referee: ScriptedReferee, *, frames: int = 200_000) -> int:
    """Let virtual time run until the players get up; return how many frames that took."""
    now_ms = table.now_ms
    for frame in range(frames):
        if table.done:
            return frame
        now_ms += FRAME_MS
        table.show(referee.look())
        table.advance(now_ms)
    msg = f"the table stands still in {table.state.stage} with {referee.seen}"
    raise AssertionError(msg)

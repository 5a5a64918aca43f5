"""A ruleset: every disputed question of the rules with one answer each."""

from dataclasses import dataclass, fields
from typing import Literal

from controller.rules.game import Game, RulesetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One answer to every question of ``docs/rules.md``; made by ``ruleset`` or ``house_rules``.

    Points are match points, ``_s`` are seconds; 0 points mean that the result does not exist.
    Raises RulesetError for a combination that cannot be played, with the reason.
    """

    name: str
    game: Game
    first_mover: Literal["throw", "random"]
    opening_dice: Literal["use", "reroll"]
    next_start: Literal["throw", "winner", "loser", "swap_black", "random"]
    colour_by_throw: bool
    head: Literal[1, "unlimited"]
    head_first: Literal["three_doubles", "six_only", "azeri", "any_double", "seed003", "none"]
    head_exception: Literal["forced", "optional"]
    block: Literal["ahead", "home", "never", "free"]
    block_check: Literal["end_of_turn", "each_step"]
    bear_off: Literal["normal", "exact"]
    cascade: bool
    cascade_free_turns: int
    handover: bool
    score: Literal["kinds", "difference"]
    oin: int
    mars: int
    koks: int
    koks_when: Literal["first_quarter", "head", "bar_or_home", "never"]
    home_mars: int
    last_move: bool
    play: Literal["match", "money", "single"]
    length: int
    cube: bool
    cube_progression: Literal["geometric", "arithmetic"]
    cube_limit: int
    crawford: bool
    jacoby: bool
    beaver: bool
    auto_double: int
    dice_area: Literal["one_half", "right_half", "any"]
    on_checker: Literal["void", "valid_flat"]
    kestum: Literal["off", "opponent", "either"]
    kestum_per_turn: int
    premature: Literal["stands", "void", "opponent_chooses"]
    call_reroll: Literal["software", "opponent_agrees"]
    illegal: Literal["legal_moves", "responsible", "condone"]
    turn_end: Literal["clock", "dice_lift", "dice_handover", "bar_tap"]
    turn_end_without_clock: Literal["dice_lift", "dice_handover", "bar_tap"]
    clock: Literal["none", "simple_delay", "bronstein", "bronstein_credit", "fischer", "sudden_death", "hourglass"]
    delay_s: int
    reserve_s_per_point: int
    reserve_s: int
    flag: Literal["match_lost", "penalty_points"]
    cocked_clock: Literal["runs", "delay_restarts"]
    premature_delay: Literal["kept", "lost"] = "kept"
    resign_contact: Literal["allowed", "asked", "refused"] = "allowed"
    early_lift: Literal["warning", "delay_lost"] = "warning"
    early_press: Literal["illegal_play", "taken_back"] = "illegal_play"
    fallen_dice: Literal["clock_runs", "clock_stops"] = "clock_runs"
    opening_die: Literal["stays", "may_be_moved"] = "stays"
    raccoon: bool = False
    breaks: int = 0

    def __post_init__(self) -> None:
        for impossible, reason in _conflicts(self):
            if impossible:
                msg = f"ruleset {self.name!r}: {reason}"
                raise RulesetError(msg)

    @property
    def turn_ends_by(self) -> str:
        """The sign that ends a turn here: the clock if there is one, else the sign without it."""
        if self.turn_end == "clock" and self.clock == "none":
            return self.turn_end_without_clock
        return self.turn_end

    @property
    def ends_by_press(self) -> bool:
        """Whether the players press a button to end a turn: that of the clock, or one that stands for the bar."""
        return self.turn_ends_by in {"clock", "bar_tap"}

    def reserve_ms(self, length: int | None = None, scored: tuple[int, int] = (0, 0)) -> int:
        """Return each side's reserve in milliseconds for a match of ``length`` points (the ruleset's own if None).

        A clock that comes in at ``scored`` points gives the mean of the points that both still need
        (WBGF 3.5; US clock rules 2013, 2.1). A fixed ``reserve_s`` counts for the whole match.
        """
        if self.reserve_s:
            return self.reserve_s * 1000
        points = self.length if length is None else length
        return (2 * points - sum(scored)) * self.reserve_s_per_point * 1000 // 2


def _conflicts(r: Ruleset) -> tuple[tuple[bool, str], ...]:
    """Return what cannot be played together, each with its reason."""
    long_family = not r.game.opposed
    return (
        (r.game.opposed and r.block != "free", f"block={r.block!r} is a rule of the long games, {r.game.value} hits"),
        (r.game.opposed and r.head != "unlimited", f"head={r.head!r} is a rule of the long games"),
        (
            r.head == "unlimited" and r.head_first != "none",
            f"head_first={r.head_first!r} excepts from a head rule that head='unlimited' does not have",
        ),
        (
            r.premature == "void" and r.premature_delay == "lost",
            "premature_delay='lost' is the price of a throw that stands; with premature='void' none does",
        ),
        (
            long_family and r.koks_when == "bar_or_home",
            "koks_when='bar_or_home' needs a bar; in the long games the road itself crosses the opponent's home",
        ),
        (
            r.game.opposed and r.koks_when in {"first_quarter", "head"},
            f"koks_when={r.koks_when!r} is a rule of the long games",
        ),
        (
            r.koks > 0 and r.koks_when == "never",
            f"koks={r.koks} needs koks_when, what makes it one",
        ),
        (r.score == "difference" and r.koks + r.home_mars > 0, "score='difference' has no koks and no home mars"),
        (r.oin < 1, f"oin={r.oin}: a won game is worth at least one point"),
        (0 < r.mars < r.oin, f"mars={r.mars} is worth less than oin={r.oin}"),
        (r.handover and not r.cascade, "handover=true hands over a doubles cascade: it needs cascade=true"),
        (
            r.cascade_free_turns > 0 and not r.cascade,
            f"cascade_free_turns={r.cascade_free_turns} delays a cascade: it needs cascade=true",
        ),
        (r.cascade and r.game.opposed, f"cascade=true is crazy nardy, a long game; game is {r.game.value!r}"),
        (r.play == "match" and r.length < 1, f"play='match' needs length >= 1, got {r.length}"),
        (r.crawford and r.play != "match", f"crawford=true is a rule of matches, play is {r.play!r}"),
        (r.crawford and not r.cube, "crawford=true needs cube=true"),
        (r.jacoby and r.play == "match", "jacoby=true is a money rule, play is 'match'"),
        (r.jacoby and not r.cube, "jacoby=true needs cube=true"),
        (r.beaver and (r.play != "money" or not r.cube), "beaver=true is a money rule: play='money' and cube=true"),
        (r.raccoon and not r.beaver, "raccoon=true answers a beaver: it needs beaver=true"),
        (
            r.auto_double > 0 and (r.play != "money" or not r.cube),
            f"auto_double={r.auto_double} is a money rule: play='money' and cube=true",
        ),
        (
            r.cube_progression == "geometric" and r.cube_limit > 0 and r.cube_limit & (r.cube_limit - 1) != 0,
            f"cube_limit={r.cube_limit} is no face of a cube that doubles: 64, or 6 with cube_progression='arithmetic'",
        ),
        (r.colour_by_throw and r.first_mover != "throw", "colour_by_throw=true needs first_mover='throw'"),
        (
            r.opening_dice == "use" and r.first_mover == "random",
            "opening_dice='use' needs an opening throw, first_mover is 'random'",
        ),
        (r.kestum != "off" and r.kestum_per_turn < 1, f"kestum={r.kestum!r} needs kestum_per_turn >= 1"),
        (
            r.clock == "none" and r.delay_s + r.reserve_s + r.reserve_s_per_point > 0,
            "a delay or a reserve needs a clock, clock is 'none'",
        ),
        (
            r.clock != "none" and r.reserve_s + r.reserve_s_per_point == 0,
            f"clock={r.clock!r} needs reserve_s or reserve_s_per_point",
        ),
        (
            r.clock in {"simple_delay", "bronstein", "bronstein_credit", "fischer"} and r.delay_s == 0,
            f"clock={r.clock!r} needs delay_s",
        ),
        (
            r.clock in {"sudden_death", "hourglass"} and r.delay_s > 0,
            f"clock={r.clock!r} has no delay, got delay_s={r.delay_s}",
        ),
    )


OPTIONS = tuple(field.name for field in fields(Ruleset) if field.name != "name")
"""The names of all options, in the order of the documentation."""

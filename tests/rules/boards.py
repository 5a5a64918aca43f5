"""Boards of the adjudication cases: each side's checkers by its own points, 25 the bar, the rest borne off."""

from controller.rules import Game, Position, Roll, Ruleset, arranged, legal_plays, ruleset, varied

Counts = dict[int, int]

LONG = ("long-fnr", "long-fnr-blitz", "long-classic", "long-treegame", "long-club", "alerator-long")
"""All presets of plain long nardy."""
LONG_AND_CRAZY = (*LONG, "crazy")


def rules(preset: str, **options: object) -> Ruleset:
    """Return a preset with other answers to some options."""
    return varied(ruleset(preset), options) if options else ruleset(preset)


def board(rules: Ruleset, mine: Counts, theirs: Counts) -> Position:
    """Return the mover's view of ``mine`` against ``theirs``."""
    return arranged(rules.game, mine, theirs)


def mine_of(position: Position) -> Counts:
    """Return the mover's checkers by point, 25 the bar."""
    counts = {point: position.at(point) for point in range(1, 25) if position.at(point) > 0}
    return counts | ({25: position.bar[0]} if position.bar[0] else {})


def results(
    rules: Ruleset, mine: Counts, theirs: Counts, roll: str, *, first_turn: bool = False, second_player: bool = False
) -> list[Counts]:
    """Return what the mover may leave on the board, every possible end once."""
    ends = legal_plays(
        board(rules, mine, theirs), Roll.parse(roll), rules, first_turn=first_turn, second_player=second_player
    )
    return [mine_of(end) for end in ends]


def same(found: list[Counts], expected: list[Counts]) -> bool:
    """Whether both lists hold the same boards, in any order."""
    return sorted(map(sorted, map(dict.items, found))) == sorted(map(sorted, map(dict.items, expected)))


__all__ = ["LONG", "LONG_AND_CRAZY", "Counts", "Game", "board", "mine_of", "results", "rules", "same"]

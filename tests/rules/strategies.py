"""Random positions, rolls and rulesets for laws."""

from hypothesis import strategies as st

from controller.rules import ALL_ROLLS, Game, Position, Ruleset, ruleset, varied

rolls = st.sampled_from(ALL_ROLLS)
short_presets = st.sampled_from(["short-wbgf", "short-money", "short-ru", "nackgammon", "hyper"]).map(ruleset)


@st.composite
def long_rules(draw: st.DrawFn) -> Ruleset:
    """Return a long game with any block and bear-off rule."""
    return varied(
        ruleset(draw(st.sampled_from(["long-fnr", "khachapuri"]))),
        {
            "block": draw(st.sampled_from(["ahead", "home", "never", "free"])),
            "block_check": draw(st.sampled_from(["end_of_turn", "each_step"])),
            "bear_off": draw(st.sampled_from(["normal", "exact"])),
        },
    )


@st.composite
def positions(draw: st.DrawFn, game: Game) -> Position:
    """Return any position of ``game``: both sides spread over some points, the bar where there is one, and off."""
    number = game.checkers
    free = list(draw(st.permutations(range(24))))
    reach = draw(st.sampled_from([6, 9, 24]))
    points = [0] * 24
    bar, off = [0, 0], [0, 0]
    for who, sign in ((0, 1), (1, -1)):
        left = number
        if game.opposed and draw(st.booleans()):
            bar[who] = draw(st.integers(0, min(3, left)))
            left -= bar[who]
        if not bar[who] and draw(st.booleans()):
            off[who] = draw(st.integers(0, left - 1))
            left -= off[who]
        home = [i for i in free if i < reach] if who == 0 else free
        places = (home or free)[: draw(st.integers(1, 8))]
        for i in places:
            if not left:
                break
            count = draw(st.integers(1, left))
            points[i] += sign * count
            left -= count
            free.remove(i)
        off[who] += left
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


@st.composite
def turns(draw: st.DrawFn) -> tuple[Ruleset, Position]:
    """Return rules of any game with a position of it."""
    rules = draw(st.one_of(short_presets, long_rules()))
    return rules, draw(positions(rules.game))

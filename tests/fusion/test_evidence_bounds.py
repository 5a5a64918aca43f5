"""What looks and reeds may claim at most."""

from controller.fusion.evidence import BAR_DARK, BoardLook, Counts, Evidence, Odds

EMPTY: Odds = ((0, 0.99), (1, 0.01))


def board(*rows: tuple[int, Odds], hidden: tuple[int, ...] = ()) -> BoardLook:
    odds = [EMPTY] * 26
    for row, instead in rows:
        odds[row] = instead
    return BoardLook(
        tuple(odds[:24]), odds[24], ((0, 0.99), (-1, 0.01)) if odds[BAR_DARK] is EMPTY else odds[BAR_DARK], hidden
    )


def counts(*rows: tuple[int, int]) -> Counts:
    points = [0] * 24
    for row, count in rows:
        points[row] = count
    return Counts(tuple(points), 0, 0)


def test_a_hundred_looks_at_a_still_board_weigh_less_than_three() -> None:
    look = board((5, ((5, 0.6), (4, 0.4))))
    one, many = Evidence().with_look(look), Evidence()
    for _ in range(100):
        many = many.with_look(look)

    def prefers(evidence: Evidence) -> float:
        return evidence.log_likelihood(counts((5, 5))) - evidence.log_likelihood(counts((5, 4)))

    assert prefers(one) < prefers(many) < 3 * prefers(one)


def test_a_place_under_a_hand_has_not_been_seen_until_the_hand_is_gone() -> None:
    look = board((5, ((5, 0.9), (4, 0.1))), hidden=(5, 6))
    evidence = Evidence().with_look(look).with_look(look)
    assert evidence.hidden == (5, 6)
    assert evidence.log_likelihood(counts((5, 5))) == evidence.log_likelihood(counts((5, 4)))
    seen = evidence.with_look(board((5, ((5, 0.9), (4, 0.1)))))
    assert seen.hidden == ()
    assert seen.log_likelihood(counts((5, 5))) > seen.log_likelihood(counts((5, 4)))


def test_reeds_say_nothing_of_checkers_above_the_last_one() -> None:
    evidence = Evidence().with_reeds([(5, 5, 5)])
    assert evidence.log_likelihood(counts((5, 5))) == evidence.log_likelihood(counts((5, 8)))
    assert evidence.log_likelihood(counts((5, 4))) < evidence.log_likelihood(counts((5, 5)))


def test_no_board_has_more_checkers_of_a_set_than_there_are() -> None:
    likely: Odds = ((-2, 0.9), (0, 0.1))
    evidence = Evidence().with_look(board((3, likely), (8, likely), (12, ((2, 0.9), (0, 0.1)))))
    for seen, _ in evidence.likeliest(light_total=2, dark_total=2):
        assert sum(count for count in seen.rows() if count > 0) <= 2
        assert -sum(count for count in seen.rows() if count < 0) <= 2

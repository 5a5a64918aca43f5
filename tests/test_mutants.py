"""The list of small faults stays in step with the code; whether the tests notice them is ``tests.bench.mutants``."""

from tests.bench.mutants import ROOT, mutants


def test_every_listed_fault_applies_and_names_tests_that_are_there() -> None:
    listed = mutants()
    assert len(listed) >= 60
    for mutant in listed:
        assert mutant.applied(ROOT) != (ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.tests
        assert [test for test in mutant.tests if not (ROOT / test).exists()] == []

"""A process to be killed: plays the match in a folder to its end, before an observer, and prints how it compares."""

import sys
from pathlib import Path

from controller.cli.compose import Demonstration
from controller.simulator.account import account
from controller.simulator.truth import compare
from tests.service.observer import observer


def main() -> None:
    folder, ruleset = Path(sys.argv[1]), sys.argv[2]
    with Demonstration(folder, ruleset, observer, seed=7, games=1, faults=True) as show:
        show.run()
        record = account(show.state)
        differences = compare(show.truth().account, record)
    print(len(differences), record)


if __name__ == "__main__":
    main()

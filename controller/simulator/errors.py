"""What can be wrong with a virtual table before it begins."""


class SimulatorError(ValueError):
    """The virtual table cannot be used as asked; the text says why."""


class CannotPlayError(SimulatorError):
    """The virtual players do not know the ruleset's game well enough."""


class TableFileError(SimulatorError):
    """A table file that is none, is damaged, or belongs to another table."""

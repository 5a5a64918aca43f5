"""The command line: the only place that wires the parts together."""

from controller.cli.group import main

__all__ = ["main"]

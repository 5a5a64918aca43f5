"""The examples in the documentation of the rules and the formats run."""

import doctest
import importlib
import pkgutil

import pytest

import controller.formats
import controller.rules

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (controller.rules, controller.formats)
    for module in pkgutil.iter_modules(package.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(found) >= 15

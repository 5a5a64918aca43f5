"""What the documents name exists: links, files, modules, commands, options; their Python compiles."""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import get_args

import click
import pytest

from controller.adapters.mqtt.messages import CONTENTS
from controller.cli.group import build
from controller.locale import Lang
from controller.referee.orders import Order

ROOT = Path(__file__).parents[1]
PACKAGES = ("controller", "vision", "firmware_bridge")
FOLDERS = (*PACKAGES, "tests", "docs", "hardware", ".ci")
PROGRAM = "nardy-referee"
CHANGELOG = ROOT / "CHANGELOG.md"
DOCUMENTS = sorted(
    [
        ROOT / "README.md",
        CHANGELOG,
        ROOT / "firmware_bridge/protocol.md",
        ROOT / "hardware/README.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
)
GUIDES = [document for document in DOCUMENTS if document != CHANGELOG]
"""What describes the program as it is; the changelog also names what has gone."""

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^ {4}\S.*\n)+", re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
OPTION = re.compile(r"--?[a-z][a-z-]*")

of_documents = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
of_guides = pytest.mark.parametrize("document", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))


def _prose(text: str) -> str:
    return FENCE.sub("", text)


def _anchors(document: Path) -> set[str]:
    """The headings' anchors as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", _prose(document.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@of_documents
def test_every_link_leads_somewhere(document: Path) -> None:
    broken = []
    for link in LINK.findall(_prose(document.read_text("utf-8"))):
        if re.match("[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (document.parent / name).resolve() if name else document
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert broken == []


def _is_there(name: str, document: Path) -> bool:
    """Whether a path that a document names exists, from the root, from its own folder or in a package.

    ``NAME`` stands for any name.
    """
    name = name.replace("NAME", "*")
    bases = (ROOT, document.parent, *(ROOT / package for package in PACKAGES))
    return any(next(base.glob(name), None) is not None for base in bases)


@of_guides
def test_every_named_file_is_there(document: Path) -> None:
    words = re.findall(r"[\w.*-]+(?:/[\w.*-]+)*/?", " ".join(_code(document)))
    paths = {word for word in words if "/" in word and (word.split("/")[0] in FOLDERS or word.endswith(".py"))}
    assert [path for path in sorted(paths) if not _is_there(path, document)] == []


def _defines(module: Path, name: str) -> bool:
    """Whether the module's text names ``name`` at the start of a line, or defines or imports it."""
    return bool(re.search(rf"^(?:.*\b(?:def|class|import)\b.*\b|\s*){name}\b", module.read_text("utf-8"), re.MULTILINE))


def _resolves(dotted: str) -> bool:
    """Whether ``package.module`` or ``package.module.name`` is there, without importing it."""
    parts = dotted.split(".")
    place = ROOT
    for index, part in enumerate(parts):
        if (place / part).is_dir():
            place /= part
        elif (place / f"{part}.py").is_file():
            place = place / f"{part}.py"
            return index == len(parts) - 1 or (index == len(parts) - 2 and _defines(place, parts[-1]))
        else:
            return index == len(parts) - 1 and _defines(place / "__init__.py", part)
    return True


@of_guides
def test_every_name_is_in_the_file_that_is_said_to_have_it(document: Path) -> None:
    said = re.findall(r"`([\w.]+)` in\s+`([\w/]+\.py)`", document.read_text("utf-8"))
    lacking = [
        f"{name} in {path}"
        for name, path in said
        if not all(re.search(rf"\b{part}\b", (ROOT / path).read_text("utf-8")) for part in name.split("."))
    ]
    assert lacking == []


@of_guides
def test_every_named_module_is_there(document: Path) -> None:
    text = " ".join(_code(document))
    dotted = set(re.findall(rf"(?<![\w./@-])(?:{'|'.join((*PACKAGES, 'tests'))})(?:\.[A-Za-z_]\w*)+(?![\w/])", text))
    named = {name for name in dotted if not name.endswith((".py", ".md"))}
    assert [name for name in sorted(named) if not _resolves(name)] == []


@of_guides
def test_every_python_block_compiles(document: Path) -> None:
    for language, block in FENCE.findall(document.read_text("utf-8")):
        if language != "python":
            continue
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in PACKAGES:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                assert [name for name in names if not _resolves(name)] == []


def _code(document: Path) -> Iterator[str]:
    """Everything that stands as code in a document, a line or a span at a time."""
    text = document.read_text("utf-8")
    for _, block in FENCE.findall(text):
        yield from block.splitlines()
    prose = _prose(text)
    for block in INDENTED.findall(prose):
        yield from block.splitlines()
    yield from SPAN.findall(prose)


@cache
def _commands() -> dict[str, set[str]]:
    """Each subcommand's options; ``""`` has those of the program itself."""
    group = build(Lang.EN)
    context = click.Context(group)

    def options(command: click.Command) -> set[str]:
        return {
            name for each in command.get_params(click.Context(command)) for name in (*each.opts, *each.secondary_opts)
        }

    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {"": options(group)} | {name: options(command) for name, command in found.items() if command}


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return line.split()


def _arguments(line: str) -> list[str]:
    """What a line of code gives to ``nardy-referee``; the program's name may be left out before a command."""
    words = _words(line)
    names = [index for index, word in enumerate(words) if Path(word).name == PROGRAM]
    if names:
        return words[names[-1] + 1 :]
    return words if words and words[0] in _commands() else []


def _unknown(line: str) -> Iterator[str]:
    """The commands and options of a line of code that the program does not have."""
    arguments = _arguments(line)
    command = next((word for word in arguments if re.fullmatch("[a-z]+", word)), "")
    known = _commands().get(command)
    if known is None:
        yield f"no command {command}, in: {line}"
        return
    for word in arguments:
        option = word.partition("=")[0]
        if OPTION.fullmatch(option) and option not in known | _commands()[""]:
            yield f"no option {option}, in: {line}"


@of_guides
def test_every_command_and_option_exists(document: Path) -> None:
    wrong = [fault for line in _code(document) for fault in _unknown(line)]
    every = set[str]().union(*_commands().values())
    alone = [span for span in SPAN.findall(_prose(document.read_text("utf-8"))) if span.startswith("--")]
    wrong += [
        f"no command has {word}"
        for span in alone
        for word in _words(span)
        if word.startswith("--") and word not in every
    ]
    assert wrong == []


def test_the_feeds_page_names_every_topic_and_every_command() -> None:
    page = (ROOT / "docs/feed.md").read_text("utf-8")
    topics = [f"| `{content.topic}` |" for content in CONTENTS]
    verbs = [f"`{field.default}`" for order in get_args(Order) for field in fields(order) if field.name == "verb"]
    assert [name for name in (*topics, *verbs) if name not in page] == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (ROOT / "docs/dependencies.md").read_text("utf-8")
    extras = [each for group in project["optional-dependencies"].values() for each in group]
    names = {re.split(r"[^\w-]", each)[0] for each in (*project["dependencies"], *extras)}
    assert sorted(name for name in names if name not in page) == []

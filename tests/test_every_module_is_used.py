"""No module that only tests import: everything is reached from the command, or from a tool that the documents name."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("controller", "vision", "firmware_bridge")
ENTRY = ROOT / "nardy_referee.py"
"""The command's entry, which stands beside the packages."""
DOCUMENTS = ("*.md", "docs/**/*.md", "hardware/**/*.md", "hardware/**/*.service", "vision/**/*.md", ".ci/*")
TOOL = re.compile(r"python3? -m ((?:" + "|".join(PACKAGES) + r")(?:\.\w+)+)")


def modules() -> dict[str, Path]:
    """Every module of the product by its dotted name."""
    found = {ENTRY.stem: ENTRY}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(module: str, known: dict[str, Path]) -> Iterator[str]:
    """Names that a module imports, at the top, within a function, or by name through ``import_module``."""
    nodes = list(ast.walk(ast.parse(known[module].read_text("utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(source), names=names, level=0):
                yield source
                yield from (f"{source}.{alias.name}" for alias in names)
            case ast.Constant(value=str(name)) if name in known:
                yield name
            case ast.JoinedStr(values=[ast.Constant(value=str(package)), *_]) if package.rstrip(".") in known:
                # f"controller.cli.{name}": the modules of the package that the file names elsewhere.
                yield from (f"{package}{name}" for name in texts)
            case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(id="__name__")), *_]):
                yield from (f"{module}.{name}" for name in texts)
            case _:
                pass


def reached(start: set[str], known: dict[str, Path]) -> set[str]:
    """Every module that is imported when those of ``start`` are, their packages too."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in known or name in found:
            continue
        found.add(name)
        waiting.append(name.rpartition(".")[0])
        waiting.extend(imported(name, known))
    return found


def entry_points(known: dict[str, Path]) -> set[str]:
    """Where the product is started: its commands, and the tools that documents tell people to run with ``-m``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    scripts = {target.partition(":")[0] for target in project["scripts"].values()}
    documents = (path.read_text("utf-8") for pattern in DOCUMENTS for path in ROOT.glob(pattern) if path.is_file())
    tools = {name for text in documents for name in TOOL.findall(text)}
    assert scripts <= known.keys()
    return scripts | {f"{name}.__main__" if f"{name}.__main__" in known else name for name in tools}


def test_every_module_is_reached_from_a_command_or_a_documented_tool() -> None:
    known = modules()
    assert len(known) > 200
    unreached = sorted(known.keys() - reached(entry_points(known), known))
    assert not unreached, f"nothing but tests imports {', '.join(unreached)}"


def test_documents_name_only_tools_that_exist() -> None:
    known = modules()
    missing = sorted(entry_points(known) - known.keys())
    assert not missing, f"documents tell people to run {', '.join(missing)}"

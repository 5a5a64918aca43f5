"""A recipe: all that makes one net's weights again, as a TOML file in ``recipes/``.

``[[pictures]]`` are traced by Blender (extra ``render``), ``[[samples]]`` are drawn or cut into shards, ``[train]``
says how long and how fast. Everything counts in seeds and steps, nothing in minutes: what is made follows from the
recipe alone.
"""

import hashlib
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

RECIPES: Final = Path(__file__).parent / "recipes"
Table = TypeVar("Table")


class RecipeError(ValueError):
    """A recipe that is missing or cannot be followed; the text names file, table and key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """Boards to trace: ``boards`` of them from ``seed`` on, into ``folder``."""

    kind: str
    folder: str
    seed: int
    boards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Shards to write: ``shards`` files of ``size`` boards, scenes or traced pictures each, from ``seed`` on.

    Traced kinds cut the pictures in the folder ``pictures``, ``shards`` times, spoiled anew each time.
    """

    kind: str
    folder: str
    seed: int
    shards: int = 1
    size: int = 40
    pictures: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How to train: ``folders`` give equal shares of each batch; one that is named twice gives two."""

    folders: tuple[str, ...]
    steps: int
    batch: int
    seed: int = 1
    peak_rate: float = 2e-3
    weight_decay: float = 0.01
    average: float = 0.0
    """Share of the old in the running mean of the weights, which is what is exported; 0 exports the last weights."""
    clip: float = 0.0
    """Greatest norm of a step's gradient; 0 for any."""
    shards_at_once: int = 1
    steps_a_pool: int = 100
    """Steps until other shards are opened."""
    start: str = ""
    """Weights to start from: another recipe's checkpoint, relative to the work folder."""
    surfaces: str = ""
    """Folder of photos in the work folder, whose surfaces are laid over drawn boards."""
    keep_every: int = 250
    """Steps between checkpoints, from which a stopped run goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One net's recipe."""

    name: str
    sha256: str
    net: str
    train: Training
    pictures: tuple[Pictures, ...] = ()
    samples: tuple[Samples, ...] = ()
    held_out: tuple[str, ...] = ()
    """Folders of samples that only measure."""
    export: dict[str, Any] = field(default_factory=dict)
    """What a net's own calibration asks for."""


def load_recipe(name: str) -> Recipe:
    """Return the recipe of a net, or that of a file. Raises RecipeError."""
    file = Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml"
    try:
        content = file.read_bytes()
        tables = tomllib.loads(content.decode("utf-8"))
    except FileNotFoundError:
        known = ", ".join(sorted(path.stem for path in RECIPES.glob("*.toml")))
        msg = f"no recipe {name!r}: give one of {known}, or a TOML file"
        raise RecipeError(msg) from None
    except (OSError, ValueError) as error:
        msg = f"{file} is no recipe: {error}"
        raise RecipeError(msg) from error
    return Recipe(
        name=file.stem,
        sha256=hashlib.sha256(content).hexdigest(),
        net=str(tables.get("net", file.stem)),
        train=_table(Training, tables.get("train", {}), f"{file.name} [train]"),
        pictures=tuple(_table(Pictures, each, f"{file.name} [[pictures]]") for each in tables.get("pictures", ())),
        samples=tuple(_table(Samples, each, f"{file.name} [[samples]]") for each in tables.get("samples", ())),
        held_out=tuple(tables.get("held_out", ())),
        export=dict(tables.get("export", {})),
    )


def _table(kind: type[Table], given: dict[str, Any], where: str) -> Table:
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]  # every kind here is a dataclass
    if unknown := sorted(set(given) - known):
        msg = f"{where}: no key {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        raise RecipeError(msg)
    try:
        return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in given.items()})
    except TypeError as error:
        msg = f"{where}: {error}"
        raise RecipeError(msg) from error

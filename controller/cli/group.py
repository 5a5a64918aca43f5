"""The command ``nardy-referee``: its subcommands, its language, and how it says what went wrong."""

import logging
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from gettext import gettext
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import click

from controller.locale import Lang, plain, text
from controller.locale.clicks import speak

COMMANDS = (
    "demo",
    "run",
    "doctor",
    "calibrate",
    "replay",
    "verify",
    "export",
    "read",
    "plays",
    "evaluate",
    "fairness",
)
"""Each stands in the module of its name, which is imported when the command is used: most need cameras or nets."""

PROGRAM = "nardy-referee"

ALIKE = 0.8
"""Share of its letters by which a mistyped option is still known."""

BAD_INPUT = 2
"""Exit code for whatever the caller can put right."""


def lang_of(arguments: Sequence[str], environment: str) -> Lang:
    """Return the language of help and messages: ``--lang``, else that of the settings, else the environment's."""
    given: dict[str, str] = {}
    for argument, following in pairwise((*arguments, "")):
        name, _, value = argument.partition("=")
        given.setdefault(name, value or following)
    if "--lang" in given:
        return next((lang for lang in Lang if lang.value == given["--lang"]), Lang.EN)
    settings = _language_of(Path(given["--config"])) if "--config" in given else None
    return settings or (Lang.RU if environment.startswith("ru") else Lang.EN)


def _language_of(config: Path) -> Lang | None:
    """Return the language that the settings name; they are imported only where a command is given some."""
    named: Lang | None = import_module("controller.settings").language_of(config)
    return named


class Commands(click.Group):
    """The subcommands, each imported when it is asked for."""

    lang = Lang.EN

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """Return their names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one; None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        if not ctx.params.get("verbose"):
            # What OpenCV warns of, a device that will not open, is said by us in one line. It reads this when loaded.
            os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
        made: click.Command = import_module(f"controller.cli.{cmd_name}").command(self.lang)
        made.options_metavar = text(self.lang, "cli.options")
        return made

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write the list of subcommands without importing them."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        abouts = {name: click.Command(name, help=text(self.lang, f"cli.{name}.about")) for name in sorted(COMMANDS)}
        with formatter.section(gettext("Commands")):
            formatter.write_dl([(name, about.get_short_help_str(limit)) for name, about in abouts.items()])


def build(lang: Lang) -> click.Group:
    """Return the whole command in one language."""

    @click.group(
        cls=Commands,
        help=text(lang, "cli.about"),
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    @click.option("--lang", type=click.Choice([each.value for each in Lang]), help=text(lang, "cli.lang"))
    @click.option("-v", "--verbose", is_flag=True, help=text(lang, "cli.verbose"))
    @click.version_option(package_name="nardy-referee", help=text(lang, "cli.version"))
    def group(lang: str | None, verbose: bool) -> None:  # noqa: ARG001 - click passes by name; lang was read before
        logging.basicConfig(
            level=logging.INFO if verbose else logging.WARNING,
            format="%(asctime)s %(levelname)s %(name)s: %(message)s",
            stream=sys.stderr,
        )

    group.lang = lang
    group.options_metavar = text(lang, "cli.options")
    group.subcommand_metavar = text(lang, "cli.subcommand")
    return group


def _misused(lang: Lang, wrong: click.ClickException) -> str:
    """Say in one line what is wrong with a command, and where its help is; click's own way takes four, in English."""
    if not isinstance(wrong, click.UsageError):
        return wrong.format_message()
    name = _name(wrong)
    match wrong:
        case click.MissingParameter() if name:
            said = text(lang, "cli.missing", name=name)
        case click.NoSuchOption(option_name=option, possibilities=near):
            said = text(lang, "cli.no_such_option", name=option)
            # Click's own idea of likeness takes --folder for --colour.
            for meant in get_close_matches(option, near or (), n=1, cutoff=ALIKE):
                said += f"; {text(lang, 'cli.meant', name=meant)}"
        case click.BadParameter(message=message) if name:
            said = f"{name}: {message}"
        case _:
            said = wrong.format_message()
    command = wrong.ctx.command_path if wrong.ctx else PROGRAM
    said = said.rstrip(".")
    return f"{said}{'' if said.endswith('?') else '.'} {text(lang, 'cli.more_help', command=command)}"


def _name(wrong: click.UsageError) -> str:
    """Return the option or argument that is wrong as the help writes it, empty where it is neither."""
    parameter = wrong.param if isinstance(wrong, click.BadParameter) else None
    if isinstance(parameter, click.Argument):
        return parameter.human_readable_name
    return parameter.opts[0] if parameter else ""


def main() -> None:
    """Run the command line; whatever the caller can put right is one line and exit code 2."""
    arguments = sys.argv[1:] or ["--help"]
    lang = lang_of(arguments, os.environ.get("LC_ALL") or os.environ.get("LANG", ""))
    speak(lang)
    try:
        code = build(lang).main(args=arguments, prog_name=PROGRAM, standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as wrong:
        click.echo(text(lang, "cli.error", why=_misused(lang, wrong)), err=True)
        sys.exit(BAD_INPUT)
    except (ValueError, RuntimeError, OSError) as wrong:
        # The project's own errors are of these kinds and say what to do. With -v the way there is shown too.
        logging.getLogger(__name__).info("the way to the error", exc_info=wrong)
        click.echo(text(lang, "cli.error", why=plain(wrong, lang)), err=True)
        sys.exit(BAD_INPUT)
    # Outside its standalone mode click returns the code that a command exits with.
    if isinstance(code, int):
        sys.exit(code)

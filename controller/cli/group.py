"""The command ``nardy-referee``: its subcommands, its language, and how it says what went wrong."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

import click
import cv2

from controller.cli.calibrate import command as calibrate
from controller.cli.demo import command as demo
from controller.cli.doctor import command as doctor
from controller.cli.evaluate import command as evaluate
from controller.cli.export import command as export
from controller.cli.fairness import command as fairness
from controller.cli.plays import command as plays
from controller.cli.read import command as read
from controller.cli.replay import command as replay
from controller.cli.run import command as run
from controller.cli.setting import plain
from controller.locale import Lang, text

COMMANDS: tuple[Callable[[Lang], click.Command], ...] = (
    demo,
    run,
    doctor,
    calibrate,
    replay,
    export,
    read,
    plays,
    evaluate,
    fairness,
)

PROGRAM = "nardy-referee"

BAD_INPUT = 2
"""Exit code for whatever the caller can put right."""


def lang_of(arguments: Sequence[str], environment: str) -> Lang:
    """Return the language that help and messages come in: ``--lang``, else that of the environment."""
    for given, following in pairwise((*arguments, "")):
        name, _, value = given.partition("=")
        if name == "--lang":
            wanted = value or following
            return next((lang for lang in Lang if lang.value == wanted), Lang.EN)
    return Lang.RU if environment.startswith("ru") else Lang.EN


def build(lang: Lang) -> click.Group:
    """Return the whole command in one language."""

    @click.group(
        help=text(lang, "cli.about"), context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
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
        if not verbose:
            # What OpenCV warns of, a device that will not open, is said by us in one line.
            cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)

    for command in COMMANDS:
        group.add_command(command(lang))
    return group


def _misused(lang: Lang, wrong: click.ClickException) -> str:
    """Say in one line what is wrong with a command, and where its help is; click's own way takes four, in English."""
    if not isinstance(wrong, click.UsageError):
        return wrong.format_message()
    name = _name(wrong)
    match wrong:
        case click.MissingParameter() if name:
            said = text(lang, "cli.missing", name=name)
        case click.NoSuchOption(option_name=option):
            said = text(lang, "cli.no_such_option", name=option)
        case click.BadParameter(message=message) if name:
            said = f"{name}: {message}"
        case _:
            said = wrong.format_message()
    command = wrong.ctx.command_path if wrong.ctx else PROGRAM
    return f"{said.rstrip('.')}. {text(lang, 'cli.more_help', command=command)}"


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
        click.echo(text(lang, "cli.error", why=plain(wrong)), err=True)
        sys.exit(BAD_INPUT)
    # Outside its standalone mode click returns the code that a command exits with.
    if isinstance(code, int):
        sys.exit(code)

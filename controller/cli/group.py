"""The command ``nardy-referee``: its subcommands, its language, and how it says what went wrong."""

import logging
import os
import sys
from collections.abc import Callable, Sequence

import click

from controller.cli.demo import command as demo
from controller.cli.doctor import command as doctor
from controller.cli.evaluate import command as evaluate
from controller.cli.fairness import command as fairness
from controller.cli.plays import command as plays
from controller.cli.read import command as read
from controller.cli.replay import command as replay
from controller.cli.run import command as run
from controller.locale import Lang, text

COMMANDS: tuple[Callable[[Lang], click.Command], ...] = (
    demo,
    run,
    doctor,
    replay,
    read,
    plays,
    evaluate,
    fairness,
)

BAD_INPUT = 2
"""Exit code for whatever the caller can put right."""


def lang_of(arguments: Sequence[str], environment: str) -> Lang:
    """Return the language that help and messages come in: ``--lang``, else that of the environment."""
    for given, following in zip(arguments, (*arguments[1:], ""), strict=True):
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

    for command in COMMANDS:
        group.add_command(command(lang))
    return group


def main() -> None:
    """Run the command line; whatever the caller can put right is one line and exit code 2."""
    arguments = sys.argv[1:]
    lang = lang_of(arguments, os.environ.get("LC_ALL") or os.environ.get("LANG", ""))
    try:
        code = build(lang).main(args=arguments, prog_name="nardy-referee", standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(BAD_INPUT)
    except (ValueError, RuntimeError, OSError) as wrong:
        # The project's own errors are of these kinds and say what to do. With -v the way there is shown too.
        logging.getLogger(__name__).info("the way to the error", exc_info=wrong)
        click.echo(text(lang, "cli.error", why=str(wrong) or type(wrong).__name__), err=True)
        sys.exit(BAD_INPUT)
    # Outside its standalone mode click returns the code that a command exits with.
    if isinstance(code, int):
        sys.exit(code)

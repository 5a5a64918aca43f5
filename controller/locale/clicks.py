"""Click's own words in Russian, through gettext, where click looks for them.

The words stand in the catalogues below ``click``: the English text is what click asks for. The build compiles them
(``hatch_build.py``); in a checkout that was never installed click speaks English.
"""

import gettext
import os
from pathlib import Path

from controller.locale import Lang

DOMAIN = "click"
FOLDER = Path(__file__).parent


def speak(lang: Lang) -> None:
    """Have click speak ``lang`` from now on, in this process."""
    os.environ["LANGUAGE"] = lang.value
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)

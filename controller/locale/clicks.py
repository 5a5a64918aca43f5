"""Click's own words in Russian, through gettext, where click looks for them.

The words stand in the catalogues below ``click``: the English text is what click asks for. ``python -m
controller.locale.clicks`` compiles them into the file that gettext reads.
"""

import gettext
import os
import struct
from pathlib import Path

from controller.locale import Lang, catalogue

DOMAIN = "click"
FOLDER = Path(__file__).parent
COMPILED = FOLDER / Lang.RU.value / "LC_MESSAGES" / f"{DOMAIN}.mo"
HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=1; plural=0;\n"
"""One form for any number: what click counts is told in words that do not change."""
MAGIC = 0x950412DE


def speak(lang: Lang) -> None:
    """Have click speak ``lang`` from now on, in this process."""
    os.environ["LANGUAGE"] = lang.value
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)


def compiled() -> bytes:
    """Return the file (GNU gettext manual, 10.3: two tables of lengths and places, sorted by the English text)."""
    english, russian = catalogue(Lang.EN), catalogue(Lang.RU)
    words = {"": HEADER}
    for key in (key for key in english if key.startswith("click.")):
        # gettext finds a text with a number by its singular alone, but wants both.
        asked = f"{english[key]}\0{english[key]}" if key.startswith("click.counted.") else english[key]
        words[asked] = russian[key]
    rows = [(asked.encode(), told.encode()) for asked, told in sorted(words.items())]
    place = 28 + 16 * len(rows)
    tables, texts = [], b""
    for column in (0, 1):
        for row in rows:
            tables += [len(row[column]), place + len(texts)]
            texts += row[column] + b"\0"
    head = struct.pack("<7I", MAGIC, 0, len(rows), 28, 28 + 8 * len(rows), 0, place)
    return head + struct.pack(f"<{len(tables)}I", *tables) + texts


if __name__ == "__main__":
    COMPILED.parent.mkdir(parents=True, exist_ok=True)
    COMPILED.write_bytes(compiled())

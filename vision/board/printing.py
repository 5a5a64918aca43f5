"""A drawn page as a PDF that a printer gives its true size."""

import zlib
from typing import Final

import numpy as np
import numpy.typing as npt

POINTS_PER_MM: Final = 72 / 25.4


def page_pdf(page: npt.NDArray[np.uint8], dots_per_mm: float) -> bytes:
    """Return a PDF of one page that is filled by ``page``, grey, shape (height, width), at ``dots_per_mm``.

    PDF 1.4 (ISO 32000-1, 7.5: header, objects, their places in the file, trailer).
    """
    height, width = page.shape
    size = f"{width / dots_per_mm * POINTS_PER_MM:.2f} {height / dots_per_mm * POINTS_PER_MM:.2f}"
    pixels = zlib.compress(page.tobytes())
    drawn = f"{size.replace(' ', ' 0 0 ')} 0 0 cm /Page Do".encode()
    picture = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R "
        "/Resources << /XObject << /Page 5 0 R >> >> >>".encode(),
        f"<< /Length {len(drawn)} >>\nstream\n".encode() + drawn + b"\nendstream",
        f"<< {picture} /BitsPerComponent 8 /Filter /FlateDecode /Length {len(pixels)} >>\nstream\n".encode()
        + pixels
        + b"\nendstream",
    ]
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return bytes(out) + f"xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode()

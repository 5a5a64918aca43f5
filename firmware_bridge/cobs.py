"""Consistent Overhead Byte Stuffing for frames of at most 253 bytes: no zero inside, one zero after.

Source: S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7 (1999).
Frames here are at most 62 bytes, so the long-block case (code 0xFF) never arises.
"""


class CobsError(ValueError):
    """Bytes that no encoder makes."""


def encode(frame: bytes) -> bytes:
    """Return ``frame`` without zero bytes; the closing zero is the caller's.

    Raises CobsError when a run without zeros is longer than 253 bytes.
    """
    blocks = frame.split(b"\0")
    if (longest := max(map(len, blocks))) > 253:
        msg = f"a run of {longest} bytes without a zero is longer than 253"
        raise CobsError(msg)
    return b"".join(bytes([len(block) + 1]) + block for block in blocks)


def decode(stuffed: bytes) -> bytes:
    """Return the frame that ``stuffed`` (without its closing zero) stands for.

    Raises CobsError when a block points past the end or a zero lies inside.
    """
    if 0 in stuffed:
        msg = f"a zero byte inside {stuffed.hex()}"
        raise CobsError(msg)
    blocks = []
    at = 0
    while at < len(stuffed):
        after = at + stuffed[at]
        if after > len(stuffed):
            msg = f"the block at byte {at} of {stuffed.hex()} ends {after - len(stuffed)} bytes past the end"
            raise CobsError(msg)
        blocks.append(stuffed[at + 1 : after])
        at = after
    return b"\0".join(blocks)

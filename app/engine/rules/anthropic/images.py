"""What can be told of an image without decoding it: what kind it begins as, its size and sides."""

from base64 import b64decode

LARGEST = 10 * 1024 * 1024  # characters of base64
LONGEST = 8000  # pixels of a side
MANY, LONGEST_OF_MANY = 20, 2000  # with more images than that, sides must be shorter
BEGIN = 32  # characters of base64 that are looked at: 24 bytes
BEGINS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
}


def kind_of(data: str) -> str:
    """The media type that base64 data begins as; "" for what is none of those that are known."""
    begin = _begin(data)
    if begin[:4] == b"RIFF" and begin[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for kind, first in BEGINS.items() if begin.startswith(first)), "")


def side_of(data: str) -> int:
    """The longer side in pixels of a PNG or GIF image in base64; 0 where that is not known."""
    begin, kind = _begin(data), kind_of(data)
    if kind == "image/png":
        return max(int.from_bytes(begin[16:20], "big"), int.from_bytes(begin[20:24], "big"))
    if kind == "image/gif":
        return max(int.from_bytes(begin[6:8], "little"), int.from_bytes(begin[8:10], "little"))
    return 0


def _begin(data: str) -> bytes:
    try:
        return b64decode(data[:BEGIN])
    except ValueError:
        return b""

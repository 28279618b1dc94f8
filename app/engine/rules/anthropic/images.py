"""What can be told of an image without decoding it: what kind it begins as, and its size."""

from base64 import b64decode

LARGEST = 10 * 1024 * 1024  # characters of base64
BEGIN = 24  # characters of base64 that are looked at: 18 bytes
BEGINS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
}


def kind_of(data: str) -> str:
    """The media type that base64 data begins as; "" for what is none of those that are known."""
    try:
        begin = b64decode(data[:BEGIN])
    except ValueError:
        return ""
    if begin[:4] == b"RIFF" and begin[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for kind, first in BEGINS.items() if begin.startswith(first)), "")

"""A small server on this machine that plays the Messages API to the official SDK.

It answers with prepared replies, plain or as a stream, and keeps what it was sent.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
USAGE = {"input_tokens": 3, "output_tokens": 2}


def message(content: list[Json], stop_reason: str) -> Json:
    """A reply of the API."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": USAGE,
    }


def events(reply: Json) -> Iterator[Json]:
    """The same reply as the events of a stream."""
    yield {"type": "message_start", "message": {**reply, "content": [], "stop_reason": None}}
    for index, block in enumerate(reply["content"]):
        yield from block_events(index, block)
    end = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": USAGE}
    yield {"type": "message_stop"}


def block_events(index: int, block: Json) -> Iterator[Json]:
    """The events of one block: its empty form, then its parts."""
    empty, deltas = block, []
    if block["type"] == "text":
        empty = {**block, "text": ""}
        deltas = [{"type": "text_delta", "text": part} for part in block["text"].partition(" ")]
    elif block["type"] == "thinking":
        empty = {**block, "thinking": "", "signature": ""}
        deltas = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    elif block["type"] in ("tool_use", "server_tool_use"):
        empty = {**block, "input": {}}
        words = json.dumps(block["input"])
        deltas = [{"type": "input_json_delta", "partial_json": p} for p in (words[:5], words[5:])]
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


class Played:
    """The server: `replies` are given in order, `sent` holds the bodies that came."""

    def __init__(self, replies: list[Json]) -> None:
        self.replies = list(replies)
        self.sent: list[Json] = []
        self.address = ""

    def answer(self, body: Json) -> tuple[str, bytes]:
        """The type and the bytes of the next reply."""
        self.sent.append(body)
        reply = self.replies.pop(0)
        if not body.get("stream"):
            return "application/json", json.dumps(reply).encode()
        lines = [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events(reply)]
        return "text/event-stream", "".join(lines).encode()


@contextmanager
def playing(replies: list[Json]) -> Iterator[Played]:
    """A server that runs while the block does."""
    played = Played(replies)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            kind, answer = played.answer(body)
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    played.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield played
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

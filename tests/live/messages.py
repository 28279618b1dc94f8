"""A server of the tests that speaks the Messages API over HTTP: streamed and not, and every way
to fail. It keeps what it was sent."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.rules.messages_server import events, message

Json = dict[str, Any]
MODELS = ("claude-opus-5", "claude-haiku-5-5")


def text(said: str, stop_reason: str = "end_turn") -> Json:
    """A reply with a text alone."""
    return message([{"type": "text", "text": said}], stop_reason)


def call(name: str, given: Json, id: str = "toolu_1", stop_reason: str = "tool_use") -> Json:
    """A reply that asks for a tool."""
    block = {"type": "tool_use", "id": id, "name": name, "input": given}
    return message([{"type": "text", "text": "I will look."}, block], stop_reason)


class Failing:
    """An answer other than a good reply: `act` gets the handler of the request."""

    def __init__(self, act: "Callable[[Handler, Json], None]") -> None:
        self.act = act


def error(status: int, kind: str, said: str, **headers: str) -> Failing:
    """An error with a status."""
    return Failing(lambda handler, body: handler.refuse(status, kind, said, headers))


def raw(data: bytes, content_type: str = "application/json") -> Failing:
    """An answer of any bytes."""
    return Failing(lambda handler, body: handler.send(200, content_type, data))


def cut(reply: Json, after: int) -> Failing:
    """A stream that breaks off after some events."""
    return Failing(lambda handler, body: handler.stream(reply, upto=after))


def breaking(reply: Json, after: int, kind: str = "overloaded_error") -> Failing:
    """A stream in which an error comes after some events."""
    return Failing(lambda handler, body: handler.stream(reply, upto=after, error=kind))


def slow(reply: Json, seconds: float) -> Failing:
    """A reply whose every event is some seconds late."""
    return Failing(lambda handler, body: handler.stream(reply, pause=seconds))


def silent(seconds: float) -> Failing:
    """No answer at all for some seconds."""
    return Failing(lambda handler, body: time.sleep(seconds))


def gated(reply: Json, gate: threading.Event, after: int = 0) -> Failing:
    """A stream that waits for a gate after some events."""
    return Failing(lambda handler, body: handler.stream(reply, gate=gate, hold=after))


class Handler(BaseHTTPRequestHandler):
    """Answers one request by the next plan."""

    played: "Played"
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.split("?")[0] != "/v1/models" or not self.played.models:
            return self.refuse(404, "not_found_error", "no such page", {})
        data = [
            {"type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z"}
            for id in self.played.models
        ]
        listed = {"data": data, "has_more": False, "first_id": None, "last_id": None}
        return self.send(200, "application/json", json.dumps(listed).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        plan = self.played.next(body, dict(self.headers))
        self.close_connection = True
        try:
            if isinstance(plan, Failing):
                plan.act(self, body)
            elif body.get("stream"):
                self.stream(plan)
            else:
                self.send(200, "application/json", json.dumps(plan).encode())
        except OSError:
            pass  # the client has gone

    def send(self, status: int, kind: str, data: bytes, headers: Json | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        for name, value in (headers or {}).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status: int, kind: str, said: str, headers: Json) -> None:
        document = {"type": "error", "error": {"type": kind, "message": said}}
        self.send(status, "application/json", json.dumps(document).encode(), headers)

    def stream(
        self,
        reply: Json,
        *,
        upto: int | None = None,
        error: str = "",
        pause: float = 0,
        gate: threading.Event | None = None,
        hold: int = 0,
    ) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()
        for number, event in enumerate(events(reply)):
            if number == upto:
                break
            if gate is not None and number == hold:
                gate.wait(20)
            time.sleep(pause)
            self.event(event)
        if error:
            self.event({"type": "error", "error": {"type": error, "message": "in the stream"}})
        if upto is None or error:
            self.wfile.write(b"0\r\n\r\n")

    def event(self, event: Json) -> None:
        data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


class Played:
    """The server: `plans` are taken in order, `sent` and `headers` hold what came."""

    def __init__(self, plans: Sequence[Json | Failing]) -> None:
        self.plans = list(plans)
        self.sent: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.models: Sequence[str] = MODELS
        self.address = ""
        self._lock = threading.Lock()

    def next(self, body: Json, headers: dict[str, str]) -> Json | Failing:
        with self._lock:
            self.sent.append(body)
            self.headers.append(headers)
            if not self.plans:
                return error(500, "api_error", "the test planned no such call")
            return self.plans.pop(0)


@contextmanager
def playing(plans: Sequence[Json | Failing] = ()) -> Iterator[Played]:
    """A server that runs while the block does."""
    played = Played(plans)
    made = type("Made", (Handler,), {"played": played})
    server = ThreadingHTTPServer(("127.0.0.1", 0), made)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    played.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield played
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

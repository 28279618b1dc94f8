"""Hypothesis strategies: valid histories of the Messages API."""

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from app.engine.rules.anthropic.models import MODELS, Model
from app.engine.rules.anthropic.rows.examples import (
    ADD,
    MARK,
    WEB_SEARCH,
    Json,
    document,
    image,
    server_call,
    server_result,
)
from app.engine.rules.anthropic.signatures import sign

Draw = Callable[..., Any]

words = st.text(min_size=1, max_size=12).filter(lambda t: bool(t.strip()))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
inputs = st.dictionaries(st.text(max_size=6), json_values, max_size=3)
names = st.from_regex(r"[a-zA-Z0-9_-]{1,20}", fullmatch=True)
ID_FORMS = ("toolu_{}", "call-{}", "{}", "Z_{}-x")


def texts() -> st.SearchStrategy[Json]:
    return words.map(lambda t: {"type": "text", "text": t})


def search_results() -> st.SearchStrategy[Json]:
    return texts().map(
        lambda t: {"type": "search_result", "source": "a.md", "title": "A", "content": [t]}
    )


shown = st.builds(image) | st.builds(document) | search_results()  # what a user may show
result_lists = st.lists(texts() | shown, min_size=1, max_size=3)


@st.composite
def results(draw: Draw, ident: str) -> Json:
    """A result in one of its accepted forms: text, blocks, and but for an error "" or nothing."""
    result: Json = {"type": "tool_result", "tool_use_id": ident}
    is_error = draw(st.sampled_from((None, True, False)))
    if is_error:
        content = draw(words | st.lists(texts(), min_size=1, max_size=2))
    else:
        content = draw(st.none() | st.just("") | words | result_lists)
    if content is not None:
        result["content"] = content
    if is_error is not None:
        result["is_error"] = is_error
    return result


def thinking_settings(model: Model) -> st.SearchStrategy[Json]:
    """Settings that a model takes, with what must stand beside them."""
    kinds = {"adaptive", "enabled", "disabled", "between_tools"} - model.refused
    choices: list[Json] = [{}]
    for kind in sorted(kinds):
        thinking: Json = {"type": kind}
        if kind == "enabled":
            thinking["budget_tokens"] = 1024
        choices.append({"thinking": thinking})
    if model.disabled_effort and "disabled" in kinds:
        choices.append({"thinking": {"type": "disabled"}, "output_config": {"effort": "max"}})
    return st.sampled_from(choices)


def envelopes(name: str) -> st.SearchStrategy[Json]:
    """All of a request but its messages."""
    model = MODELS[name]
    cap = min(model.cap or 4096, 64_000)
    tools = st.lists(names, max_size=2, unique=True).map(
        lambda more: [ADD, WEB_SEARCH, *({**ADD, "name": f"x{n}"} for n in more)]
    )
    parts = st.fixed_dictionaries(
        {"model": st.just(name), "max_tokens": st.integers(1025, cap)},
        optional={
            "system": words | st.lists(texts(), min_size=1, max_size=2),
            "stop_sequences": st.lists(words, max_size=2),
            "metadata": st.just({"user_id": "u1"}),
            "stream": st.booleans(),
        },
    )
    return st.tuples(parts, tools, thinking_settings(model)).map(
        lambda drawn: {**drawn[0], "tools": drawn[1], **drawn[2]}
    )


class Builder:
    """Writes a history turn by turn, as a harness that forgets nothing."""

    def __init__(self, draw: Draw, envelope: Json, signed: bool) -> None:
        self.draw, self.envelope, self.signed = draw, envelope, signed
        self.model = MODELS[envelope["model"]]
        self.manual = envelope.get("thinking", {}).get("type") == "enabled"
        self.messages: list[Json] = []
        self.count = 0
        self.waiting: list[str] = []

    @property
    def request(self) -> Json:
        return {**self.envelope, "messages": self.messages}

    def ident(self, form: str | None = None) -> str:
        self.count += 1
        return (form or self.draw(st.sampled_from(ID_FORMS))).format(self.count)

    def say(self, role: str, blocks: Sequence[Json]) -> None:
        """One turn, in one message or in several; a lone text may be a string."""
        while blocks:
            size = self.draw(st.integers(1, len(blocks)))
            some, blocks = blocks[:size], blocks[size:]
            content: Any = list(some)
            if [block["type"] for block in some] == ["text"] and self.draw(st.booleans()):
                content = some[0]["text"]
            self.messages.append({"role": role, "content": content})

    def ask(self) -> None:
        self.say("user", self.draw(st.lists(texts() | shown, min_size=1, max_size=3)))
        self.note()

    def note(self) -> None:
        """A system message, where the model takes one."""
        if self.model.system == "yes" and self.draw(st.booleans()):
            self.say("system", self.draw(st.lists(texts(), min_size=1, max_size=2)))

    def thoughts(self, must: bool = False) -> list[Json]:
        """The thinking a reply begins with."""
        count = self.draw(st.integers(int(must), 2))
        blocks: list[Json] = []
        for _ in range(count):
            text = self.draw(st.just("") | words)
            signature = sign(self.request, blocks, text) if self.signed else "EqQBCgIYAhIM"
            block = {"type": "thinking", "thinking": text, "signature": signature}
            if not self.signed and self.draw(st.booleans()):
                block = {"type": "redacted_thinking", "data": "EqQBCgIY"}
            blocks.append(block)
        return blocks

    def start(self, must_think: bool = False) -> list[Json]:
        """The start of a reply: thinking, late results of server tools, done calls, text."""
        blocks = self.thoughts(must_think)
        blocks += [server_result(ident) for ident in self.waiting]
        self.waiting = []
        if self.draw(st.booleans()):
            ident = self.ident("srvtoolu_{}")
            blocks += [server_call(ident), server_result(ident)]
        return [*blocks, *self.draw(st.lists(texts(), max_size=1))]

    def answer(self) -> None:
        self.say("assistant", [*self.start(), *self.draw(st.lists(texts(), min_size=1))[:2]])

    def search_then_note(self) -> None:
        """An answer that ends in a server tool's result, a note, and more of the answer."""
        if self.model.system == "yes":
            ident = self.ident("srvtoolu_{}")
            self.say("assistant", [*self.start(), server_call(ident), server_result(ident)])
            self.say("system", [self.draw(texts())])
            self.answer()
        else:
            self.answer()

    def round(self, least: int = 1) -> None:
        """An assistant turn with calls, and the turn that answers them."""
        blocks = self.start(must_think=self.manual)
        idents = [self.ident() for _ in range(self.draw(st.integers(least, 3)))]
        for ident in idents:
            name = self.draw(st.sampled_from(("add", "withdrawn")))
            blocks.append(
                {"type": "tool_use", "id": ident, "name": name, "input": self.draw(inputs)}
            )
        if not self.manual and self.draw(st.booleans()):
            self.waiting = [self.ident("srvtoolu_{}")]
            place = self.draw(st.integers(len(blocks) - len(idents), len(blocks)))
            blocks.insert(place, server_call(self.waiting[0]))
        self.say("assistant", blocks)
        answers = [self.draw(results(ident)) for ident in self.draw(st.permutations(idents))]
        more = [] if self.waiting else self.draw(st.lists(texts() | shown, max_size=2))
        self.say("user", [*answers, *more])
        if not self.waiting:
            self.note()

    def pause(self) -> None:
        """A reply that stopped with pause_turn, sent back as it is."""
        blocks = self.start()
        ident = self.ident("srvtoolu_{}")
        self.say("assistant", [*blocks, server_call(ident)])

    def prefill(self) -> None:
        """The beginning of the reply, for models that go on from it."""
        content = self.draw(st.just("") | st.just([]) | words.map(lambda t: t.rstrip() + "."))
        self.messages.append({"role": "assistant", "content": content})


@st.composite
def histories(
    draw: Draw,
    *,
    models: st.SearchStrategy[str] | None = None,
    endings: Sequence[str] = ("user", "paused", "prefill"),
    rounds: int = 0,
    calls: int = 1,
    signed: bool | None = None,
) -> Json:
    """A valid request. `rounds` and `calls` are the least numbers of them, in the last exchange."""
    named = st.sampled_from(sorted(MODELS)) if models is None else models
    envelope = draw(envelopes(draw(named)))
    builder = Builder(draw, envelope, draw(st.booleans()) if signed is None else signed)
    if draw(st.booleans()):
        builder.answer()
    for _ in range(draw(st.integers(0, 1))):
        builder.ask()
        for _ in range(draw(st.integers(0, 2))):
            builder.round()
        draw(st.sampled_from((builder.answer, builder.search_then_note)))()
    builder.ask()
    for _ in range(draw(st.integers(rounds, max(rounds, 2)))):
        builder.round(calls)
    ending = draw(st.sampled_from(endings))
    thinks = envelope.get("thinking", {}).get("type", "disabled") != "disabled"
    if ending == "paused":
        builder.pause()
    elif ending == "prefill" and builder.model.prefill and not thinks and not builder.waiting:
        builder.prefill()
    request = builder.request
    return mark(draw, request)


def mark(draw: Draw, request: Json) -> Json:
    """The same request with up to four cache marks."""
    places: list[Json] = [*request["tools"]]
    for message in request["messages"]:
        if isinstance(message["content"], list):
            places += [b for b in message["content"] if "thinking" not in b["type"]]
    chosen = draw(st.lists(st.integers(0, len(places) - 1), max_size=4, unique=True))
    marked = {id(places[n]) for n in chosen}
    return _with_marks(request, marked)


def _with_marks(request: Json, marked: set[int]) -> Json:
    def one(block: Json) -> Json:
        return {**block, "cache_control": MARK} if id(block) in marked else block

    def of(message: Json) -> Json:
        content = message["content"]
        if isinstance(content, list):
            return {**message, "content": [one(block) for block in content]}
        return message

    tools = [one(tool) for tool in request["tools"]]
    return {**request, "tools": tools, "messages": [of(m) for m in request["messages"]]}

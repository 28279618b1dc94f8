"""A request body is read from any bytes, or a sentence says why not."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.requests import MOST_DEEP, MOST_DIGITS, NotARequest, read_request

REPLY = "This is a reply of the API: a request body is an object with messages in it."


@pytest.mark.parametrize(
    ("data", "said", "where"),
    [
        (b"", "There is nothing here: a request body is a JSON object.", ""),
        (b" \n ", "There is nothing here: a request body is a JSON object.", ""),
        (
            b'{\n "a": nope}',
            "This is not JSON, at line 2, column 7: a value is expected here.",
            "line 2, column 7",
        ),
        (
            b"{a: 1}",
            "This is not JSON, at line 1, column 2: a key in double quotes is expected here.",
            "line 1, column 2",
        ),
        (
            b'{"a": 1}\n{"a": 2}',
            "This is not JSON, at line 2, column 1: one value ends and another begins.",
            "line 2, column 1",
        ),
        (
            b'{"NaN": 1,\n "a": NaN}',
            "This is not JSON, at line 2, column 7: NaN is no JSON value.",
            "line 2, column 7",
        ),
        (
            b"[-Infinity]",
            "This is not JSON, at line 1, column 2: -Infinity is no JSON value.",
            "line 1, column 2",
        ),
        (b"[]", "This is JSON, but a list: a request body is an object with messages in it.", ""),
        (
            b'"x"',
            "This is JSON, but a string: a request body is an object with messages in it.",
            "",
        ),
        (b"null", "This is JSON, but null: a request body is an object with messages in it.", ""),
        (
            b"1.5",
            "This is JSON, but a number: a request body is an object with messages in it.",
            "",
        ),
        (
            b'{"a":\n"\xff"}',
            "This is not UTF-8 text: line 2, column 2 cannot be read.",
            "line 2, column 2",
        ),
        ("{}".encode("utf-16"), "This is UTF-16 text: save it as UTF-8.", ""),
        ('{"a": 1}'.encode("utf-16-be"), "This is UTF-16 text: save it as UTF-8.", ""),
        ('{"a": 1}'.encode("utf-32"), "This is UTF-32 text: save it as UTF-8.", ""),
        (
            b"curl https://example.org \\\n  -d '{\"a\": 1}'",
            "This is not JSON, at line 1, column 1: something stands before the body. Give the body"
            " alone: it begins with {.",
            "line 1, column 1",
        ),
        (
            b'\r\nPOST /v1/messages HTTP/1.1\r\n\r\n{"a": 1}',
            "This is not JSON, at line 2, column 1: something stands before the body. Give the body"
            " alone: it begins with {.",
            "line 2, column 1",
        ),
        (
            b"no object at all",
            "This is not JSON, at line 1, column 1: a value is expected here.",
            "line 1, column 1",
        ),
        (b'{"type": "message", "role": "assistant", "content": []}', REPLY, ""),
        (b'{"type": "error", "error": {"message": "x"}}', REPLY, ""),
        (b'{"object": "chat.completion", "choices": []}', REPLY, ""),
        (
            b'{"custom_id": "a", "body": {"model": "m", "messages": []}}',
            "This holds a request in body: give that alone.",
            "",
        ),
        (
            b"\x00",
            "This is not JSON, at line 1, column 1: a value is expected here.",
            "line 1, column 1",
        ),
        (
            b'{"a": "99", "b": ' + b"9" * (MOST_DIGITS + 1) + b"}",
            "A number has more than 4000 digits: line 1, column 18.",
            "line 1, column 18",
        ),
        (b"[" * 100_000, "This nests lists and objects more than 200 levels deep.", ""),
        (
            b'{"a":' * (MOST_DEEP + 1) + b"1" + b"}" * (MOST_DEEP + 1),
            "This nests lists and objects more than 200 levels deep.",
            "",
        ),
    ],
)
def test_what_is_no_request_gets_a_sentence_that_says_what_and_where(
    data: bytes, said: str, where: str
) -> None:
    with pytest.raises(NotARequest) as caught:
        read_request(data)
    assert str(caught.value) == said
    assert caught.value.where == where


@pytest.mark.parametrize(
    ("data", "request_body"),
    [
        (b"{}", {}),
        (b"\xef\xbb\xbf{}", {}),
        (b' {"a": 1e2}\n', {"a": 100.0}),
        (b'{"a": ' + b"9" * MOST_DIGITS + b"}", {"a": int("9" * MOST_DIGITS)}),
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        (b'{"a": "NaN"}', {"a": "NaN"}),
        (b'{"type": "message", "messages": []}', {"type": "message", "messages": []}),
        (b'{"body": {"a": 1}, "object": []}', {"body": {"a": 1}, "object": []}),
        (b'{"a":' * MOST_DEEP + b"1" + b"}" * MOST_DEEP, None),
    ],
)
def test_what_is_one_is_read(data: bytes, request_body: Any) -> None:
    read = read_request(data)
    assert request_body is None or read.request == request_body
    assert read.twice == ()


def test_of_a_key_that_stands_twice_the_last_counts_and_it_is_said() -> None:
    read = read_request(b'{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert read.request == {"a": 3, "b": {"c": 2}}
    assert set(read.twice) == {"a", "c"}


def test_what_is_too_large_is_not_looked_at() -> None:
    with pytest.raises(NotARequest, match="larger than 2 MB"):
        read_request(b"{" * 2_000_001, most=2_000_000)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_get_a_sentence(data: bytes) -> None:
    said = ""
    try:
        read_request(data)
    except NotARequest as error:
        said = str(error)
    assert said == "" or said.endswith(".")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), values, max_size=5), st.booleans())
def test_any_json_object_is_read_as_it_is(value: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert read_request(text.encode("utf-8", "surrogatepass")).request == value

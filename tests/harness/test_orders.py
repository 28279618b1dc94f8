"""The tools of a shop: what they find in its two files, and what they say where they find none."""

import pytest

from app.harness import Harness

FILES = {
    "orders.json": '{"48213": {"status": "delayed", "reason": "weather", "days_late": 5}}',
    "policy.json": '{"weather": {"more_than_days": 3, "refund": "shipping"}, "strike": {}}',
}
ANSWERS = [
    (
        "get_order_status",
        {"order_id": "48213"},
        "Done: order 48213\nstatus: delayed\nreason: weather\ndays_late: 5",
    ),
    (
        "get_order_status",
        {"order_id": "7"},
        'Error: there is no order "7"; ask the customer for the number',
    ),
    (
        "get_order_status",
        {"order_id": 48213},
        "Error: order_id must be a string, not a number. get_order_status takes order_id (string).",
    ),
    (
        "get_refund_policy",
        {"reason": "weather"},
        "Done: policy for delays by weather\nmore_than_days: 3\nrefund: shipping",
    ),
    (
        "get_refund_policy",
        {"reason": "rain"},
        'Error: there is no policy for "rain"; there is weather, strike',
    ),
]
NO_TABLE = "Error: orders.json must be a JSON object that holds an object for each key"


def ask(folder, name, given):
    return Harness(folder, (name,)).run({"name": name, "input": given})


@pytest.mark.parametrize(("name", "given", "said"), ANSWERS)
def test_a_shop_answers(tmp_path, name, given, said):
    for file, text in FILES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    result = ask(tmp_path, name, given)
    assert (result.content, result.is_error) == (said, said.startswith("Error"))


@pytest.mark.parametrize("text", ["[]", "{", '{"48213": "delayed"}'])
def test_a_file_that_holds_no_table_is_said_so(tmp_path, text):
    (tmp_path / "orders.json").write_text(text, encoding="utf-8")
    result = ask(tmp_path, "get_order_status", {"order_id": "48213"})
    assert (result.content, result.is_error) == (NO_TABLE, True)

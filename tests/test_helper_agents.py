"""A helper agent: its steps stand between the call that asked it and that call's result."""

import gettext
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.cli import report
from app.engine.steps import Ask, Helped, Helper, Step, Tool, Trace
from app.harness import TOOLS, Handling, Harness
from app.main import create_app
from app.paths import SCENARIOS
from app.run import library, trace_of
from app.views.addresses import Choice, Place, View
from app.views.lane import picture
from app.views.reading import Reading
from app.views.texts import Words

LESSON = library([SCENARIOS]).find("not-here")


@pytest.fixture(scope="module")
def trace() -> Trace:
    return trace_of(LESSON, "asks_a_helper", True, "en")


def kinds(steps: tuple[Step, ...]) -> list[str]:
    return [step.kind for step in steps]


def test_the_whole_run_of_the_helper_is_spliced_in_before_its_result(trace: Trace) -> None:
    inner = [step for step in trace.steps if isinstance(step, Helper)]
    first, last = trace.steps.index(inner[0]), trace.steps.index(inner[-1])
    assert last - first == len(inner) - 1
    assert trace.steps[first - 1].kind == "append"
    asked = trace.steps[last + 1]
    assert isinstance(asked, Tool)
    assert (asked.call["name"], asked.result.helped) == ("ask_helper", None)
    assert kinds(tuple(step.inner for step in inner)) == kinds(inner[0].run.steps)
    assert {step.depth for step in inner} == {1}


def test_the_list_of_the_agent_that_asked_does_not_change_meanwhile(trace: Trace) -> None:
    inner = [step for step in trace.steps if isinstance(step, Helper)]
    assert {(step.version, step.length, step.turn) for step in inner} == {(0, 2, 1)}
    assert trace.messages_sent == [1, 3, 5]
    assert inner[0].run.messages_sent == [1, 3, 5, 7]


def test_the_helper_sees_the_task_alone_and_has_its_own_rights(trace: Trace) -> None:
    run = next(step.run for step in trace.steps if isinstance(step, Helper))
    asks = [step for step in run.steps if isinstance(step, Ask)]
    assert [m["content"] for m in run.messages(asks[0])] == [
        "Write the total of May into report.txt."
    ]
    refused = [step.result.failure for step in run.steps if isinstance(step, Tool)]
    assert refused == ["", "refusal", "refusal", "refusal"]


def test_an_agent_without_a_helper_is_told_so(tmp_path: Path) -> None:
    call = {"name": "ask_helper", "input": {"task": "Look."}}
    result = Harness(tmp_path, [*TOOLS]).run(call)
    assert result.content == "Error: there is no helper here; do it yourself"


def test_a_helper_that_gives_no_answer_is_a_failed_call(tmp_path: Path) -> None:
    waits = trace_of(LESSON, "asks", True, "en")
    handling = Handling(helper=lambda task: Helped("correct", waits))
    harness = Harness(tmp_path, ["ask_helper"], handling=handling)
    result = harness.run({"name": "ask_helper", "input": {"task": "Look."}})
    assert result.is_error
    assert result.content.startswith("Error: the helper gave no answer (waits")
    assert result.helped == Helped("correct", waits)


def test_the_terminal_tells_whose_call_it_was(trace: Trace) -> None:
    lines = report(trace).splitlines()
    assert [line.split()[2] for line in lines[:6]] == [*["helper:"] * 4, "ask_helper", "write_file"]


HELPED = "/lessons/not-here?lanes=asks_a_helper&predict=off"


def test_the_whole_request_at_a_step_of_the_helper_is_its_own() -> None:
    with TestClient(create_app()) as client:
        pages = {
            step: client.get(f"{HELPED}&step={step}&tab=request").text for step in (2, 4, 8, 12, 25)
        }
    whose = {step: "The helper’s own request" in page for step, page in pages.items()}
    assert whose == {2: False, 4: True, 8: True, 12: True, 25: False}
    assert "No request has been sent yet." in pages[4]
    assert "Request 2, " in pages[12]
    assert "ask_helper" not in pages[12].split('class="envelope"')[1].split("</main>")[0]
    assert "new in request 2: 2 messages" in pages[12]
    assert "Request 1, " in pages[25]


def test_a_step_into_and_out_of_the_helpers_request_is_the_page_at_its_address(
    trace: Trace,
) -> None:
    words = Words(gettext.NullTranslations())
    reading = Reading(LESSON, LESSON.lane("asks_a_helper"), trace, words, "en")
    place = Place(LESSON, (Choice("asks_a_helper", True),), 0, View(tab="request"), "", "en")
    for step in range(1, len(trace.steps)):
        before, after = (picture(reading, place.at(n)) for n in (step - 1, step))
        for name, pieces in after.lists.items():
            ids = [piece.id for piece in pieces]
            assert len(ids) == len(set(ids))
            stays = {piece.id for piece in before.lists[name]} & set(ids)
            entered = isinstance(trace.steps[step], Helper) != isinstance(
                trace.steps[step - 1], Helper
            )
            assert not (entered and name in ("messages", "pending") and stays)


def test_both_apis_show_the_helpers_request_where_it_works() -> None:
    with TestClient(create_app()) as client:
        inside, outside = (
            client.get(f"/lessons/not-here/dialects?lanes=asks_a_helper&step={step}").text
            for step in (12, 25)
        )
    assert "the helper’s request in its turn 2" in inside
    assert inside.count("ask_helper") == 0
    assert "the helper’s request" not in outside
    assert "ask_helper" in outside


def test_what_is_copied_at_a_step_of_the_helper_is_its_own(trace: Trace) -> None:
    step = next(
        n for n, one in enumerate(trace.steps) if isinstance(one, Helper) and one.number == 6
    )
    helper = trace.steps[step]
    assert isinstance(helper, Helper)
    base = "/lessons/not-here"
    query = f"lanes=asks_a_helper&step={step}"
    with TestClient(create_app()) as client:
        page = client.get(f"{HELPED}&step={step}").text
        request = client.get(f"{base}/request.json?{query}").json()
        last = client.get(f"{base}/message.json?{query}&index={helper.inner.length - 1}").json()
        early = client.get(f"{base}/request.json?lanes=asks_a_helper&step=4")
    assert "The helper’s whole request" in page
    assert f'max="{helper.inner.length - 1}"' in page
    assert f'data-held="{helper.inner.length}"' in page  # of which the script makes the same
    assert request == helper.run.request(helper.run.asks[helper.inner.turn - 1])
    assert last == helper.run.messages(helper.inner)[-1]
    assert (early.status_code, "no request has been sent yet" in early.text) == (422, True)


def test_pages_and_programs_show_each_step_of_the_helper() -> None:
    with TestClient(create_app()) as client:
        page = client.get("/lessons/not-here?lanes=asks_a_helper&step=8&predict=off").text
        both = client.get("/lessons/not-here?lanes=asks_a_helper,read_only&step=8&predict=off").text
        run = client.get("/api/runs/not-here/asks_a_helper").json()
    assert "The helper agent:" in page
    assert "The helper’s own list: 2 messages. Ours stays as it is." in page
    assert "no helper works here" in both
    inner = [step for step in run["steps"] if step["kind"] == "helper"]
    assert inner[0]["inner"]["kind"] == "start"
    assert not any("run" in step for step in inner)
    held = [message for step in inner for message in step["inner"]["joined"]]
    assert [message["role"] for message in held[:3]] == ["user", "assistant", "user"]
    assert len(held) == 8

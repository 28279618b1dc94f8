"""What each address answers."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.paths import SCENARIOS
from app.run import library
from tests.steps import fragment_of

FOUR = "/lessons/how-many-python-files"
FIVE = "/lessons/lose-the-thread"


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        # pages
        ("/", 200, "See the loop that makes a model an agent"),
        ("/lessons/two-and-three", 200, "Two and three"),
        ("/lessons/1", 200, "Two and three"),
        (f"{FOUR}?lanes=correct", 200, "Step 0 of 14"),
        (f"{FOUR}?lanes=correct&step=7", 200, "Step 7 of 14"),
        (f"{FOUR}?lanes=forgot_results:checked&step=6", 200, "refuses request 2"),
        (f"{FOUR}?lanes=correct&tab=request&step=1", 200, "claude-opus-5"),
        # a step past the end is the last one, however far
        (f"{FOUR}?lanes=correct&step=15", 200, "Step 14 of 14"),
        (f"{FOUR}?lanes=correct&step={'9' * 5000}", 200, "Step 14 of 14"),
        (f"{FOUR}?lanes=correct&step=007", 200, "Step 7 of 14"),
        # what does not exist: the sentence lists what does
        ("/lessons/none", 404, "There is no lesson none."),
        (f"{FOUR}?lanes=none", 404, "This lesson has no lane none."),
        (f"{FOUR}?lanes=", 404, "This lesson has no lane ."),
        ("/nothing/here", 404, "There is no page at this address."),
        ("/static/x/none.css", 404, "There is no page at this address."),
        ("/static/x/../../pyproject.toml", 404, "There is no page at this address."),
        # what is in no right form: the sentence says what would be right
        (f"{FOUR}?step=seven", 422, "step is &#39;seven&#39;; it must be a number"),
        (f"{FOUR}?step=-1", 422, "step is &#39;-1&#39;; it must be a number"),
        (f"{FOUR}?step=", 422, "it must be a number"),
        (f"{FOUR}?step=%D9%A7", 422, "it must be a number"),
        (f"{FOUR}?lanes=correct:off", 422, "has no option"),
        (f"{FOUR}?lanes=correct,correct", 422, "The lane correct stands twice"),
        (
            f"{FIVE}?lanes=correct,swapped_ids,forgot_round,forgot_assistant,text_only",
            422,
            "A page shows one to 4 lanes; this address names 5.",
        ),
        (f"{FOUR}?lang=xx", 422, "lang is &#39;xx&#39;; it may be en"),
        (f"{FOUR}?tab=xx", 422, "tab is &#39;xx&#39;; it may be request"),
        (f"{FOUR}?keys=xx", 422, "keys is &#39;xx&#39;; it may be off"),
        (f"{FOUR}?stepp=1", 422, "it may have lanes, step, at, lang, theme"),
        (f"{FOUR}?step=1&step=2", 422, "The key step stands twice"),
        ("/?lang=xx", 422, "lang is &#39;xx&#39;; it may be en"),
    ],
)
def test_an_address_answers(client: TestClient, address: str, status: int, says: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert says in re.sub(r"</?(b|code)>", "", answer.text)


@pytest.mark.parametrize("address", ["/", f"{FOUR}?lanes=correct", FOUR])
def test_head_answers_as_get_does(client: TestClient, address: str) -> None:
    answer = client.head(address)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["etag"] == client.get(address).headers["etag"]


@pytest.mark.parametrize("address", ["/", f"{FOUR}?lanes=correct&step=3", FOUR])
def test_a_page_that_has_not_changed_is_not_sent_again(client: TestClient, address: str) -> None:
    first = client.get(address)
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    again = client.get(address, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_page_depends_on_the_reader_only_where_its_address_names_no_language(
    client: TestClient,
) -> None:
    assert "Accept-Language" in client.get(FOUR).headers["vary"]
    assert "Accept-Language" not in client.get(f"{FOUR}?lang=en").headers.get("vary", "")


def test_a_language_once_chosen_stays_in_every_link(client: TestClient) -> None:
    html = client.get(f"{FOUR}?lanes=correct&step=3&lang=en").text
    links = re.findall(r'<a (?![^>]*hreflang)[^>]*href="(/lessons/[^"]*)"', html)
    assert len(links) > 20
    assert [address for address in links if "lang=en" not in address] == []


def test_a_fragment_is_kept_for_ever_and_depends_on_nothing_but_its_address(
    client: TestClient,
) -> None:
    page = client.get(f"{FOUR}?lanes=correct&step=3").text
    answer = client.get(fragment_of(page), headers={"Accept-Encoding": "identity"})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "accept-language" not in answer.headers.get("vary", "").lower()
    assert "hx-" not in answer.headers.get("vary", "").lower()


def test_a_fragment_of_another_version_makes_the_page_load_anew(client: TestClient) -> None:
    page = client.get(f"{FOUR}?lanes=correct&step=3").text
    fragment = fragment_of(page)
    digest = fragment.split("/")[2]
    answer = client.get(fragment.replace(digest, "0" * len(digest)))
    assert answer.status_code == 404
    assert answer.headers["hx-redirect"] == f"{FOUR}?lanes=correct&step=4"
    assert answer.headers["cache-control"] == "no-store"


def test_an_edit_of_a_lesson_changes_its_fragments_addresses_and_shows_on_reload(
    client_of: Callable[..., TestClient], tmp_path: Path
) -> None:
    yaml = "title: Own\ntask: {}\nlanes: [{{loop: correct}}]\nscript: [{{text: Yes.}}]\n"
    client = client_of(yaml.format("Is it so?"))
    before = client.get("/lessons/own").text
    (tmp_path / "own" / "lesson.yaml").write_text(yaml.format("Is it so now?"), encoding="utf-8")
    after = client.get("/lessons/own").text
    assert "Is it so now?" in after
    assert fragment_of(before) != fragment_of(after)
    assert client.get(fragment_of(before)).headers["hx-redirect"] == "/lessons/own?step=1"


@pytest.mark.parametrize("move", ["x-1", "1-x", "to-x", "1", "to", "-1-2", "1-2-3", "0x1-2", "١-٢"])
def test_a_fragment_with_no_right_move_is_refused(client: TestClient, move: str) -> None:
    page = client.get(f"{FOUR}?lanes=correct").text
    fragment = fragment_of(page).rpartition("/")[0]
    assert client.get(f"{fragment}/{move}").status_code == 422


def test_a_static_file_is_kept_for_ever_under_its_own_version_only(client: TestClient) -> None:
    html = client.get("/").text
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', html)
    assert len(files) >= 2
    for file in files:
        answer = client.get(file)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    version = files[0].split("/")[2]
    old = client.get(files[0].replace(version, "0" * len(version)))
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    "address",
    ["/", FOUR, f"{FOUR}?lanes=correct", "/lessons/none", f"{FOUR}?step=x", "/static/x/base.css"],
)
def test_every_answer_has_the_security_headers(client: TestClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'self'"
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("address", ["/", FOUR, f"{FOUR}?lanes=correct&step=3", "/lessons/none"])
def test_no_page_holds_inline_script_or_style_or_a_foreign_address(
    client: TestClient, address: str
) -> None:
    html = client.get(address).text
    assert not re.search(
        r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\bsrc=)|javascript:|hx-on", html
    )
    loaded = re.findall(r'\b(?:href|src|action)="([^"]*)"', html)
    assert [url for url in loaded if not url.startswith("/") or url.startswith("//")] == []


def test_a_request_by_another_hosts_name_is_refused(client: TestClient) -> None:
    assert client.get("/", headers={"Host": "attacker.example"}).status_code == 400
    assert client.get("/", headers={"Host": "localhost:8000"}).status_code == 200


def test_answers_are_packed_for_those_who_take_it(client: TestClient) -> None:
    packed = client.get(FOUR, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert (
        "content-encoding" not in client.get(FOUR, headers={"Accept-Encoding": "identity"}).headers
    )


def test_a_fault_of_ours_is_a_page_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.web import overview

    def fail(*args: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(overview, "overview", fail)
    with TestClient(create_app(), raise_server_exceptions=False) as client:
        answer = client.get("/")
    assert answer.status_code == 500
    assert "Halqa made a mistake" in answer.text
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("wanted", "code"), [("en", "en"), ("xx, en;q=0.5", "en"), ("", "en"), (";;;q=x,,", "en")]
)
def test_a_page_without_a_language_in_its_address_comes_in_the_readers(
    client: TestClient, wanted: str, code: str
) -> None:
    answer = client.get("/", headers={"Accept-Language": wanted})
    assert f'<html lang="{code}"' in answer.text


# --- the overview


def test_the_overview_lists_every_lesson_with_an_ending_for_each_lane(client: TestClient) -> None:
    html = client.get("/").text
    listed = re.findall(r'<li><a href="(/lessons/[^"]+)"><span class="number">(\d+)', html)
    numbers = [lesson.number for lesson in library([SCENARIOS]).lessons()]
    assert [int(number) for _, number in listed] == numbers
    for address, _ in listed:
        assert client.get(address).status_code == 200
    (marks,) = re.findall(r"<b[^>]*>How many Python files\?</b>.*?</li>", html, re.DOTALL)
    assert re.findall(r"mark (\w+)", marks) == ["answer", "no_answer", "refused"]


def test_one_press_on_the_overview_starts_lesson_4_with_its_lanes(client: TestClient) -> None:
    html = client.get("/").text
    (address,) = re.findall(r'<a class="button main go" href="([^"]+)"', html)
    assert address == FOUR
    shown = client.get(address).text
    assert all(lane in shown for lane in ("correct", "forgot_results", "missing_tool_use_id"))


def test_the_overview_shows_the_strips_that_the_loops_left(client: TestClient) -> None:
    html = client.get("/").text
    strips = re.findall(r'<code>(\w+)</code></a><span class="strip"[^>]*>(.*?)\n', html)
    signs = {
        name: "".join(
            "." if "hole" in look else letter
            for look, letter in re.findall(
                r'<span class="sign ([^"]*)"[^>]*><span[^>]*>(.?)<', strip
            )
        )
        for name, strip in strips
    }
    assert signs == {
        "correct": "UARARA",
        "forgot_results": "UA.A.A.A.A.A.",
        "missing_tool_use_id": "UA?",
    }


def test_a_lesson_that_cannot_be_read_is_listed_with_its_sentence_and_the_others_are_served(
    client_of: Callable[..., TestClient],
) -> None:
    client = client_of("title: Own\ntask: Why?\nlanes: [{loop: none}]\nscript: [{text: Yes.}]\n")
    html = client.get("/").text
    assert "1 lesson cannot be read" in html
    said = re.sub("</?code>", "", html)
    assert "own/lesson.yaml, line 3: there is no loop &#39;none&#39;" in said
    assert "Two and three" in html
    assert client.get("/lessons/own").status_code == 404


def test_a_lesson_in_another_language_is_shown_in_that_language(
    client_of: Callable[..., TestClient],
) -> None:
    client = client_of(
        "language: fa\ntitle: یک\ntask: چرا؟\nlanes: [{loop: correct}]\nscript: [{text: بله.}]\n"
    )
    html = client.get("/lessons/own?step=2").text
    assert "چرا؟" in html
    assert "بله." in html


@pytest.mark.parametrize(
    ("file", "status"),
    [
        ("fonts+base.css", 200),
        ("step+copy.js", 200),
        ("base+none.css", 404),
        ("base+step.css", 404),
        ("base+..%2Fbase.css", 404),
        ("base+base.txt", 404),
        ("+.css", 404),
        ("base" + 9 * "+base" + ".css", 404),
    ],
)
def test_styles_and_scripts_come_together(client: TestClient, file: str, status: int) -> None:
    assert client.get(f"/static/x/{file}").status_code == status


@pytest.mark.parametrize(
    ("names", "comment"),
    [
        (("base.css", "lane.css", "base+lane.css"), r"/\*.*?\*/"),
        (("step.js", "copy.js", "step+copy.js"), r"^\s*//.*?$"),
    ],
)
def test_joined_files_stand_one_after_the_other_without_comments_and_indentation(
    client: TestClient, names: tuple[str, ...], comment: str
) -> None:
    one, other, both = (client.get(f"/static/x/{name}").text for name in names)
    whole = re.sub(comment, "", f"{one}\n{other}", flags=re.DOTALL | re.MULTILINE)
    lines = [line.lstrip() for line in whole.split("\n")]
    assert [line for line in both.split("\n") if line] == [line for line in lines if line]


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("/lessons/none", [lesson.slug for lesson in library([SCENARIOS]).lessons()]),
        (f"{FOUR}?lanes=none&step=3", ["lanes=correct", "lanes=forgot_results"]),
        ("/rules/A99", ["/rules/A01", "/rules/A40", "/rules/O14"]),
    ],
)
def test_a_page_that_does_not_exist_links_to_those_that_do(
    client: TestClient, address: str, there: list[str]
) -> None:
    chosen = "&" if "?" in address else "?"
    answer = client.get(f"{address}{chosen}lang=en&theme=dark")
    assert answer.status_code == 404
    assert 'data-theme="dark"' in answer.text
    found = re.search(r'<ul class="there.*?</ul>', answer.text, re.DOTALL)
    assert found
    pages = [unescape(page) for page in re.findall(r'href="([^"]*)"', found[0])]
    assert all(any(one in page for page in pages) for one in there)
    assert all("lang=en&theme=dark" in page for page in pages)
    assert {client.get(page).status_code for page in pages} == {200}


def test_both_apis_show_a_turn_of_each_lane_and_lead_on_and_back(client: TestClient) -> None:
    page = client.get("/lessons/the-other-api/dialects?lanes=chat,toy_history&step=7").text
    assert page.count('<div class="both">') == 2
    assert (
        'rel="prev" href="/lessons/the-other-api/dialects?lanes=chat,toy_history&amp;step=1"'
        in page
    )
    assert 'rel="next"' in page
    assert 'href="/lessons/the-other-api?lanes=chat,toy_history&amp;step=7"' in page
    assert "O06" in page
    assert (
        'href="/lessons/the-other-api/dialects?lanes=chat&amp;step=3"'
        in client.get("/lessons/the-other-api?lanes=chat&step=3").text
    )


@pytest.mark.parametrize(
    ("query", "status"), [("?lanes=none", 404), ("?step=x", 422), ("?step=999", 200)]
)
def test_both_apis_of_what_is_not_there(client: TestClient, query: str, status: int) -> None:
    assert client.get(f"/lessons/the-other-api/dialects{query}").status_code == status

"""Lessons of any length for tests and measurements: one file of about 1 kB read again and again."""

from pathlib import Path

LINE = "A line of sixty-four characters, as long as all the other ones.\n"


def write_long_lesson(top: Path, messages: int, kilobytes: int = 1) -> str:
    """Write a lesson whose correct run ends with a request of `messages` + 1 messages.

    Each tool result holds `kilobytes` kB. Returns the lesson's slug.
    """
    turns = messages // 2
    folder = top / f"long-{messages}"
    (folder / "workspace").mkdir(parents=True)
    (folder / "workspace" / "page.txt").write_text(LINE * 15 * kilobytes, encoding="utf-8")
    call = "  - {text: I read the page., calls: [{tool: read_file, input: {path: page.txt}}]}"
    lanes = ["correct", "forgot_results", "split_results"]
    lines = [
        f"title: {messages} messages",
        "task: Read the page many times.",
        "tools: [read_file]",
        f"cap: {turns + 1}",
        "lanes:",
        *(f"  - {{loop: {lane}, checked: false}}" for lane in lanes),
        "script:",
        *[call] * turns,
        "  - text: That was all.",
    ]
    (folder / "lesson.yaml").write_text("\n".join(lines), encoding="utf-8")
    return folder.name

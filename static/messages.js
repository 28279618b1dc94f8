"use strict";
// messages[]: a call is tied to its result, and what a reader has folded stays so.
{
  const ids = (root = document) => root.querySelectorAll(".messages .j-id");

  // a helper agent's list has ids of its own, which may be the same as those of the list around it
  const holder = (id) => id.closest(".own-list") ?? id.closest(".list");

  // --- a call without a result is open; each id can be reached with the keyboard

  function mark() {
    const count = new Map();
    const counts = (id) => count.get(holder(id)) ?? count.set(holder(id), new Map()).get(holder(id));
    for (const id of ids()) counts(id).set(id.textContent, (counts(id).get(id.textContent) ?? 0) + 1);
    for (const id of ids()) {
      id.classList.toggle("open", counts(id).get(id.textContent) === 1);
      if (!id.hasAttribute("tabindex")) id.tabIndex = 0;
    }
  }

  function untie() {
    document.getElementById("tie")?.remove();
    for (const id of document.querySelectorAll(".tied")) id.classList.remove("tied");
    document.querySelector(".tying")?.classList.remove("tying");
  }

  function tie(id) {
    untie();
    const list = id.closest(".list");
    const pair = [...ids(list)].filter(
      (other) => other.textContent === id.textContent && holder(other) === holder(id),
    );
    if (pair.length < 2) return;
    for (const end of pair) end.classList.add("tied");
    list.classList.add("tying");
    const top = list.getBoundingClientRect().top;
    const [first, last] = [pair[0], pair.at(-1)].map((end) => end.getBoundingClientRect());
    const bracket = document.createElement("i");
    bracket.id = "tie";
    bracket.style.top = `${first.top + first.height / 2 - top}px`;
    bracket.style.height = `${last.top - first.top}px`;
    list.append(bracket);
  }

  for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(on, (event) => {
      const id = event.target.closest?.(".messages .j-id");
      if (id) tie(id);
    });
    document.addEventListener(off, (event) => {
      if (event.target.closest?.(".messages .j-id")) untie();
    });
  }

  // --- what is folded is remembered by its id, and folded again where a jump has drawn it anew

  const folded = new Set();

  document.addEventListener("click", (event) => { // a press of Enter or Space is a click too
    const entry = event.target.closest(".m > details > summary")?.parentElement;
    if (!entry) return;
    if (entry.open) folded.add(entry.parentElement.id);
    else folded.delete(entry.parentElement.id);
  });

  function settle() {
    untie();
    mark();
    for (const id of folded) {
      const entry = document.getElementById(id)?.querySelector("details");
      if (entry) entry.open = false;
    }
  }

  // a step has come from the server, or in an exported file from the file itself
  for (const drawn of ["htmx:after:swap", "drawn"]) document.addEventListener(drawn, settle);

  mark();
}

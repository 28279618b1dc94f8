"use strict";
// Predict before you see: Step asks first; a choice does the step and says what was right.
(() => {
  const panel = () => link("predict");
  const verdict = link("verdict");
  const asks = () => panel().firstElementChild !== null;
  const isOpen = () => panel().classList.contains("open");
  let coming = []; // what is said of a guess once its step is here

  function open() {
    stop();
    panel().classList.add("open");
    panel().focus();
    follow();
  }

  function close() {
    if (panel().contains(document.activeElement)) link("step").focus();
    panel().classList.remove("open");
  }

  // Why options are right or wrong, each by its `li`.
  const reasons = (...options) =>
    options.map((option) => option.querySelector(".said-of-it p").cloneNode(true));
  const right = () => panel().querySelector("li:has(.right)");

  function choose(option) {
    coming = reasons(...new Set([option, right()]));
    link("step").click();
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const option = event.target.closest(".option");
    if (option) choose(option.parentElement);
    else if (event.target.closest(".skip")) link("step").click();
    else if (!event.target.closest("#step") || !asks()) return;
    else if (!isOpen()) open();
    else if (event.detail < 2) {
      // a class has guessed by hand: it is told
      const classroom = document.body.classList.contains("present");
      if (classroom && !coming.length) coming = reasons(right());
      return;
    } // else a second click right after the first, which opened the question
    event.preventDefault();
    event.stopPropagation();
  }, true);

  document.addEventListener("htmx:before:swap", (event) => {
    const ours = event.detail.ctx.sourceElement?.id === "step";
    verdict.replaceChildren(...(ours ? coming : []));
    coming = [];
    if (panel().contains(document.activeElement)) link("step").focus();
  });
  document.addEventListener("htmx:finally:request", () => { coming = []; });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    const option = /^(?:Digit|Numpad)([1-4])$/.exec(event.code)?.[1];
    if (!isOpen()) return;
    if (event.code === "Escape") close();
    else if (option && link("settings").dataset.keys !== "off") {
      const chosen = panel().querySelectorAll("li")[option - 1];
      if (chosen && !event.repeat) choose(chosen);
    } else if (event.code === "Space" && event.target === panel()) {
      if (!event.repeat) link("step").click();
    } else if (!event.repeat || !(event.code in MOVES)) return; // a key held down asks, and waits
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // A guess made without a script does not stay in the address.
  const clean = location.href.replace(/([?&])guess=\d&?/, "$1").replace(/[?&]$/, "");
  if (clean !== location.href) history.replaceState(history.state, "", clean);
})();

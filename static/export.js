"use strict";
// Steps through a run that is all in this file: each step names the pieces that it shows.
(() => {
  const root = document.documentElement;
  const element = (id) => document.getElementById(id);
  const { turns, frames, keys } = JSON.parse(element("frames").textContent);
  const pieces = [...element("pieces").content.children];
  const cells = [...element("steps").children];
  const last = frames.length - 1;
  const rtl = root.dir === "rtl";

  // Each frame says what differs from the one before it; here each is made to say all.
  let single = {}, lists = {};
  const shots = frames.map(([changed, grown]) => {
    single = { ...single, ...changed };
    lists = { ...lists };
    for (const [id, [kept, more]] of Object.entries(grown)) {
      lists[id] = [...(lists[id] ?? []).slice(0, kept), ...more];
    }
    return { single, lists };
  });

  let at = last; // the file shows its last step until now
  const fresh = (number) => document.importNode(pieces[number], true);

  function draw(step) {
    const before = shots[at], after = shots[step];
    for (const [id, number] of Object.entries(after.single)) {
      if (before.single[id] !== number) element(id).replaceWith(fresh(number));
    }
    for (const [id, now] of Object.entries(after.lists)) {
      const was = before.lists[id], list = element(id);
      let same = 0;
      while (same < was.length && same < now.length && was[same] === now[same]) same++;
      while (list.children.length > same) list.lastElementChild.remove();
      list.append(...now.slice(same).map(fresh));
    }
    at = step;
  }

  function mark() {
    const shown = cells.filter((cell) => !cell.classList.contains("within"));
    const now = shown.findLast((cell) => Number(cell.dataset.step) <= at);
    for (const cell of shown) {
      const state = cell === now ? "now" : Number(cell.dataset.step) < at ? "done" : "next";
      cell.classList.remove("now", "done", "next");
      cell.classList.add(state);
      if (cell === now) cell.firstElementChild.setAttribute("aria-current", "step");
      else cell.firstElementChild.removeAttribute("aria-current");
    }
    for (const id of ["start", "back"]) disable(id, at === 0);
    for (const id of ["step", "turn", "end", "play"]) disable(id, at === last);
    const { digits } = root.dataset;
    element("at").textContent = digits ? String(at).replace(/\d/g, (digit) => digits[digit]) : at;
    document.dispatchEvent(new Event("drawn"));
    for (const pane of document.querySelectorAll(".follow")) pane.scrollTop = 0;
    for (const lit of document.querySelectorAll("[data-near] .lit")) near(lit, lit.closest("[data-near]"));
    if (now) near(now, now.parentElement);
  }

  function disable(id, on) {
    if (on) element(id).setAttribute("aria-disabled", "true");
    else element(id).removeAttribute("aria-disabled");
  }

  // Brings something into view inside its pane, without moving the page.
  function near(inner, pane) {
    const a = inner.getBoundingClientRect(), b = pane.getBoundingClientRect();
    if (pane.scrollHeight > pane.clientHeight) {
      if (a.top < b.top) pane.scrollTop -= b.top - a.top + 24;
      else if (a.bottom > b.bottom) pane.scrollTop += a.bottom - b.bottom + 24;
    }
    if (pane.scrollWidth > pane.clientWidth) {
      pane.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
    }
  }

  function asked() {
    const found = /(\d{1,9})$/.exec(location.hash);
    return found ? Math.min(Number(found[1]), last) : 0;
  }

  function go(step, replace) {
    if (step === at || step < 0 || step > last) return;
    draw(step);
    mark();
    history[replace ? "replaceState" : "pushState"](null, "", `#step-${step}`);
  }

  // --- Play

  let playing = 0;

  function play(on) {
    clearInterval(playing);
    playing = on && at < last ? setInterval(() => {
      go(at + 1, true);
      if (at === last) play(false);
    }, 2000) : 0;
    const button = element("play");
    button.setAttribute("aria-pressed", String(playing > 0));
    button.firstElementChild.textContent = playing ? button.dataset.pause : button.dataset.play;
  }

  const turn = () => {
    const next = turns.findIndex((number) => number > turns[at]);
    return next < 0 ? last : next;
  };
  const MOVES = {
    start: () => go(0), back: () => go(at - 1, true), step: () => go(at + 1),
    turn: () => go(turn()), end: () => go(last), play: () => play(!playing),
  };

  function move(id) {
    if (id !== "play" && playing) play(false);
    MOVES[id]();
  }

  // --- presses and keys: letters by their place on the keyboard, and they can be switched off

  let letters = true;

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button"), link = event.target.closest("#steps a");
    if (link) {
      event.preventDefault();
      if (playing) play(false);
      go(Number(link.parentElement.dataset.step));
    } else if (button?.id in MOVES) {
      move(button.id);
    } else if (button?.id === "letters") {
      letters = !letters;
      button.textContent = letters ? keys.on : keys.off;
    }
  });

  const KEYS = {
    ArrowRight: "step", PageDown: "step", ArrowLeft: "back", PageUp: "back",
    Home: "start", End: "end", KeyN: "turn", KeyP: "play", Space: "step",
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    let { code } = event;
    if (rtl) code = { ArrowRight: "ArrowLeft", ArrowLeft: "ArrowRight" }[code] ?? code;
    const id = KEYS[code], { target } = event;
    if (!id) return;
    if (code === "Space" ? target !== document.body : code.startsWith("Key") && !letters) return;
    const pane = target.closest(".scroll");
    if (!code.startsWith("Key") && pane && pane.scrollHeight > pane.clientHeight) return;
    if (event.repeat && id !== "step" && id !== "back") return;
    event.preventDefault();
    move(id);
  });

  addEventListener("popstate", () => {
    if (playing) play(false);
    draw(asked());
    mark();
  });

  // On paper a file is what it is without a script: the step, then the sentences of all steps.
  addEventListener("beforeprint", () => root.classList.remove("scripted"));
  addEventListener("afterprint", () => root.classList.add("scripted"));

  root.classList.add("scripted");
  for (const cell of cells) cell.removeAttribute("id"); // or the browser scrolls to it
  draw(asked());
  mark();
})();

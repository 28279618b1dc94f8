"use strict";
// What htmx cannot do alone: keys, Play, and the next step fetched ahead.
document.documentElement.classList.add("scripted");

const link = (id) => document.getElementById(id);
const enabled = (element) => element && element.hasAttribute("hx-get");
const presses = (element) => enabled(element) || element?.type === "submit"; // a real call
const press = (id) => presses(link(id)) && link(id).click();

// --- the next step comes ahead of its press: the same address, so the browser answers it itself

let fetched = "";

function fetchAhead() {
  const next = link("step")?.getAttribute("hx-get");
  if (!next || next === fetched) return;
  fetched = next;
  fetch(next, { credentials: "same-origin" }).catch(() => { fetched = ""; });
}

// --- what is new is brought into view, inside its pane

function follow() {
  if (getComputedStyle(document.querySelector(".panes") ?? document.body).display === "flex") {
    // a low screen, on which the page itself scrolls
    const shown = [...document.querySelectorAll(".pane")].find((pane) => pane.offsetParent);
    const lit = shown?.querySelector("#pending > :last-child, .loop .lit") ??
      shown?.querySelector("#messages > :last-child, .chat > :last-child");
    lit?.scrollIntoView({ block: "nearest" });
    return;
  }
  for (const pane of document.querySelectorAll(".follow")) {
    const top = pane.querySelector(".divider.new, .divider.nothing");
    if (top) pane.scrollTop += top.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    else pane.scrollTop = 0; // a pane that starts at its end
  }
  for (const pane of document.querySelectorAll("[data-near]")) {
    const lit = pane.querySelector(".lit");
    if (!lit || pane.scrollHeight <= pane.clientHeight) continue;
    const outer = pane.getBoundingClientRect(), inner = lit.getBoundingClientRect();
    if (inner.top < outer.top) pane.scrollTop -= outer.top - inner.top + 24;
    else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 24;
  }
  const cells = document.querySelector(".scrubber ol"), cell = cells?.querySelector(".now");
  if (cell && cells.scrollWidth > cells.clientWidth) {
    const middle = cell.offsetLeft + cell.offsetWidth / 2;
    cells.scrollLeft = middle - cells.clientWidth / 2;
  }
}

// --- Play presses Step, waits for it to land, and presses again

let playing = 0; // the timer, 0 where nothing plays

function show(on) {
  const play = link("play");
  play.setAttribute("aria-pressed", String(on));
  play.firstElementChild.textContent = on ? play.dataset.pause : play.dataset.play;
}

function wait() {
  clearTimeout(playing);
  playing = setTimeout(() => press("step"), Number(link("speed").value));
}

function play() {
  if (playing || !enabled(link("step"))) return stop();
  show(true);
  playing = setTimeout(() => press("step"), 0);
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  if (link("play")) show(false);
}

document.addEventListener("htmx:before:history:update", (event) => {
  if (playing) event.detail.history.type = "replace";
});
document.addEventListener("htmx:finally:request", () => {
  fetchAhead();
  if (!playing) return;
  if (enabled(link("step"))) wait();
  else stop();
});
document.addEventListener("htmx:after:swap", (event) => {
  if (!event.detail.ctx.sourceElement?.id?.startsWith("tab-")) follow();
});

// --- a server that does not answer

function trouble(on) {
  const notice = link("trouble");
  if (notice) notice.hidden = !on;
  if (on) stop();
}

document.addEventListener("htmx:error", () => trouble(true));
document.addEventListener("htmx:response:error", (event) => {
  if (!event.detail.ctx.hx?.redirect) trouble(true);
});
document.addEventListener("htmx:after:swap", () => trouble(false));

// --- keys: letters by their place on the keyboard, as other scripts have no "n" there

const MOVES = {
  ArrowRight: "step", PageDown: "step", ArrowLeft: "back", PageUp: "back",
  Home: "start", End: "end", KeyN: "turn", KeyD: "difference", KeyP: "play", KeyF: "present",
  KeyL: "by-line",
};
const rtl = document.documentElement.dir === "rtl";

function scrolls(target) {
  const pane = target.closest("[tabindex='0'].scroll");
  return pane && pane.scrollHeight > pane.clientHeight;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  if (event.code === "Space") {
    if (target !== document.body && target !== link("step")) return;
    event.preventDefault();
    if (!event.repeat) press("step");
    return;
  }
  const line = link("by-line");
  if (event.key === "Escape" && line?.ariaPressed === "true") {
    if (!document.querySelector(":popover-open")) line.click(); // Escape closes what is open first
    return;
  }
  let code = event.code;
  if (rtl) code = { ArrowRight: "ArrowLeft", ArrowLeft: "ArrowRight" }[code] ?? code;
  const help = event.key === "?" || event.key === "؟";
  const id = help ? "help" : MOVES[code];
  if (!id || (event.shiftKey && !help)) return;
  const letter = help || code.startsWith("Key");
  if (letter ? link("settings")?.dataset.keys === "off" : scrolls(target)) return;
  if (id !== "step" && id !== "back" && event.repeat) return;
  event.preventDefault();
  if (["present", "help", "by-line"].includes(id)) link(id)?.click();
  else if (id === "play") {
    if (link(id)) play(); // the presenter view has none
  } else {
    if (playing) stop();
    press(id);
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#play")) play();
  else if (playing && event.isTrusted && event.target.closest("a")) stop();
});

addEventListener("pageshow", () => { fetched = ""; fetchAhead(); });
if (!document.querySelector(".whole")) follow();

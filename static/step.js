"use strict";
// What htmx cannot do alone: keys, Play, and the next step fetched ahead.
document.documentElement.classList.add("scripted");

const enabled = (element) => element && element.hasAttribute("href");
const presses = (element) => enabled(element) || element?.type === "submit"; // a real call
const press = (id) => presses(link(id)) && link(id).click();

// --- the next step comes ahead of its press, which then waits for nothing

let ahead = {}; // an address, and its answer once it is there

// Links that htmx should get know their page alone; Step back and another size leave no trace.
document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail, address = ctx.sourceElement.getAttribute("href");
  if (!address) return event.preventDefault();
  ctx.request.action = fragment(address);
  if (ahead.address === ctx.request.action && ahead.answer) {
    const { answer } = ahead;
    ctx.fetch = async () => answer;
  }
  ctx[ctx.sourceElement.matches("#back, #smaller, #larger") ? "replace" : "push"] = address;
});

function fetchAhead() {
  const next = enabled(link("step")) && fragment(link("step").getAttribute("href"));
  if (!next || next === ahead.address) return;
  const coming = ahead = { address: next };
  fetch(next, { credentials: "same-origin" }).then(async (answer) => {
    const { status, headers } = answer, text = await answer.text();
    coming.answer = { status, headers, text: async () => text };
  }).catch(() => { coming.address = ""; });
}

// --- what is new is brought into view, inside its pane

const strips = [[".scrubber ol", ".now"], [".lanes ul", "[aria-current]"],
  [".bar > .lanes", "[aria-current]"]]; // the last scrolls on a narrow page

function centre() {
  for (const [row, one] of strips) {
    const cells = document.querySelector(row), cell = cells?.querySelector(one);
    if (!cell || cells.scrollWidth <= cells.clientWidth) continue;
    const outer = cells.getBoundingClientRect(), inner = cell.getBoundingClientRect();
    cells.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  }
}

function follow() {
  centre();
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
}

// A browser leaves what has the focus where it is when only a part of it is in sight.
document.addEventListener("focusin", ({ target }) => {
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
});

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
  leadOn();
  if (!event.detail.ctx.sourceElement?.id?.startsWith("tab-")) follow();
});

// --- what is said over the controls

const SLOW = 300; // milliseconds after which it is said that an answer takes long
let slow = 0, failed = ""; // a timer; the link whose press got no answer

function notice(text, waits = false) {
  clearTimeout(slow);
  const place = link("notice");
  if (!place) return;
  place.textContent = text;
  place.classList.toggle("waits", waits);
}

function trouble(on) {
  const place = link("trouble");
  if (place) place.hidden = !on;
  if (on) stop();
}

function fails(event) {
  if (event.detail.ctx?.hx?.redirect) return; // the page itself is loaded in its place
  failed = event.detail.ctx?.sourceElement?.id ?? "";
  trouble(true);
}

document.addEventListener("htmx:before:request", () => {
  clearTimeout(slow);
  slow = setTimeout(() => notice(link("notice")?.dataset.waits ?? "", true), SLOW);
});
document.addEventListener("htmx:finally:request", () => notice(""));
document.addEventListener("htmx:error", fails);
document.addEventListener("htmx:response:error", fails);
document.addEventListener("htmx:after:swap", () => trouble(false));
document.addEventListener("click", (event) => {
  if (event.target.closest("#again")) {
    trouble(false);
    link(failed)?.focus();
    if (link(failed)) link(failed).click();
    else location.reload();
  } else if (event.target.closest("#difference[aria-disabled]")) notice(link("notice").dataset.none);
});

// --- keys: letters by their place on the keyboard, as other scripts have no "n" there

const MOVES = {
  ArrowRight: "step", PageDown: "step", ArrowLeft: "back", PageUp: "back",
  Home: "start", End: "end", KeyN: "turn", KeyD: "difference", KeyP: "play", KeyF: "present",
  KeyL: "by-line", KeyA: "approve", KeyX: "deny", KeyE: "fold-go",
};
const rtl = document.documentElement.dir === "rtl";

function scrolls(target) {
  const pane = target.closest("[tabindex='0'].scroll");
  return pane && pane.scrollHeight > pane.clientHeight;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]")) return; // the help sheet scrolls by these keys
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
    if (id === "difference" && link(id)?.ariaDisabled) link(id).click(); // it says why
    else press(id);
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#play")) play();
  else if (playing && event.isTrusted && event.target.closest("a")) stop();
});

addEventListener("pageshow", () => { ahead = {}; fetchAhead(); });
if (document.querySelector(".whole") || location.hash) centre();
else follow();
document.fonts.ready.then(centre); // letters that come late are wider or narrower

"use strict";
// The addresses of steps: a fragment's follows from that of its page, and the links from the step,
// so that no answer brings them.

const link = (id) => document.getElementById(id);

// --- a fragment's address follows from that of the page which it leads to

// A number with the digits of the page's language.
const written = (number) => {
  const { digits } = document.documentElement.dataset;
  return digits ? String(number).replace(/\d/g, (digit) => digits[digit]) : number;
};

const keysOf = (address) => (address.split("?")[1] ?? "").split("&").filter(Boolean);
const keyOf = (address, key) => new RegExp(`[?&]${key}=(\\d+)`).exec(address)?.[1];

// Where a page stands: `7`, or line by line `7.2`, the second statement after step 7.
const spot = (step, line) => line ? `${step}.${line}` : `${step}`;

function fragment(address) {
  const here = link("at"), { line } = here.dataset;
  const to = spot(keyOf(address, "step") ?? 0, keyOf(address, "at"));
  const next = ["step", "back"].some((id) => link(id).getAttribute("href") === address);
  const view = keysOf(address).filter((key) => !/^(lanes|step|at)=/.test(key)).join("&");
  const { fragments } = document.querySelector("[data-fragments]").dataset;
  const from = next ? spot(here.getAttribute("value"), line) : "to";
  return `${fragments}${from}-${to}${view && "?"}${view}`;
}

// --- and the links themselves from the step, so that no answer brings them again

function moved(address, to) {
  const [step, line] = to.split(".");
  const keys = keysOf(address).filter((key) => !/^(step|at)=/.test(key));
  const place = [...(Number(step) ? [`step=${step}`] : []), ...(line ? [`at=${line}`] : [])];
  keys.splice(keys.findIndex((key) => key.startsWith("lanes=")) + 1, 0, ...place);
  return address.split("?")[0] + (keys.length ? `?${keys.join("&")}` : "");
}

function lead(id, address) {
  const control = link(id);
  if (!control?.matches("a")) return; // a real call is a form
  if (address) control.setAttribute("href", address);
  else control.removeAttribute("href");
  for (const [name, value] of [["role", "link"], ["aria-disabled", "true"], ["tabindex", "0"]]) {
    if (address) control.removeAttribute(name);
    else control.setAttribute(name, value);
  }
}

function leadOn() {
  const here = link("at"), at = Number(here.getAttribute("value"));
  const { last, turn, difference, held, line, back, step } = here.dataset;
  const page = link("start").getAttribute("href") ?? link("end").getAttribute("href") ?? "";
  const to = (there) => page && moved(page, spot(there, line && 1));
  const on = at < last;
  lead("start", at > 0 && to(0));
  lead("back", line ? back && moved(page, back) : at > 0 && to(at - 1));
  lead("step", line ? step && moved(page, step) : on && to(at + 1));
  lead("turn", on && to(turn));
  lead("end", on && to(last));
  lead("difference", difference && to(difference));
  for (const one of document.querySelectorAll("a[data-at], #smaller[href], #larger[href]")) {
    const address = one.getAttribute("href");
    one.setAttribute("href", moved(address, spot(at, keyOf(address, "at") && line)));
  }
  const size = keyOf(page, "size"); // of the presenter view, the last key of an address
  for (const one of document.querySelectorAll(".present a[hreflang]")) {
    const address = one.getAttribute("href").replace(/&size=\d+$/, "");
    one.setAttribute("href", size ? `${address}&size=${size}` : address);
  }
  document.querySelector(".count b").textContent = written(at);
  link("at-line")?.setAttribute("value", line);
  link("copy-step")?.setAttribute("value", at);
  for (const limit of ["max", "value"]) link("copy-index")?.setAttribute(limit, held - 1);
}

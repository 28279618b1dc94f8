"use strict";
// The presenter view: full screen, a black screen, a screen that stays awake, and the way out.
// Steps and their keys are those of step.js.
(() => {
  const find = (id) => document.getElementById(id);
  const black = find("black"), full = find("full");

  // --- full screen: only by a press, and left together with the view

  let ours = false; // whether F left full screen, and not Escape

  function toggleFull() {
    if (!document.fullscreenElement) document.documentElement.requestFullscreen().catch(() => {});
    else {
      ours = true;
      document.exitFullscreen();
    }
  }

  document.addEventListener("fullscreenchange", () => {
    if (document.fullscreenElement) return;
    if (!ours && !black.open) find("leave").click();
    ours = false;
  });
  if (document.fullscreenEnabled) full.addEventListener("click", toggleFull);
  else full.hidden = true;

  // --- a black screen; any key or press brings the view back, and does nothing else

  function darken() {
    black.showModal();
  }

  find("darken").addEventListener("click", darken);
  black.addEventListener("click", () => black.close());
  addEventListener("keydown", (event) => {
    if (!black.open || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) black.close();
  }, true);

  // --- keys: letters and the remote's period by their place, signs by what they write

  const KEYS = { KeyF: "full", KeyB: "darken", Period: "darken", NumpadDecimal: "darken" };
  const SIGNS = { "+": "larger", "=": "larger", "-": "smaller", "−": "smaller", ".": "darken" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "Escape") {
      if (!document.querySelector(":popover-open")) find("leave").click(); // else it closes that
      return;
    }
    if (find("settings").dataset.keys === "off") return;
    const id = SIGNS[event.key] ?? KEYS[event.code];
    if (!id || find(id).ariaDisabled) return;
    event.preventDefault();
    find(id).click();
  });

  // --- the screen stays awake for as long as the view is seen

  let lock = null;

  async function stayAwake() {
    if (document.visibilityState !== "visible" || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null; // not allowed here, or the battery is low
    }
  }

  document.addEventListener("visibilitychange", stayAwake);
  addEventListener("pageshow", stayAwake);
  addEventListener("pagehide", () => {
    lock?.release();
    lock = null;
  });

  // --- where the view is larger than the screen, what is new is brought into view

  function follow() {
    const fresh = document.querySelector("#rows > :last-child, #newest");
    const scroll = [document.querySelector(".scroll"), document.documentElement]; // either, by width
    if (scroll.some((one) => one.scrollHeight > one.clientHeight)) fresh.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("htmx:after:swap", follow);
  follow();
})();

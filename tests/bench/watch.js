"use strict";
// Put into every page before its own scripts: what each press costs, and how the page loaded.
(() => {
  const presses = [], longs = [];
  let quiet = 0; // when the page last changed or painted
  let hold = false; // whether a plain fetch is never answered: the next step then comes on its press
  const channel = new MessageChannel();
  let waiting = [];
  channel.port1.onmessage = () => {
    for (const press of waiting) press.paint = quiet = performance.now();
    waiting = [];
  };

  // A press is a trusted click; its own time stamp is when the browser got it.
  addEventListener("click", (event) => {
    if (event.isTrusted) presses.push({ start: event.timeStamp, dom: 0, paint: 0, added: 0, removed: 0, lost: 0 });
  }, true);

  const elements = (node) => node.nodeType === 1 ? 1 + node.querySelectorAll("*").length : 0;
  // Nodes of the controls come and go with each step; all other nodes should stay.
  const ofControls = (node) => node.nodeType !== 1 || !!node.closest(".controls");

  new MutationObserver((records) => {
    const press = presses.at(-1);
    if (!press) return;
    for (const record of records) {
      for (const node of record.addedNodes) press.added += elements(node);
      for (const node of record.removedNodes) {
        press.removed += elements(node);
        if (!ofControls(record.target)) press.lost += elements(node);
      }
    }
    press.dom = quiet = performance.now();
    // Painted is a task after the next frame.
    requestAnimationFrame(() => { waiting.push(press); channel.port2.postMessage(0); });
  }).observe(document, { childList: true, characterData: true, subtree: true });

  new PerformanceObserver((found) => longs.push(...found.getEntries().map((task) => [task.startTime, task.duration])))
    .observe({ type: "longtask", buffered: true });

  const fetch = window.fetch;
  window.fetch = (what, how) => hold && typeof what === "string" && !how?.headers
    ? new Promise(() => {}) : fetch(what, how);

  window.halqaBench = {
    presses, longs,
    hold: () => { hold = true; },
    /** Resolves once the last press is painted and nothing has changed for a while. */
    async landed(still) {
      for (let n = 0; n < 500; n++) {
        const press = presses.at(-1);
        if (press?.paint && press.paint >= press.dom && performance.now() - quiet > still) return press;
        await new Promise((go) => setTimeout(go, 10));
      }
      return null;
    },
    loaded() {
      const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
      const ready = performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd;
      const end = Math.max(0, ...longs.map(([start, took]) => start + took));
      return { interactive: Math.max(paint, ready, end), longs: longs.length, nodes: document.querySelectorAll("*").length };
    },
  };
})();

"use strict";
// Puts into the clipboard what a link or a form of the menu would show as a page.
(() => {
  if (!navigator.clipboard) return; // not on an address without https: the links still work
  let forget = 0;

  function tell(word) {
    const status = document.getElementById("copied");
    status.textContent = status.dataset[word];
    clearTimeout(forget);
    forget = setTimeout(() => { status.textContent = ""; }, 3000);
  }

  // The text is promised to the clipboard at once: some browsers allow that only while a person
  // is pressing.
  function copy(address) {
    const text = fetch(address, { credentials: "same-origin" }).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    });
    const typed = text.then((said) => new Blob([said], { type: "text/plain" }));
    const item = new ClipboardItem({ "text/plain": typed });
    navigator.clipboard.write([item]).then(() => tell("copied"), () => tell("failed"));
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("#copy a[data-copy]");
    if (!link) return;
    event.preventDefault();
    copy(link.href);
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "copy-message") return;
    event.preventDefault();
    copy(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
  });
})();

"use strict";
// Where there is little room a row's cells hold a word or a strip: the card below the lanes holds
// what they leave out of the newest row.
{
  const narrow = matchMedia("(max-width: 600px)");
  const card = document.getElementById("card");
  const names = [...document.querySelectorAll(".heads .head")].map((head) => head.ariaLabel);

  function fill() {
    card.replaceChildren();
    if (!narrow.matches) return;
    const row = document.querySelector("#rows > :last-child");
    const slots = [...row.querySelectorAll(".slot:not(.the-task)")];
    slots.forEach((slot, at) => {
      const length = (text) => text.replace(/\s+/g, "").length;
      if (length(slot.textContent) <= length(slot.innerText)) return;
      const name = document.createElement("code");
      name.textContent = names[at];
      const one = document.createElement("section");
      one.append(name, ...[...slot.childNodes].map((node) => node.cloneNode(true)));
      card.append(one);
    });
  }

  // A row that is out of sight is not drawn, and tells nothing of what its cells leave out.
  document.addEventListener("contentvisibilityautostatechange", fill, true);
  document.addEventListener("htmx:after:swap", fill);
  narrow.addEventListener("change", fill);
  fill();
}

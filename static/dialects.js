"use strict";
// Both APIs: under the pointer, what is tied lights up on both sides.
{
  let number = "";

  function light(one) {
    const now = one?.dataset.tie ?? "";
    if (now === number) return;
    number = now;
    for (const lit of document.querySelectorAll(".tied")) lit.classList.remove("tied");
    if (!one) return;
    for (const part of one.closest(".both").querySelectorAll(`[data-tie="${now}"]`)) {
      part.classList.add("tied");
    }
  }

  document.addEventListener("pointerover", (event) => light(event.target.closest("[data-tie]")));
}

"use strict";
// The help sheet over the page: Escape closes it, and the focus goes back to where it was.
{
  const sheet = document.getElementById("sheet");

  const open = async (address) => {
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) return location.assign(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (sheet.open) return;
    sheet.append(...page.querySelector("main").children);
    sheet.showModal();
  };

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("a#help");
    if (opener && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(opener.href);
    } else if (event.target === sheet) sheet.close(); // what is around it
  });
  sheet.addEventListener("close", () => {
    while (sheet.children.length > 1) sheet.lastElementChild.remove(); // all but its button
  });
}

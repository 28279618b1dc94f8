"use strict";
// A reply that is coming: what there is of it so far, in the chat and in the raw pane.
(() => {
  const stream = document.getElementById("stream");
  const elapsed = document.getElementById("elapsed");
  const began = Date.now();
  let ahead = 0; // seconds that the call had run before this page opened

  const tick = () => {
    const seconds = Math.round(ahead + (Date.now() - began) / 1000);
    if (elapsed) elapsed.textContent = elapsed.dataset.text.replace("#", written(seconds));
  };
  setInterval(tick, 1000);

  // Where it comes: an entry of a list, or on a wall what stands for the newest message.
  function piece(list, id, className) {
    let item = document.getElementById(id);
    if (!item) {
      const entries = document.getElementById(list);
      item = document.createElement(entries ? "li" : "div");
      item.id = id;
      item.className = `coming ${className}`;
      (entries ?? document.getElementById("newest")).append(item);
    }
    item.scrollIntoView({ block: "nearest" });
    return item;
  }

  function show(content) {
    const said = content.filter((block) => block.type === "text").map((block) => block.text);
    const helper = "helper" in stream.dataset; // its reply is none of our messages
    const chat = piece("chat", "coming-chat", helper ? "helping" : "said");
    chat.dir = "auto";
    chat.textContent = said.join("\n\n");
    for (const block of content) {
      if (block.type !== "tool_use") continue;
      const call = document.createElement("p");
      const name = document.createElement("code");
      name.textContent = `${block.name} ${JSON.stringify(block.input)}`;
      call.append(name);
      chat.append(call);
    }
    if (helper || !document.getElementById("pending")) return; // a wall shows no JSON
    const raw = document.createElement("pre");
    raw.dir = "ltr";
    raw.textContent = JSON.stringify(content, null, 2);
    piece("pending", "coming-raw", "entry").replaceChildren(raw);
  }

  const source = new EventSource(stream.dataset.stream);
  source.addEventListener("coming", (event) => {
    const told = JSON.parse(event.data);
    ahead = told.seconds - (Date.now() - began) / 1000;
    tick();
    show(told.content);
  });
  source.addEventListener("done", () => {
    source.close();
    location.replace(stream.dataset.next);
  });
})();

// What is made when a theorem is opened: formulas and the forms of layouts, packed as they are seldom read.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const known = {};
  const unpack = async (id) => {
    const bytes = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const packed = (id) => (known[id] ??= unpack(id));
  const offer = (part) => {
    const details = document.createElement("details"), text = document.createElement("pre");
    details.className = "inner formula";
    details.innerHTML = "<summary>As a formula: there is a counterexample (SMT-LIB)</summary>";
    details.append(text);
    details.addEventListener("toggle", async () => {
      try {
        text.textContent = (await packed("formulas"))[part.dataset.formula];
      } catch {
        text.textContent = "This browser cannot unpack it. It stands in report.json.";
      }
    }, { once: true });
    part.append(details);
  };
  // A page from a file may have no clipboard; what is selected can be copied all the same.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = document.createElement("textarea");
      box.value = text;
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
  };
  const copying = async (span) => {
    const names = byId("forms").dataset.names.split(" "), layout = span.textContent;
    const select = document.createElement("select"), first = new Option("copy as");
    select.setAttribute("aria-label", `Copy ${layout} as`);
    select.append(first);
    span.append(select);
    const texts = (await packed("forms"))[span.dataset.forms];
    texts.forEach((text, k) => { if (text) select.append(new Option(names[k], text)); });
    select.hidden = !texts.some(Boolean);
    select.addEventListener("change", async () => {
      const { text, value } = select.selectedOptions[0];
      select.selectedIndex = 0;
      await copy(value);
      select.focus();
      first.text = byId("told").textContent = `copied ${text}`;
    });
  };
  document.addEventListener("toggle", ({ target }) => {
    if (!target.open) return;
    for (const text of target.querySelectorAll("pre")) text.tabIndex = 0; // long lines scroll
    if (!target.matches(".theorem") || target.querySelector(".formula")) return;
    for (const part of target.querySelectorAll(".part")) offer(part);
    for (const span of target.querySelectorAll(".copy")) copying(span).catch(() => span.querySelector("select").remove());
  }, true);
})();

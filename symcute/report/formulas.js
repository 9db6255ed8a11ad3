// What is made when a theorem is opened: formulas, which are packed as they are long and seldom read.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  let formulas = null;
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(byId("formulas").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const offer = (part) => {
    const details = document.createElement("details"), text = document.createElement("pre");
    details.className = "inner formula";
    details.innerHTML = "<summary>As a formula: there is a counterexample (SMT-LIB)</summary>";
    details.append(text);
    details.addEventListener("toggle", async () => {
      try {
        text.textContent = (await (formulas ??= unpack()))[part.dataset.formula];
      } catch {
        text.textContent = "This browser cannot unpack it. It stands in report.json.";
      }
    }, { once: true });
    part.append(details);
  };
  document.addEventListener("toggle", ({ target }) => {
    if (!target.open) return;
    for (const text of target.querySelectorAll("pre")) text.tabIndex = 0; // long lines scroll
    if (!target.matches(".theorem") || target.querySelector(".formula")) return;
    for (const part of target.querySelectorAll(".part")) offer(part);
  }, true);
})();

(() => {
  "use strict";
  const theorems = [...document.querySelectorAll(".theorem")];
  const groups = [...document.querySelectorAll(".group")];
  const words = document.getElementById("words");
  const boxes = [...document.querySelectorAll("input[name=status]")];
  const shown = document.getElementById("shown");

  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const statuses = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
    let count = 0;
    for (const t of theorems) {
      const fits = statuses.has(t.dataset.status) && wanted.every((w) => t.dataset.text.includes(w));
      t.hidden = !fits;
      count += fits;
    }
    for (const g of groups) g.hidden = !g.querySelector(".theorem:not([hidden])");
    shown.textContent = count === theorems.length ? "" : `${count} of ${theorems.length} theorems shown`;
  };
  const show = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches(".theorem")) return;
    target.open = true;
    target.hidden = false;
    target.closest(".group").hidden = false;
    target.scrollIntoView();
  };
  const all = (open) => () => { for (const t of theorems) t.open = open; };

  document.getElementById("filter").hidden = false;
  document.getElementById("filter").addEventListener("submit", (e) => e.preventDefault());
  words.addEventListener("input", filter);
  for (const b of boxes) b.addEventListener("change", filter);
  document.getElementById("open").addEventListener("click", all(true));
  document.getElementById("close").addEventListener("click", all(false));
  window.addEventListener("hashchange", show);
  window.addEventListener("beforeprint", all(true));
  show();
})();

// Search and filters; their state lies in the address behind the #, so that it can be shared.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const entries = [...document.querySelectorAll(".entry")];
  const groups = [...document.querySelectorAll(".group")];
  const form = byId("filter"), words = byId("words"), shown = byId("shown"), none = byId("none");
  const choices = [...form.querySelectorAll("select")];

  // What stands in a theorem is text to this browser, and no element, until it is opened.
  const build = (root) => {
    for (const folded of root.querySelectorAll(".body > noscript")) {
      folded.closest(".entry").classList.remove("waiting");
      folded.outerHTML = folded.textContent;
    }
  };
  const SIGNS = { lt: "<", gt: ">", amp: "&" };
  const plain = (html) => html.replace(/<[^>]*>/g, " ")
    .replace(/&(?:#(\d+)|(lt|gt|amp));/g, (_, code, name) => name ? SIGNS[name] : String.fromCodePoint(code));
  const read = (entry) => {
    const folded = entry.querySelector(".body > noscript");
    if (!folded) return entry.textContent;
    return `${entry.querySelector("summary").textContent} ${plain(folded.textContent)}`;
  };
  let texts = null;
  const textOf = () => (texts ??= new Map(entries.map((e) => [e, read(e).toLowerCase()])));
  const chosen = () => choices.filter((c) => c.selectedIndex > 0);
  const has = (entry, choice) => entry.dataset[choice.name].split(" ").includes(String(choice.selectedIndex - 1));
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const by = chosen();
    let count = 0;
    for (const e of entries) {
      const fits = by.every((c) => has(e, c)) && wanted.every((w) => textOf().get(e).includes(w));
      e.hidden = !fits;
      count += fits;
    }
    for (const g of groups) g.hidden = !g.querySelector(".entry:not([hidden])");
    none.hidden = count > 0 || !entries.length;
    const noun = entries.length === 1 ? form.dataset.noun.replace(/s$/, "") : form.dataset.noun;
    shown.textContent = count === entries.length ? `${count} ${noun}` : `${count} of ${entries.length} ${noun} shown`;
  };
  const remember = () => {
    const state = new URLSearchParams();
    if (words.value.trim()) state.set("q", words.value.trim());
    for (const c of chosen()) state.set(c.name, c.value);
    history.replaceState(null, "", String(state) ? `#${state}` : location.pathname + location.search);
  };
  const changed = () => { filter(); remember(); };
  const reset = () => {
    words.value = "";
    for (const c of choices) c.selectedIndex = 0;
    changed();
  };
  const recall = (hash) => {
    const state = new URLSearchParams(hash);
    words.value = state.get("q") ?? "";
    for (const c of choices) c.value = state.get(c.name) ?? "";
    for (const c of choices) if (c.selectedIndex < 0) c.selectedIndex = 0;
    filter();
  };
  const show = () => {
    const hash = location.hash.slice(1);
    if (/^\w+=/.test(hash)) {
      recall(hash);
      form.scrollIntoView();
      return;
    }
    const target = hash && byId(decodeURIComponent(hash));
    if (!target || !target.matches(".entry")) return;
    if (target.hidden) { reset(); history.replaceState(null, "", `#${hash}`); }
    build(target);
    target.open = true;
    target.scrollIntoView();
  };
  // Those in sight are built now, the others as they come into sight: each has a place until then.
  const seen = new IntersectionObserver((found) => {
    for (const { target, isIntersecting } of found) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      target.classList.remove("waiting");
      build(target);
      target.dispatchEvent(new Event("toggle")); // it is open only now, to whom that matters
    }
  }, { rootMargin: "100%" });
  const all = (open) => () => {
    for (const e of entries) {
      if (e.hidden || e.open === open) continue;
      if (open && e.querySelector(".body > noscript")) { e.classList.add("waiting"); seen.observe(e); }
      e.open = open;
    }
  };
  // Opened by hand, by the search of the browser, or in sight.
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".entry:not(.waiting)")) build(target);
  }, true);

  form.hidden = false;
  form.addEventListener("submit", (e) => e.preventDefault());
  words.addEventListener("input", changed);
  for (const c of choices) c.addEventListener("change", changed);
  byId("open").addEventListener("click", all(true));
  byId("close").addEventListener("click", all(false));
  byId("reset").addEventListener("click", reset);
  none.querySelector("button").addEventListener("click", () => { reset(); words.focus(); });
  document.addEventListener("keydown", (e) => {
    const typing = e.target.matches("input, select, textarea");
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      words.focus();
      words.select();
    } else if (e.key === "Escape" && (e.target === words || document.activeElement === document.body)) {
      reset();
    }
  });
  window.addEventListener("hashchange", show);

  // --- on paper everything is open

  let closed = [];
  window.addEventListener("beforeprint", () => {
    build(document);
    closed = [...document.querySelectorAll("details:not([open], .formula)")];
    for (const d of closed) d.open = true;
  });
  window.addEventListener("afterprint", () => { for (const d of closed) d.open = false; });

  filter();
  show();
})();

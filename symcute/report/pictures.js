// Pictures: what is known of the cell that is pointed at, or reached with the arrow keys.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const box = byId("cell"), told = byId("told");
  const size = (shape) => Array.isArray(shape) ? shape.reduce((n, s) => n * size(s), 1) : shape;
  const natural = (index, shape) => {
    if (!Array.isArray(shape)) return String(index);
    const parts = shape.map((mode) => {
      const n = size(mode), here = index % n;
      index = (index - here) / n;
      return natural(here, mode);
    });
    return `(${parts.join(",")})`;
  };
  const held = (what, index, mode) =>
    `${what} ${index}` + (Array.isArray(mode) && mode.length > 1 ? ` = ${natural(index, mode)}` : "");
  const KINDS = {
    offset(i, j, rows, text, data) {
      const index = i + rows * j, bytes = data.bytes;
      const about = `coordinate ${natural(index, data.shape)}: offset ${text}`;
      if (!/^-?\d+$/.test(text)) return about;
      const bank = ((BigInt(text) * BigInt(bytes)) >> 2n) & 31n;
      return `${about}, bank ${bank} (elements of ${bytes} byte${bytes === 1 ? "" : "s"})`;
    },
    tile(i, j, rows, text, data) {
      const index = i + rows * j, where = `element ${natural(index, data.tile)}, index ${index}`;
      const found = text.match(/^T(\d+)V(\d+)(?: \+(\d+))?$/);
      if (!found) return `${where}: held by nobody`;
      const [, t, v, more] = found;
      return `${where}: ${held("thread", +t, data.shape[0])}, ${held("value", +v, data.shape[1])}` +
        (more ? `, and ${more} more` : "");
    },
    lane(i, j, rows, text, data) {
      const [, byte, kind, first, last] = text.match(/^(-?\d+)([bs])(-?\d+)(?:-(\d+))?$/);
      const place = kind === "s" ? `sector ${first}` : last ? `banks ${first} to ${last}` : `bank ${first}`;
      return `lane ${data.lanes[i][j]}: byte ${byte}, ${place}`;
    },
  };
  const dataOf = (table) => Object.fromEntries(
    Object.entries(table.dataset).map(([k, v]) => [k, k === "kind" ? v : JSON.parse(v)]));
  const place = (cell) => [cell.parentNode.rowIndex - 1, cell.cellIndex - 1];
  const about = (cell) => {
    const table = cell.closest("table"), [i, j] = place(cell), data = dataOf(table);
    return KINDS[data.kind](i, j, table.rows.length - 1, cell.textContent, data);
  };

  let here = null;
  const leave = () => {
    here?.classList.remove("here");
    here = null;
    box.hidden = true;
  };
  const point = (cell) => {
    if (cell === here) return;
    leave();
    here = cell;
    here.classList.add("here");
    box.textContent = about(cell) + (cell.matches(".m") ? " (goes against the claim)" : "");
    box.hidden = false;
    settle();
  };
  // Above the cell or below it, inside the window, never over it.
  const settle = () => {
    const at = here.getBoundingClientRect(), own = box.getBoundingClientRect();
    const left = Math.min(Math.max(4, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 4);
    const above = at.top - own.height - 6;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${above >= 0 ? above : at.bottom + 6}px`;
  };
  const MOVES = {
    ArrowUp: ([i, j]) => [i - 1, j], ArrowDown: ([i, j]) => [i + 1, j],
    ArrowLeft: ([i, j]) => [i, j - 1], ArrowRight: ([i, j]) => [i, j + 1],
    Home: ([i]) => [i, 0], End: ([i], table) => [i, table.rows[1].cells.length - 2],
  };
  const go = (picture, key) => {
    const table = picture.querySelector("table");
    const inside = here && table.contains(here);
    const [i, j] = inside ? MOVES[key](place(here), table) : [0, 0];
    const start = inside ? null : table.querySelector("td.m");
    const cell = start ?? table.rows[i + 1]?.cells[j + 1];
    if (!cell || i < 0 || j < 0) return;
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    point(cell);
    told.textContent = box.textContent;
  };
  document.addEventListener("pointerover", (e) => {
    const cell = e.target.closest?.(".picture tbody td");
    if (cell) point(cell); else if (here && !here.closest(".picture").contains(document.activeElement)) leave();
  });
  document.addEventListener("focusin", (e) => {
    if (e.target.matches(".picture") && e.target.matches(":focus-visible")) go(e.target);
    else if (!e.target.matches(".picture")) leave();
  });
  document.addEventListener("focusout", leave);
  document.addEventListener("scroll", () => { if (here) settle(); }, true);
  document.addEventListener("keydown", (e) => {
    if (!e.target.matches(".picture")) return;
    if (e.key === "Escape") leave();
    if (!(e.key in MOVES)) return;
    e.preventDefault();
    go(e.target, e.key);
  });
  const measure = (root) => {
    for (const p of root.querySelectorAll(".picture")) p.classList.toggle("wide", p.scrollWidth > p.clientWidth + 1);
  };
  // To measure what is not to be seen would lay out the whole page.
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && !target.closest(".theorem:not([open])")) measure(target);
  }, true);
  window.addEventListener("resize", () => {
    for (const theorem of document.querySelectorAll(".theorem[open]")) measure(theorem);
  });
})();

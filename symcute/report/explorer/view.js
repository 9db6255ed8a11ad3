// What Python answered, drawn: tables, facts, operations. Text goes in as text, never as HTML, but for
// the pictures and verdicts that symcute wrote as such.

/** The cells drawn, in rows, and the table that they are of. */
let drawn = [];
let shown = null;

// --- the table -----------------------------------------------------------------------------------

const drawTable = (table, title) => {
  const head = make("tr", "");
  head.append(make("td", ""), ...table.columns.map((name) => make("th", name, { scope: "col" })));
  const [tall, wide] = table.blocks;
  shown = table;
  drawn = [];
  const rows = table.cells.map((row, i) => {
    const line = make("tr", "");
    line.append(make("th", table.rows[i], { scope: "row" }));
    drawn.push(
      row.map(([lines, fill], j) => {
        const cell = make("td", lines[0], { tabindex: i || j ? "-1" : "0" });
        if (lines.length > 1) cell.append(make("small", lines[1]));
        if (fill >= 0) {
          const [colour, ink] = table.palette[fill];
          cell.style.background = colour;
          cell.classList.add(ink);
        }
        if (i % tall === 0) cell.classList.add("top");
        if (j % wide === 0) cell.classList.add("left");
        Object.assign(cell.dataset, { i, j });
        line.append(cell);
        return cell;
      }),
    );
    return line;
  });
  const thead = make("thead", "");
  const tbody = make("tbody", "");
  thead.append(head);
  tbody.append(...rows);
  $("table").replaceChildren(thead, tbody);
  $("table").setAttribute("aria-label", `${state.view} of ${title}`);
  // By which the font is chosen that lets the table fit on paper.
  const widths = table.columns.map((name, j) =>
    Math.max(name.length, ...table.cells.flatMap((row) => row[j][0].map((text) => text.length))),
  );
  $("table").style.setProperty("--letters", widths.reduce((sum, n) => sum + n, String(rows.length).length));
  $("table").style.setProperty("--columns", widths.length + 1);
  $("note").textContent = table.note;
  drawPairs("cell", storyOf(0, 0));
  zoom(scale);
};

/** All that is known of a cell, in pairs (what, answer). */
const storyOf = (i, j) => shown.heads.map((head, k) => [head, shown.cells[i][j][2][k]]);
const keyOf = (i, j) => {
  const [lines] = shown.cells[i][j];
  return lines[Math.min(shown.alike, lines.length - 1)];
};

const pointAt = (cell) => {
  const { i, j } = cell.dataset;
  const key = keyOf(i, j);
  drawn.forEach((row, a) => row.forEach((other, b) => other.classList.toggle("kin", keyOf(a, b) === key)));
  drawPairs("cell", storyOf(i, j));
};

const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
};

const moveInTable = (event) => {
  const cell = event.target.closest("td[data-i]");
  const move = MOVES[event.key];
  if (!cell || !move) return;
  event.preventDefault();
  const clamp = (x, count) => Math.max(0, Math.min(count - 1, x));
  const to =
    drawn[clamp(Number(cell.dataset.i) + move[0], drawn.length)][
      clamp(Number(cell.dataset.j) + move[1], drawn[0].length)
    ];
  cell.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
};

// --- the size of the table -----------------------------------------------------------------------

const ZOOMS = [0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.5, 2, 3];
/** A factor, or "fit": as large as there is width for. */
let scale = 1;

const zoom = (to) => {
  scale = to;
  const sized = (factor) => $("table").style.setProperty("--zoom", factor);
  if (to !== "fit") sized(to);
  else {
    // Lines and gaps do not shrink with the letters: what is left over is taken off once more.
    let factor = 1;
    sized(factor);
    for (let k = 0; k < 3; k++) {
      factor = Math.max(0.2, Math.min(3, (factor * roomOf("table")) / $("table").offsetWidth));
      sized(Math.floor(100 * factor) / 100);
    }
  }
  $("zoom").textContent = `${Math.round(100 * sizeNow())} %`;
  $("fit").setAttribute("aria-pressed", String(to === "fit"));
};
const roomOf = (id) => {
  $(id).style.display = "none";
  const room = document.querySelector(".stage").clientWidth;
  $(id).style.display = "";
  return room - 2;
};
const sizeNow = () => Number($("table").style.getPropertyValue("--zoom") || 1);
const zoomBy = (step) => {
  const now = sizeNow();
  const next = step > 0 ? ZOOMS.find((x) => x > now + 0.01) : ZOOMS.findLast((x) => x < now - 0.01);
  if (next) zoom(next);
};

// --- facts and results ---------------------------------------------------------------------------

const drawPairs = (id, pairs) =>
  $(id).replaceChildren(
    ...pairs.map(([what, answer]) => {
      const pair = make("div", "");
      pair.append(make("dt", what), make("dd", answer));
      return pair;
    }),
  );

/** The results of the operations; one that is a layout can be made the layout. */
const drawOperations = (operations) => {
  const rows = operations.map(([call, result, wrong]) => {
    const line = make("tr", "");
    const head = make("th", "", { scope: "row" });
    const cell = make("td", "");
    const use = make("td", "");
    head.append(make("code", call));
    cell.append(wrong ? make("span", wrong, { class: "refused" }) : make("code", result));
    if (!wrong && live) {
      const button = make("button", "use", { type: "button", "aria-label": `make ${call} the layout` });
      button.addEventListener("click", () => {
        write("layout", result);
        $("layout").focus();
      });
      use.append(button);
    }
    line.append(head, cell, use);
    return line;
  });
  $("results").replaceChildren(...rows);
};

const drawForms = (forms) => {
  const buttons = forms.map(([form, text, wrong]) => {
    const button = make("button", SETUP.choices.forms[form] ?? form, { type: "button" });
    button.dataset.form = form;
    button.addEventListener("click", () => {
      $("copied").textContent = wrong || text;
      // A page from a disk may be refused: the text stands there to be selected.
      if (!wrong) navigator.clipboard?.writeText(text).catch(() => {});
    });
    return button;
  });
  $("copied").textContent = "";
  $("forms").replaceChildren(...buttons);
};

// --- all of it -----------------------------------------------------------------------------------

/** What each field is wrong with stands under it. */
const judge = (problems) => {
  for (const name of [...DRAWN, "dims"]) {
    const wrong = problems[name] ?? "";
    $(`${name}-problem`).textContent = wrong;
    if (name !== "dims") $(name).setAttribute("aria-invalid", String(Boolean(wrong)));
  }
};

/** What is shown of a layout is out of sight until all of an answer is drawn, whatever fails. */
const showAnswer = (answer) => {
  const parts = [...document.querySelectorAll(".of-layout")];
  for (const part of parts) part.classList.add("unknown");
  judge(answer.problems ?? { layout: answer.problem });
  $("title").textContent = answer.title ?? state.layout;
  document.title = `symcute explore ${state.layout}`;
  $("remarks").textContent = (answer.remarks ?? []).join("; ");
  if (answer.dims) drawDims(answer.dims);
  if (answer.parts) fillParts(answer.parts);
  if (answer.forms) drawForms(answer.forms);
  strides = answer.parts ?? null;
  if (!answer.facts) return;
  $("tables").hidden = Boolean(answer.picture);
  $("instruction").hidden = !answer.picture;
  $("instruction").innerHTML = answer.picture ?? "";
  for (const part of document.querySelectorAll(".of-table")) part.hidden = Boolean(answer.picture);
  if (!answer.picture) {
    const table = answer.views[state.view];
    $("no-table").textContent = table.problem ?? "";
    $("drawn").hidden = Boolean(table.problem);
    if (!table.problem) drawTable(table, answer.title);
    drawOperations(answer.operations);
  }
  drawPairs("facts", answer.facts);
  drawPairs("costs", answer.costs ?? []);
  for (const part of parts) part.classList.remove("unknown");
};

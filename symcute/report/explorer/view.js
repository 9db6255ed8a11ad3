// The page: state to table, facts and results. Text goes in as text, never as HTML.

const NOTES = {
  offsets: (layout) =>
    layout instanceof Swizzled
      ? "the offset at each coordinate, coloured by the bits that the swizzle changes"
      : "the offset at each coordinate",
  banks: (_, bits) => `under each offset the bank of shared memory where it begins, elements of ${bits} bits`,
  tiles: () => "under each offset the number of its tile",
  threads: () => "thread over value, coloured by thread mod 8",
};

/** The cells drawn, in rows: { element, key }; cells of one key are alike in the view. */
let drawn = [];
let shown = null;

// --- the table -----------------------------------------------------------------------------------

const keyOf = (lines, view, offset) => (view === "offsets" ? String(offset) : view === "threads" ? lines[0] : lines[1]);

const drawTable = (layout, grid, cells) => {
  const { view } = state;
  const table = $("table");
  const head = make("tr", "");
  head.append(make("td", ""), ...range(grid.shownColumns).map((j) => make("th", String(j), { scope: "col" })));
  const [tall, wide] = grid.blocks;
  drawn = [];
  const rows = cells.map((row, i) => {
    const line = make("tr", "");
    line.append(make("th", String(i), { scope: "row" }));
    drawn.push(
      row.map(({ lines, fill }, j) => {
        const cell = make("td", lines[0], { tabindex: i || j ? "-1" : "0" });
        if (lines.length > 1) cell.append(make("small", lines[1]));
        if (fill) {
          cell.style.background = fill[0];
          cell.classList.add(fill[1]);
        }
        if (BigInt(i) % tall === 0n) cell.classList.add("top");
        if (BigInt(j) % wide === 0n) cell.classList.add("left");
        Object.assign(cell.dataset, { i, j });
        line.append(cell);
        return { element: cell, key: keyOf(lines, view, grid.offset(BigInt(i), BigInt(j))) };
      }),
    );
    return line;
  });
  const thead = make("thead", "");
  const tbody = make("tbody", "");
  thead.append(head);
  tbody.append(...rows);
  table.replaceChildren(thead, tbody);
  table.setAttribute("aria-label", `${view} of ${layout}`);
  // By which the font is chosen that lets the table fit on paper.
  const widths = range(grid.shownColumns).map((j) =>
    Math.max(String(j).length, ...cells.flatMap((row) => row[j].lines.map((text) => text.length))),
  );
  table.style.setProperty("--letters", widths.reduce((sum, n) => sum + n, String(cells.length).length));
  table.style.setProperty("--columns", widths.length + 1);
  const part = grid.shownRows < grid.rows || grid.shownColumns < grid.columns;
  const corner = part
    ? `; the first ${grid.shownRows} x ${grid.shownColumns} of ${grid.rows} x ${grid.columns} cells`
    : "";
  const together = layout.rank > 2 ? "; rows are mode 0, columns the other modes together" : "";
  $("note").textContent = NOTES[view](layout, state.bits) + together + corner;
};

/** All that is known of the cell (i,j), in pairs (what, answer). */
const storyOf = ({ layout, grid, bits, holding, tiling }, i, j) => {
  const coordinate = grid.coordinate(i, j);
  const index = grid.index(i, j);
  const offset = grid.offset(i, j);
  const flat = layout.rank === 1 ? String(j) : `(${i},${j})`;
  const story = [
    ["coordinate", flat === show(coordinate) ? flat : `${flat} = ${show(coordinate)}`],
    ["index", index],
  ];
  if (layout instanceof Swizzled) story.push(["before the swizzle", grid.before(i, j)]);
  story.push(["offset", offset], ["bank", bankOf(offset, bits)]);
  const few = (pairs, tell) =>
    pairs.slice(0, 4).map(tell).join(", ") + (pairs.length > 4 ? ` and ${pairs.length - 4} more` : "");
  if (!(holding instanceof Refusal)) {
    story.push(["held by", few(holding.owners.get(index) ?? [], ([t, v]) => `T${t} V${v}`) || "none"]);
  }
  if (!(tiling instanceof Refusal)) {
    story.push(["tile", few(tiling.tiles.get(index) ?? [], ([place, tile]) => `${tile}, place ${place}`) || "none"]);
  }
  return story;
};

const pointAt = (cell) => {
  const { i, j } = cell.dataset;
  const { key } = drawn[i][j];
  for (const row of drawn) for (const other of row) other.element.classList.toggle("kin", other.key === key);
  drawPairs("cell", storyOf(shown, BigInt(i), BigInt(j)));
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
    ].element;
  cell.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
};

// --- facts and results ---------------------------------------------------------------------------

const drawPairs = (id, pairs) =>
  $(id).replaceChildren(
    ...pairs.map(([what, answer]) => {
      const pair = make("div", "");
      pair.append(make("dt", what), make("dd", String(answer)));
      return pair;
    }),
  );

const UNARY = ["coalesce", "right_inverse", "left_inverse", "flatten", "filter"];
const BINARY = Object.keys(OPERATIONS).filter((name) => !UNARY.includes(name));
/** Every operation on the layout A and the operand B, as the page lists them. */
const CALLS = [...UNARY.map((name) => [name, "A"]), ...BINARY.map((name) => [name, "A", "B"])];
CALLS.splice(CALLS.findIndex(([name]) => name === "complement") + 1, 0, ["complement", "B", "size(A)"]);

/** The results of all operations; `operand` is the tree of B, or why there is none. */
const drawResults = (layout, operand, dims) => {
  const size = { op: "number", args: [layout.size], at: 0 };
  const trees = { A: attempt(() => parse(String(layout))), B: operand, "size(A)": size };
  const rows = CALLS.map(([name, ...operands]) => {
    const args = operands.map((x) => trees[x]);
    const wrong = args.find((x) => x instanceof Refusal);
    const found = wrong ?? attempt(() => valueOf({ op: "call", args: [name, ...args], at: 0, end: 0 }, dims));
    const line = make("tr", "");
    const head = make("th", "", { scope: "row" });
    const cell = make("td", "");
    const use = make("td", "");
    head.append(make("code", `${name}(${operands.join(", ")})`));
    if (found instanceof Refusal) cell.append(make("span", told(withoutColumn(found)), { class: "refused" }));
    else cell.append(make("code", String(found)));
    if (isMap(found)) {
      const button = make("button", "use", {
        type: "button",
        "aria-label": `make ${name}(${operands.join(", ")}) the layout`,
      });
      button.addEventListener("click", () => {
        state.layout = String(found);
        render(true);
        $("layout").focus();
      });
      use.append(button);
    }
    line.append(head, cell, use);
    return line;
  });
  $("results").replaceChildren(...rows);
};

/** A refusal of a text that the page made up itself: its columns say nothing to the reader. */
const withoutColumn = (refusal) => new Refusal(refusal.message.replace(/( at column \d+)+$/, ""), refusal.fix);

// --- all of it -----------------------------------------------------------------------------------

/** Say under a field what is wrong with it, if anything is. */
const judge = (name, found) => {
  const wrong = found instanceof Refusal;
  $(`${name}-problem`).textContent = wrong ? told(found) : "";
  $(name).setAttribute("aria-invalid", String(wrong));
};

/** What a field says, or where it is empty the example that fits; a Refusal is told if it is written. */
const read = (name, example, work) => {
  const written = state[name].trim();
  const found = attempt(() => work(written || example));
  $(name).placeholder = example;
  judge(name, written ? found : null);
  return found;
};

const readAll = (layout, dims) => {
  const listed = () => {
    if (layout.size > MAX_LISTED) refuse(`more than ${MAX_LISTED} elements`, "give a smaller layout");
  };
  const tile = show(someTile(layout));
  const tiling = read("tile", tile, (text) => {
    listed();
    return { text, ...tilesOf(layout, evaluate(text, dims)) };
  });
  const holding = read("threads", String(someThreads(layout)), (text) => {
    listed();
    const held = layoutOf(text, dims);
    return { held, owners: ownersOf(held, layout.size) };
  });
  const operand = read("with", state.tile.trim() || tile, (text) => {
    evaluate(text, dims);
    return parse(text);
  });
  return { layout, grid: gridOf(layout), bits: BigInt(state.bits), tiling, holding, operand };
};

const drawPicture = () => {
  const cells = attempt(() => cellsOf(state.view, shown.layout, shown));
  const wrong = cells instanceof Refusal;
  $("no-table").textContent = wrong ? told(cells) : "";
  $("drawn").hidden = wrong;
  if (wrong) return;
  drawTable(shown.layout, shown.grid, cells);
  drawPairs("cell", storyOf(shown, 0n, 0n));
};

const drawFacts = ({ layout, bits, tiling, holding }) => {
  const held = holding instanceof Refusal ? null : holding.held;
  const more = costsOf(layout, bits, held);
  if (!(tiling instanceof Refusal)) {
    const beyond = tiling.beyond ? `, ${tiling.beyond} of its elements beyond the layout` : "";
    more.push([`zipped_divide(A, ${tiling.text})`, `${tiling.divided}${beyond}`]);
  }
  if (held) {
    const partition = attempt(() => composition(layout, held));
    more.push([`composition(A, ${held})`, partition instanceof Refusal ? told(partition) : partition]);
  }
  drawPairs("facts", factsOf(layout));
  drawPairs("costs", more);
};

/** Everything anew from the state; `fill` also into the fields of text. */
const render = (fill = false) => {
  const names = dimsInUse();
  const dims = dimValues(names);
  if (fill) for (const name of TEXTS) $(name).value = state[name];
  else if ($("layout") !== document.activeElement) $("layout").value = state.layout;
  $("bits").value = state.bits;
  $(`view-${state.view}`).checked = true;
  drawDims(names);
  fillParts(dims, fill);
  toAddressSoon(names);
  const layout = attempt(() => layoutOf(state.layout, dims));
  const known = !(layout instanceof Refusal);
  judge("layout", layout);
  $("title").textContent = known ? String(layout) : state.layout;
  document.title = `symcute explore ${state.layout}`;
  // Out of sight until all is drawn, so that nothing of another layout stands there, whatever fails.
  const parts = [...document.querySelectorAll(".of-layout")];
  for (const part of parts) part.classList.add("unknown");
  if (!known) return;
  shown = readAll(layout, dims);
  drawPicture();
  drawFacts(shown);
  drawResults(layout, shown.operand, dims);
  for (const part of parts) part.classList.remove("unknown");
};

/** The arrows change the number at the caret by one, with Shift by a factor of two. */
const stepNumber = (event) => {
  if (!["ArrowUp", "ArrowDown"].includes(event.key)) return;
  const field = event.target;
  const up = event.key === "ArrowUp";
  const number = [...field.value.matchAll(/(?<![\w)]\s*)-\d+|\d+/g)].find(
    (m) => m.index <= field.selectionStart && field.selectionStart <= m.index + m[0].length,
  );
  if (!number) return;
  event.preventDefault();
  const value = BigInt(number[0]);
  const next = event.shiftKey ? (up ? 2n * value : value / 2n) : up ? value + 1n : value - 1n;
  field.setRangeText(String(next), number.index, number.index + number[0].length, "select");
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

const begin = () => {
  clearTimeout(late);
  state = fromAddress();
  render(true);
};

const connect = () => {
  for (const name of TEXTS)
    $(name).addEventListener("input", () => {
      state[name] = $(name).value;
      render();
    });
  for (const id of ["shape", "stride", "offset", "sw-bits", "sw-base", "sw-shift"]) {
    $(id).addEventListener("input", () => {
      state.layout = textOfParts();
      render();
    });
  }
  for (const id of [...TEXTS, "shape", "stride", "offset"]) $(id).addEventListener("keydown", stepNumber);
  const strides = (make) => () => {
    const shape = attempt(() => layoutOf(state.layout, dimValues(dimsInUse())).shape);
    if (shape instanceof Refusal) return;
    $("stride").value = show(make(shape));
    state.layout = textOfParts();
    render();
  };
  $("columns").addEventListener("click", strides(compact));
  $("rows").addEventListener("click", strides(rowMajor));
  $("bits").addEventListener("change", () => {
    state.bits = $("bits").value;
    render();
  });
  for (const view of VIEWS)
    $(`view-${view}`).addEventListener("change", () => {
      state.view = view;
      render();
    });
  $("inputs").addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["pointerover", "focusin"]) {
    $("table").addEventListener(kind, (event) => {
      const cell = event.target.closest("td[data-i]");
      if (cell) pointAt(cell);
    });
  }
  $("table").addEventListener("keydown", moveInTable);
  window.addEventListener("hashchange", begin);
};

connect();
begin();

// The page: fields to questions, answers to the picture. What answers is `ASKED`: nobody in a page that
// was written with its answers, else a worker or a server.

const live = SETUP.answer === null;
let strides = null;
/** Where an answer comes from: { ask, stop }, given by the script of a live page. */
let asked = null;
const ask = (question) => asked.ask(question);
const stop = () => asked?.stop();

// --- one question at a time, and the last one counts ----------------------------------------------

let busy = false;
let again = false;

const draw = async () => {
  toAddressSoon();
  fillChoices();
  if (!live) return showAnswer(SETUP.answer);
  if (!asked) return;
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  const slow = setTimeout(() => document.body.classList.add("busy"), 150);
  try {
    do {
      again = false;
      const { bits, view, dims } = state;
      const texts = Object.fromEntries(DRAWN.map((name) => [name, state[name]]));
      const question = { ask: "draw", ...texts, bits, views: [view], dims: { ...dims } };
      const answer = await ask(question).catch((error) => ({ problem: error.message }));
      if (!again) showAnswer(answer);
    } while (again);
  } finally {
    busy = false;
    clearTimeout(slow);
    document.body.classList.remove("busy");
  }
};

const fillChoices = () => {
  $("bits").value = state.bits;
  $(`view-${state.view}`).checked = true;
};
const fillAll = () => {
  for (const name of TEXTS) $(name).value = state[name];
  fillChoices();
};
/** Write a text into a field as if it were typed. */
const write = (name, text) => {
  state[name] = text;
  $(name).value = text;
  draw();
};

const begin = () => {
  clearTimeout(late);
  state = live ? fromAddress() : structuredClone(SETUP.state);
  fillAll();
  draw();
};

const setLayout = (text) => {
  state.layout = text;
  if ($("layout") !== document.activeElement) $("layout").value = text;
  draw();
};

const connectFields = () => {
  for (const name of DRAWN)
    $(name).addEventListener("input", () => {
      state[name] = $(name).value;
      draw();
    });
  for (const id of PARTS) $(id).addEventListener("input", () => setLayout(textOfParts()));
  for (const id of [...TEXTS, "shape", "stride", "offset"]) $(id).addEventListener("keydown", stepNumber);
  for (const order of ["columns", "rows"])
    $(order).addEventListener("click", () => {
      if (!strides) return;
      $("stride").value = strides[order];
      setLayout(textOfParts());
    });
  $("bits").addEventListener("change", () => {
    state.bits = $("bits").value;
    draw();
  });
  $("inputs").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", begin);
};

const connectTable = () => {
  for (const view of VIEWS)
    $(`view-${view}`).addEventListener("change", () => {
      state.view = view;
      draw();
    });
  for (const kind of ["pointerover", "focusin"])
    $("table").addEventListener(kind, (event) => {
      const cell = event.target.closest("td[data-i]");
      if (cell) pointAt(cell);
    });
  $("table").addEventListener("keydown", moveInTable);
  $("smaller").addEventListener("click", () => zoomBy(-1));
  $("larger").addEventListener("click", () => zoomBy(1));
  $("fit").addEventListener("click", () => zoom(scale === "fit" ? 1 : "fit"));
  window.addEventListener("resize", () => scale === "fit" && shown && zoom("fit"));
};

/** A written page shows what was computed for its fields, which cannot be changed there. */
const freeze = () => {
  for (const name of TEXTS) $(name).closest("label").hidden = !SETUP.state[name];
  for (const field of $("inputs").elements) {
    if (field.type !== "radio") field.readOnly = true;
    if (field.type === "number" || field.tagName === "SELECT") field.disabled = true;
  }
};

/** A live page has what answers it: from now on. */
const answered = (by) => {
  asked = by;
  draw();
};

if (live) connectFields();
else freeze();
connectClaims();
connectTable();
begin();

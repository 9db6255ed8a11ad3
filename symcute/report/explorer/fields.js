// What the page is asked to show: the state, the address that holds it, and the fields that say it.

const $ = (id) => document.getElementById(id);
const make = (tag, text, attributes = {}) => {
  const found = document.createElement(tag);
  if (text !== "") found.textContent = text;
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  return found;
};
/** What a function returns, or the Refusal it throws. */
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};
const told = (refusal) => (refusal.fix ? `${refusal.message}; ${refusal.fix}` : refusal.message);

const TEXTS = ["layout", "tile", "threads", "with"];
const VIEWS = ["offsets", "banks", "tiles", "threads"];
const DEFAULT_DIM = "8";

let state;

// --- the address holds the state -----------------------------------------------------------------

const fromAddress = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  const dims = Object.assign(Object.create(null), SETUP.dims);
  for (const [name, value] of given) if (name.startsWith("dim.")) dims[name.slice(4)] = value;
  const take = (name) => given.get(name) ?? SETUP[name];
  const among = (name, choices) => (choices.includes(take(name)) ? take(name) : SETUP[name]);
  const bits = among(
    "bits",
    [...$("bits").options].map((x) => x.value),
  );
  return { ...Object.fromEntries(TEXTS.map((name) => [name, take(name)])), bits, view: among("view", VIEWS), dims };
};

/** Held back a little: browsers refuse to change the address with every key. */
let late;
const toAddressSoon = (dims) => {
  clearTimeout(late);
  late = setTimeout(toAddress, 150, dims);
};
const toAddress = (dims) => {
  const { bits, view } = state;
  const held = new URLSearchParams([...TEXTS.map((name) => [name, state[name]]), ["bits", bits], ["view", view]]);
  for (const name of dims) held.set(`dim.${name}`, state.dims[name]);
  const address = `#${held}`;
  if (address !== location.hash) history.replaceState(null, "", address);
};

// --- fields that belong together -----------------------------------------------------------------

/** The parts of the text of a layout as they are written: swizzle, offset, shape, stride. */
const partsOfText = (text, dims) => {
  const written = (node) => text.slice(node.at, node.end);
  let tree = parse(text);
  // Parentheses around a layout only group it; around a number they make a shape.
  if (["layout", "o"].includes(ungroup(tree).op)) tree = ungroup(tree);
  let swizzle = null;
  let offset = "0";
  if (tree.op === "o") {
    let [first, last] = tree.args;
    if (first.op === "o") [first, offset] = [first.args[0], written(first.args[1])];
    if (first.op === "swizzle") [swizzle, tree] = [first.args, ungroup(last)];
  }
  if (tree.op === "layout") return { swizzle, offset, shape: written(tree.args[0]), stride: written(tree.args[1]) };
  if (!["o", "call", "swizzle"].includes(tree.op)) return { swizzle, offset, shape: written(tree), stride: "" };
  const found = layoutOf(text, dims);
  return partsOfText(String(found), dims);
};

const fillParts = (dims, all) => {
  const parts = attempt(() => partsOfText(state.layout, dims));
  if (parts instanceof Refusal) return;
  const fill = (id, value) => {
    if (all || $(id) !== document.activeElement) $(id).value = value;
  };
  fill("shape", parts.shape);
  fill("stride", parts.stride);
  fill("offset", parts.offset);
  fill("sw-bits", parts.swizzle ? String(parts.swizzle[0]) : "0");
  if (parts.swizzle) {
    fill("sw-base", String(parts.swizzle[1]));
    fill("sw-shift", String(parts.swizzle[2]));
  }
};

const textOfParts = () => {
  const [shape, stride, offset, bits, base, shift] = [
    "shape",
    "stride",
    "offset",
    "sw-bits",
    "sw-base",
    "sw-shift",
  ].map((id) => $(id).value.trim());
  const plain = stride ? `${shape}:${stride}` : shape;
  const swizzled = (bits !== "" && bits !== "0") || (offset !== "" && offset !== "0");
  return swizzled ? `Sw<${bits || 0},${base || 0},${shift || 0}> o ${offset || 0} o ${plain}` : plain;
};

const dimsInUse = () => [
  ...new Set(
    TEXTS.flatMap((name) => {
      const names = attempt(() => dimsOf(parse(state[name])));
      return names instanceof Refusal ? [] : names;
    }),
  ),
];

/** An input for each dim that a text names; those there are stay, and keep the focus. */
const drawDims = (names) => {
  $("dims").hidden = names.length === 0;
  const there = new Map([...$("dims").querySelectorAll("input")].map((x) => [x.name, x]));
  if (there.size !== names.length || names.some((name) => !there.has(name))) {
    $("dims").replaceChildren(
      make("legend", "Dims"),
      ...names.map((name) => {
        const label = make("label", name);
        const input = make("input", "", { type: "number", name, step: "1" });
        input.addEventListener("input", () => {
          state.dims[name] = input.value;
          render();
        });
        label.append(input);
        there.set(name, input);
        return label;
      }),
    );
  }
  for (const name of names) if (there.get(name) !== document.activeElement) there.get(name).value = state.dims[name];
};

const dimValues = (names) => {
  const found = Object.create(null);
  for (const name of names) {
    state.dims[name] ??= DEFAULT_DIM;
    if (/^-?\d{1,40}$/.test(state.dims[name])) found[name] = BigInt(state.dims[name]);
  }
  return found;
};

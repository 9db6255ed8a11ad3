// What the page is asked to show: the state, the address that holds it, and the fields that say it.

const SETUP = JSON.parse(document.getElementById("setup").textContent);

const $ = (id) => document.getElementById(id);
const make = (tag, text, attributes = {}) => {
  const found = document.createElement(tag);
  if (text !== "") found.textContent = text;
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  return found;
};

/** The fields of text that are asked about, and those among them that a picture is drawn from. */
const TEXTS = ["layout", "given", "tile", "threads", "with", "claim"];
const DRAWN = TEXTS.filter((name) => name !== "claim");
const VIEWS = SETUP.choices.views;

let state;

// --- the address holds the state -----------------------------------------------------------------

const fromAddress = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  const dims = Object.assign(Object.create(null), SETUP.state.dims);
  for (const [name, value] of given) if (name.startsWith("dim.")) dims[name.slice(4)] = value;
  const take = (name) => given.get(name) ?? SETUP.state[name] ?? "";
  const among = (name, choices) => (choices.includes(take(name)) ? take(name) : SETUP.state[name]);
  const texts = Object.fromEntries(TEXTS.map((name) => [name, take(name)]));
  return { ...texts, bits: among("bits", SETUP.choices.bits), view: among("view", VIEWS), dims };
};

/** Held back a little: browsers refuse to change the address with every key. */
let late;
const toAddressSoon = () => {
  clearTimeout(late);
  late = setTimeout(toAddress, 150);
};
const toAddress = () => {
  const { bits, view } = state;
  const held = new URLSearchParams([...TEXTS.map((name) => [name, state[name]]), ["bits", bits], ["view", view]]);
  for (const input of $("dims").querySelectorAll("input")) held.set(`dim.${input.name}`, input.value);
  const address = `#${held}`;
  if (address !== location.hash) history.replaceState(null, "", address);
};

// --- fields that belong together -----------------------------------------------------------------

const PARTS = ["shape", "stride", "offset", "sw-bits", "sw-base", "sw-shift"];

/** Fill the fields of the parts of a layout, but not the one that is being written in. */
const fillParts = ({ shape, stride, offset, swizzle: [bits, base, shift] }) => {
  const values = [shape, stride, offset, bits, ...(bits ? [base, shift] : [])];
  values.forEach((value, k) => {
    if ($(PARTS[k]) !== document.activeElement) $(PARTS[k]).value = value;
  });
};

const textOfParts = () => {
  const [shape, stride, offset, bits, base, shift] = PARTS.map((id) => $(id).value.trim());
  const plain = stride ? `${shape}:${stride}` : shape;
  const swizzled = !["", "0"].includes(bits) || !["", "0"].includes(offset);
  return swizzled ? `Sw<${bits || 0},${base || 0},${shift || 0}> o ${offset || 0} o ${plain}` : plain;
};

/** An input for each dim; those there are stay, and keep the focus. */
const drawDims = (values) => {
  const names = Object.keys(values);
  $("dims").hidden = names.length === 0;
  const there = new Map([...$("dims").querySelectorAll("input")].map((x) => [x.name, x]));
  if (there.size !== names.length || names.some((name) => !there.has(name))) {
    $("dims").replaceChildren(make("legend", "Dims, for the picture"), ...names.map(dimField));
  }
  for (const input of $("dims").querySelectorAll("input"))
    if (input !== document.activeElement) input.value = values[input.name];
};

const dimField = (name) => {
  const label = make("label", name);
  const input = make("input", "", { type: "number", name, step: "1" });
  input.readOnly = !live;
  input.addEventListener("input", () => {
    state.dims[name] = input.value;
    draw();
  });
  label.append(input);
  return label;
};

/** The arrows change the number at the caret by one, with Shift by a factor of two. */
const stepNumber = (event) => {
  if (!["ArrowUp", "ArrowDown"].includes(event.key) || event.target.readOnly) return;
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

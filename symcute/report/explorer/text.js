// Text to values: the part of the grammar of text.py that numbers need. Nothing is evaluated as
// JavaScript. A name is a dim, whose value is given.

const MAX_LENGTH = 10000;
const MAX_NESTING = 64;
const MAX_TREE_DEPTH = 128;
const MAX_EXPONENT = 64n;
const MAX_BITS = 4096n;

class TextRefusal extends Refusal {
  constructor(what, at, fix) {
    super(`${what} at column ${at + 1}`, fix);
    this.at = at;
  }
}
const refuseAt = (what, at, fix = "") => {
  throw new TextRefusal(what, at, fix);
};

// --- tokens --------------------------------------------------------------------------------------

const TOKEN = new RegExp(
  [
    /[ \t\r\n]+/,
    /(?<number>0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|[0-9]+(?:_[0-9]+)*)/,
    // `S<1,2,3>` is a swizzle where a layout may follow, `S` a name elsewhere.
    /(?<swizzle>(?:Swizzle|Sw)(?=<)|S(?=<-?[0-9]+,-?[0-9]+,-?[0-9]+>\s*(?:o\b|[^-+\w\s("<]|$)))/,
    /(?<name>[A-Za-z_][A-Za-z0-9_]*)/,
    /(?<sign>\*\*|\/\/|<<|>>|[-+*/%<>():,@])/,
  ]
    .map((part) => part.source)
    .join("|"),
  "y",
);
const ENDS_VALUE = new Set(["number", "name", "any", ")", ">"]);

const tokens = (text) => {
  if (text.length > MAX_LENGTH) refuse(`a text of more than ${MAX_LENGTH} characters`, "split it");
  const found = [];
  const open = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) refuseAt(`the character '${text[at]}' means nothing here`, at, "remove it");
    const { number, swizzle, name, sign } = match.groups;
    const afterValue = ENDS_VALUE.has(found.at(-1)?.kind);
    let kind = null;
    let word = match[0];
    if (number) kind = "number";
    else if (swizzle) kind = "swizzle";
    else if (name) kind = name === "_" ? "any" : name === "o" && afterValue ? "o" : "name";
    else if (sign) {
      // `<` opens a tiler where a value is expected, `>` closes the one it is directly inside.
      if ((sign[0] === "<" && !afterValue) || (sign[0] === ">" && open.at(-1) === "<")) word = sign[0];
      kind = word;
      if (kind === "(" || (kind === "<" && !afterValue)) open.push(kind);
      else if ((kind === ")" && open.at(-1) === "(") || (kind === ">" && open.at(-1) === "<")) open.pop();
      if (open.length > MAX_NESTING)
        refuseAt(`brackets are nested more than ${MAX_NESTING} deep`, at, "nest them less");
    }
    if (kind === "number" && /^0[0-9_]/.test(word)) refuseAt("a number starts with 0", at, "leave the 0 out");
    if (kind) found.push({ kind, word, at });
    at += word.length;
  }
  return found;
};

// --- trees ---------------------------------------------------------------------------------------

/** The tree of a text: nodes { op, args, at, end }, as `Node` of text.py has them. */
const parse = (text) => {
  const all = tokens(text);
  let next = 0;
  let deep = 0;
  const kind = () => all[next]?.kind ?? "the end";
  const start = () => all[next]?.at ?? text.length;
  const end = () => all[next - 1].at + all[next - 1].word.length;
  const take = (wanted) => {
    if (kind() !== wanted) {
      const found = next < all.length ? `'${all[next].word}'` : "the end";
      refuseAt(
        `expected ${/\w/.test(wanted) ? `a ${wanted}` : `'${wanted}'`}, found ${found}`,
        start(),
        "write what is missing before it",
      );
    }
    return all[next++].word;
  };
  const node = (op, at, ...args) => {
    const depth = 1 + Math.max(0, ...args.map((x) => x.depth ?? 0));
    if (depth > MAX_TREE_DEPTH)
      refuseAt(
        `more than ${MAX_TREE_DEPTH} operators and brackets inside one another`,
        at,
        "group the terms in parentheses, or split it",
      );
    return { op, args, at, end: end(), depth };
  };
  const binary = (signs, operand) => () => {
    const at = start();
    let left = operand();
    while (signs.includes(kind())) {
      const op = all[next++].word;
      left = node(op, at, left, operand());
    }
    return left;
  };
  const integer = () => {
    const minus = kind() === "-" && take("-");
    const word = BigInt(take("number").replaceAll("_", ""));
    return minus ? -word : word;
  };
  const list = (close) => {
    const items = [];
    let commas = 0;
    while (kind() !== close) {
      items.push(composedText());
      if (kind() !== ",") break;
      take(",");
      commas++;
    }
    take(close);
    return { items, commas };
  };
  const operand = () => {
    const at = start();
    if (kind() === "any") {
      take("any");
      return node("any", at);
    }
    let found;
    if (kind() === "number") found = node("number", at, integer());
    else if (kind() === "name") {
      const name = take("name");
      found = node("name", at, name);
      if (kind() === "(") {
        take("(");
        found = node("call", at, name, ...list(")").items);
      }
    } else if (kind() === "swizzle") {
      take("swizzle");
      take("<");
      const fields = [integer(), (take(","), integer()), (take(","), integer())];
      take(">");
      found = node("swizzle", at, ...fields);
    } else if (kind() === "<") {
      take("<");
      const { items } = list(">");
      if (items.length === 0) refuseAt("a tiler without tiles", at, "write <4:1,8:1>");
      found = node("tuple", at, ...items);
    } else {
      if (kind() !== "(") take("number");
      take("(");
      const { items, commas } = list(")");
      found = node(items.length === 1 && commas === 0 ? "paren" : "tuple", at, ...items);
    }
    if (kind() === "@")
      refuseAt("a stride that is a coordinate", start(), "it gives no offsets to show; symcute show prints the layout");
    if (kind() === "(") refuseAt("a layout applied to a coordinate", start(), "hover its cell");
    return found;
  };
  const power = () => {
    const at = start();
    const left = operand();
    if (kind() !== "**") return left;
    take("**");
    return node("**", at, left, signed());
  };
  const signed = () => {
    if (++deep > 2 * MAX_TREE_DEPTH) refuseAt("too many signs inside one another", start(), "use fewer");
    const at = start();
    const sign = kind();
    let found;
    if (sign === "-" || sign === "+") {
      next++;
      found = signed();
    } else found = power();
    deep--;
    return sign === "-" ? node("neg", at, found) : found;
  };
  const times = binary(["*", "/", "//", "%"], signed);
  const shifts = binary(["<<", ">>"], binary(["+", "-"], times));
  const layoutText = () => {
    const at = start();
    const left = shifts();
    if (kind() !== ":") return left;
    take(":");
    return node("layout", at, left, shifts());
  };
  const composedText = binary(["o"], layoutText);
  const tree = composedText();
  if (next < all.length)
    refuseAt(
      `expected an operator or the end, found '${all[next].word}'`,
      start(),
      "put the items of a tuple in parentheses",
    );
  return tree;
};

const ungroup = (tree) => (tree.op === "paren" ? ungroup(tree.args[0]) : tree);

/** The dims of a tree, in the order they come in. */
const dimsOf = (tree) =>
  tree.op === "name" ? [tree.args[0]] : [...new Set(tree.args.filter((x) => x?.op).flatMap(dimsOf))];

// --- values --------------------------------------------------------------------------------------

const exactly = (a, b) =>
  b === 0n
    ? refuse("division by 0")
    : mod(a, b) === 0n
      ? floorDiv(a, b)
      : refuse(`${a}/${b} is not an integer`, "use // or ceil_div to round");
const within = (b, largest, what) =>
  b >= 0n && b <= largest ? b : refuse(`the ${what} ${b} is not a number from 0 to ${largest}`, "use a smaller one");
const nonzero = (b) => (b === 0n ? refuse("division by 0") : b);
const ARITHMETIC = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": exactly,
  "//": (a, b) => floorDiv(a, nonzero(b)),
  "%": (a, b) => mod(a, nonzero(b)),
  "**": (a, b) => a ** within(b, MAX_EXPONENT, "exponent"),
  "<<": (a, b) => a << within(b, MAX_BITS, "shift"),
  ">>": (a, b) => a >> within(b, MAX_BITS, "shift"),
  neg: (a) => -a,
  ceil_div: (a, b) => ceilDiv(a, nonzero(b)),
  floor_div: (a, b) => floorDiv(a, nonzero(b)),
  mod: (a, b) => mod(a, nonzero(b)),
  min: least,
  max: most,
};

/**
 * The operations by name. What they take, a letter an argument: L layout, O the same or a swizzled
 * one, M the same or a swizzle, T tiler, P the same or a swizzled layout or a swizzle, S a number,
 * a shape or a layout, V a profile; `?` before those that may be left out.
 */
const OPERATIONS = {
  coalesce: ["O?V", coalesce],
  flatten: ["O", flatten],
  filter: ["O?V", filter],
  composition: ["MP", composition],
  complement: ["OS", complement],
  right_inverse: ["M", rightInverse],
  left_inverse: ["M", leftInverse],
  logical_divide: ["OT", logicalDivide],
  zipped_divide: ["OT", zippedDivide],
  tiled_divide: ["OT", tiledDivide],
  flat_divide: ["OT", flatDivide],
  logical_product: ["OP", logicalProduct],
  zipped_product: ["OP", zippedProduct],
  tiled_product: ["OP", tiledProduct],
  flat_product: ["OP", flatProduct],
  blocked_product: ["OL", interleaved(false)],
  raked_product: ["OL", interleaved(true)],
};

/** The value of a tree at values of its dims: a number, a tuple, a layout, a swizzle. */
const valueOf = (tree, dims) => {
  const value = (node) => {
    try {
      return (READERS[node.op] ?? arithmetic)(node);
    } catch (error) {
      if (error instanceof TextRefusal || !(error instanceof Refusal)) throw error;
      return refuseAt(error.message, node.at, error.fix);
    }
  };
  const number = (node) => {
    const found = value(ungroup(node));
    return isNumber(found) ? found : refuseAt("expected a number", node.at);
  };
  const arithmetic = (node, sign = node.op, args = node.args) => {
    const wanted = ARITHMETIC[sign].length;
    if (args.length !== wanted) refuseAt(`${sign} takes ${wanted} numbers`, node.at);
    const found = ARITHMETIC[sign](...args.map(number));
    return bitLength(abs(found)) > MAX_BITS ? refuse(`a number of more than ${MAX_BITS} bits`) : found;
  };
  const argument = (kind, node) => {
    const found = value(node);
    const takes = { O: [Swizzled], M: [Swizzled, Swizzle], P: [Swizzled, Swizzle] }[kind] ?? [];
    if (takes.some((type) => found instanceof type)) return found;
    if ([Swizzled, Swizzle, Unswizzled].some((type) => found instanceof type))
      refuseAt(`expected a layout, not ${found}`, node.at);
    return "LOM".includes(kind) && !(found instanceof Layout) ? new Layout(found) : found;
  };
  /** `swizzle o layout`, `swizzle o offset o layout`, `layout o offset o swizzle`; else undefined. */
  const withSwizzle = (first, last) => {
    let offset = 0n;
    let middle;
    if (first.op === "o") {
      [first, middle] = first.args;
      offset = value(ungroup(middle));
    }
    if (!isNumber(offset)) return undefined;
    if (last.op === "swizzle") {
      return middle && first.op !== "swizzle" ? new Unswizzled(argument("L", first), offset, value(last)) : undefined;
    }
    return first.op === "swizzle" ? new Swizzled(value(first), offset, argument("L", last)) : undefined;
  };
  const call = (name, args, node) => {
    if (!Object.hasOwn(OPERATIONS, name))
      refuseAt(`there is no ${name} in this page`, node.at, "symcute eval has it, or not");
    const [kinds, operation] = OPERATIONS[name];
    const [needed, optional = ""] = kinds.split("?");
    if (args.length < needed.length || args.length > (needed + optional).length)
      refuseAt(`${name} got ${args.length} arguments`, node.at);
    return operation(...args.map((x, k) => argument((needed + optional)[k], x)));
  };
  const READERS = {
    number: (node) => node.args[0],
    any: () => null,
    name: (node) => dims[node.args[0]] ?? refuseAt(`${node.args[0]} has no value`, node.at, "give the dim a number"),
    tuple: (node) => node.args.map(value),
    paren: (node) => {
      // `(8)` standing alone is a rank-1 tuple; under an operator it only groups.
      const item = value(node.args[0]);
      return item === null || isNumber(item) || isTuple(item) ? [item] : item;
    },
    swizzle: (node) => new Swizzle(...node.args),
    layout: (node) => {
      let [shape, stride] = node.args;
      if ((shape.op === "paren") !== (stride.op === "paren")) [shape, stride] = [ungroup(shape), ungroup(stride)];
      return new Layout(value(shape), value(stride));
    },
    o: (node) => withSwizzle(...node.args) ?? call("composition", node.args, node),
    call: (node) => {
      const [name, ...args] = node.args;
      if (Object.hasOwn(ARITHMETIC, name)) return arithmetic(node, name, args);
      return (name === "composition" && args.length === 2 && withSwizzle(...args)) || call(name, args, node);
    },
  };
  return value(tree);
};

/** The value of a text. Throws a Refusal. */
const evaluate = (text, dims = {}) => valueOf(parse(text), dims);

/** The layout that a text gives: a bare shape is compact and column-major. Throws a Refusal. */
const layoutOf = (text, dims = {}) => {
  const found = evaluate(text, dims);
  if (isMap(found)) return found;
  if (found instanceof Swizzle || found instanceof Unswizzled)
    refuse(`${found} is not a layout`, "write a layout after it: Sw<3,0,3> o (8,8):(8,1)");
  return new Layout(found);
};

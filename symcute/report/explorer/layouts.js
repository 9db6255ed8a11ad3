// Layouts of whole numbers. Every number is a BigInt, so nothing is ever rounded; a shape is a
// BigInt or an array of shapes. What has no right answer is refused, never guessed.

class Refusal extends Error {
  constructor(what, fix = "") {
    super(what);
    this.fix = fix;
  }
}
const refuse = (what, fix) => {
  throw new Refusal(what, fix);
};

// --- whole numbers, with the division that rounds down -------------------------------------------

const isNumber = (x) => typeof x === "bigint";
const floorDiv = (a, b) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
const mod = (a, b) => a - b * floorDiv(a, b);
const ceilDiv = (a, b) => -floorDiv(-a, b);
const abs = (a) => (a < 0n ? -a : a);
const least = (a, b) => (a < b ? a : b);
const most = (a, b) => (a > b ? a : b);
const bitLength = (a) => (a === 0n ? 0n : BigInt(a.toString(2).length));
const lowestBit = (a) => bitLength(a & -a) - 1n;
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0n);
const range = (count) => Array.from({ length: Number(count) }, (_, i) => BigInt(i));

// --- hierarchical tuples -------------------------------------------------------------------------

const isTuple = Array.isArray;
const wrap = (t) => (isTuple(t) ? t : [t]);
const leaves = (t) => (isTuple(t) ? t.flatMap(leaves) : [t]);
const product = (t) => leaves(t).reduce((a, b) => a * b, 1n);
const depth = (t) => (isTuple(t) ? 1 + Math.max(0, ...t.map(depth)) : 0);
const show = (t) => (isTuple(t) ? `(${t.map(show).join(",")})` : t === null ? "_" : String(t));
const sameProfile = (a, b) =>
  isTuple(a) && isTuple(b)
    ? a.length === b.length && a.every((x, k) => sameProfile(x, b[k]))
    : !isTuple(a) && !isTuple(b);
const allLeaves = (t, holds) => (isTuple(t) ? t.length > 0 && t.every((x) => allLeaves(x, holds)) : holds(t));

/** The compact column-major stride of a shape; an extent of 1 gets the stride 0. */
const compact = (shape) => {
  let current = 1n;
  const build = (s) => {
    if (isTuple(s)) return s.map(build);
    const here = s === 1n ? 0n : current;
    current *= s;
    return here;
  };
  return build(shape);
};

/** The row-major one: the last mode is next to itself. */
const rowMajor = (shape) => {
  const turn = (t) => (isTuple(t) ? t.map(turn).reverse() : t);
  return turn(compact(turn(shape)));
};

/** The natural coordinate of an index; the last mode is not bounded by its extent. */
const split = (index, shape) => {
  if (!isTuple(shape)) return index;
  const last = shape.length - 1;
  return shape.map((s, k) => {
    if (k === last) return split(index, s);
    const extent = product(s);
    const digit = mod(index, extent);
    index = floorDiv(index, extent);
    return split(digit, s);
  });
};

const offsetAt = (crd, shape, stride) => {
  if (isTuple(crd)) {
    if (!isTuple(shape) || crd.length !== shape.length)
      refuse(`the coordinate ${show(crd)} does not fit ${show(shape)}`);
    return sum(crd.map((c, k) => offsetAt(c, shape[k], stride[k])));
  }
  if (!isTuple(shape)) return crd * stride;
  let total = 0n;
  const last = shape.length - 1;
  for (let k = 0; k < last; k++) {
    const extent = product(shape[k]);
    total += offsetAt(mod(crd, extent), shape[k], stride[k]);
    crd = floorDiv(crd, extent);
  }
  return total + offsetAt(crd, shape[last], stride[last]);
};

// --- layouts -------------------------------------------------------------------------------------

/** The map `shape:stride`; without a stride it is compact and column-major. */
class Layout {
  constructor(shape, stride) {
    if (!allLeaves(shape, isNumber)) refuse(`${show(shape)} is no shape`, "give every mode a number for its extent");
    const bad = leaves(shape).find((s) => s < 1n);
    if (bad !== undefined) refuse(`extent ${bad} in the shape ${show(shape)}`, "extents are at least 1");
    this.shape = shape;
    this.stride = stride === undefined ? compact(shape) : stride;
    if (!sameProfile(shape, this.stride)) {
      refuse(
        `shape ${show(shape)} and stride ${show(this.stride)} differ in hierarchy`,
        "give every extent its stride, in the same parentheses",
      );
    }
    if (!allLeaves(this.stride, isNumber)) refuse(`${show(this.stride)} is no stride`, "strides are numbers");
  }
  get plain() {
    return this;
  }
  get modes() {
    const strides = leaves(this.stride);
    return leaves(this.shape).map((s, k) => [s, strides[k]]);
  }
  get parts() {
    const strides = wrap(this.stride);
    return wrap(this.shape).map((s, k) => new Layout(s, strides[k]));
  }
  get rank() {
    return wrap(this.shape).length;
  }
  get depth() {
    return depth(this.shape);
  }
  get size() {
    return product(this.shape);
  }
  get cosize() {
    return 1n + sum(this.modes.map(([s, d]) => (s - 1n) * abs(d)));
  }
  at(crd) {
    return offsetAt(crd, this.shape, this.stride);
  }
  toString() {
    return `${show(this.shape)}:${show(this.stride)}`;
  }
}

const MAX_SWIZZLED_BITS = 64n;

/** `Sw<bits,base,shift>`: bits [base, base+bits) are exclusive-ored with those `shift` above. */
class Swizzle {
  constructor(bits, base, shift) {
    Object.assign(this, { bits, base, shift });
    if (bits < 0n || base < 0n) refuse(`${this} has a negative field`, "bits and base are at least 0");
    if (abs(shift) < bits) refuse(`the two fields of ${this} overlap`, `the shift is at least ${bits} either way`);
    if (bits + base + abs(shift) > MAX_SWIZZLED_BITS) {
      refuse(
        `${this} reaches beyond bit ${MAX_SWIZZLED_BITS - 1n}`,
        `bits + base + |shift| is at most ${MAX_SWIZZLED_BITS}`,
      );
    }
  }
  get source() {
    return ((1n << this.bits) - 1n) << (this.base + most(0n, this.shift));
  }
  get target() {
    return ((1n << this.bits) - 1n) << (this.base - least(0n, this.shift));
  }
  get period() {
    return 1n << bitLength(this.target);
  }
  get reach() {
    return 1n << bitLength(this.source | this.target);
  }
  at(offset) {
    const moved = offset & this.source;
    return offset ^ (this.shift >= 0n ? moved >> this.shift : moved << -this.shift);
  }
  toString() {
    return `Sw<${this.bits},${this.base},${this.shift}>`;
  }
}

/** `swizzle o offset o layout`; what speaks of coordinates is the layout's. */
class Swizzled {
  constructor(swizzle, offset, layout) {
    Object.assign(this, { swizzle, offset, plain: layout });
    if (!(layout instanceof Layout)) refuse(`${this} is no composed layout`, "give a swizzle, an offset and a layout");
  }
  map(change, ...more) {
    return new Swizzled(this.swizzle, this.offset, change(this.plain, ...more));
  }
  get shape() {
    return this.plain.shape;
  }
  get parts() {
    return this.plain.parts.map((x) => new Swizzled(this.swizzle, this.offset, x));
  }
  get modes() {
    return this.plain.modes;
  }
  get rank() {
    return this.plain.rank;
  }
  get depth() {
    return this.plain.depth;
  }
  get size() {
    return this.plain.size;
  }
  get cosize() {
    return this.plain.cosize;
  }
  at(crd) {
    return this.swizzle.at(this.offset + this.plain.at(crd));
  }
  toString() {
    return `${this.swizzle} o ${this.offset} o ${this.plain}`;
  }
}

/** `layout o offset o swizzle`: what undoes a swizzled layout where nothing else does. */
class Unswizzled {
  constructor(layout, offset, swizzle) {
    Object.assign(this, { layout, offset, swizzle });
  }
  at(index) {
    return this.layout.at(this.offset + this.swizzle.at(index));
  }
  toString() {
    return `${this.layout} o ${this.offset} o ${this.swizzle}`;
  }
}

const isMap = (x) => x instanceof Layout || x instanceof Swizzled;

/** Layouts side by side, as the modes of one. */
const together = (parts) => {
  if (parts.length === 0) refuse("a layout without modes", "give it at least one");
  return new Layout(
    parts.map((x) => x.shape),
    parts.map((x) => x.stride),
  );
};

/** A layout from flat modes: `1:0` for none, without a tuple for one. */
const fromModes = (modes) =>
  modes.length === 0
    ? new Layout(1n, 0n)
    : modes.length === 1
      ? new Layout(...modes[0])
      : new Layout(
          modes.map(([s]) => s),
          modes.map(([, d]) => d),
        );

/** A tile: a layout, or an extent n for n:1. */
const asTile = (t) =>
  t instanceof Layout ? t : isNumber(t) ? new Layout(t) : refuse(`${show(t)} is no tile`, "give an extent or a layout");

// Swizzles pulled to the other side of a layout: what composition and the inverses need.

/** The largest domain that is compared index by index. */
const MAX_COMPARED = 1n << 16n;

/** The swizzle that exclusive-ors the bits of one mask with those of another. */
const swizzleOf = (source, target, where) => {
  if (source === 0n && target === 0n) return new Swizzle(0n, 0n, 0n);
  const starts = [source, target].map((mask) => {
    if (mask <= 0n) refuse(`${where}: no swizzle does that`);
    const start = lowestBit(mask);
    const run = mask >> start;
    return run & (run + 1n) ? refuse(`${where}: no swizzle does that, bits ${mask.toString(2)} are no run`) : start;
  });
  const bits = bitLength(source >> starts[0]);
  if (bits !== bitLength(target >> starts[1])) refuse(`${where}: no swizzle does that`);
  return new Swizzle(bits, least(...starts), starts[0] - starts[1]);
};

const mergedSwizzles = (last, first) => {
  if (first.bits === 0n || last.bits === 0n) return first.bits === 0n ? last : first;
  const where = `composition(${last}, ${first})`;
  if (last.shift !== first.shift) refuse(`${where} needs that both swizzles have the same shift`);
  return swizzleOf(last.source ^ first.source, last.target ^ first.target, where);
};

const needsNoOffset = (x, where) => {
  if (x.offset !== 0n) refuse(`${where} needs that the offset is 0, not ${x.offset}`);
};

/** A after a swizzle, or after a swizzled layout. */
const composedWithSwizzle = (a, b) => {
  const where = `composition(${a}, ${b})`;
  if (a instanceof Swizzled) {
    const inner = composedWithSwizzle(a.plain, b);
    needsNoOffset(a, where);
    return new Swizzled(mergedSwizzles(a.swizzle, inner.swizzle), 0n, inner.plain);
  }
  if (b instanceof Swizzle) return unswizzled(a, b, where, false);
  needsNoOffset(b, where);
  return turned(a, b, composition(a, b.plain), where);
};

/** The swizzle whose fields are where a layout puts those of another. */
const movedSwizzle = (layout, swizzle, where) => swizzleOf(layout.at(swizzle.source), layout.at(swizzle.target), where);

/** `layout o swizzle` as a swizzle after the layout; with `inside`, none leaves the layout. */
const unswizzled = (layout, swizzle, where, inside) => {
  const block = lowBlock(layout, swizzle.reach);
  const moved = movedSwizzle(block ? block.low : layout, swizzle, where);
  const steps =
    block &&
    block.low.modes.every(([, d]) => d >= 0n) &&
    block.low.cosize <= moved.reach &&
    block.above.every((d) => d % moved.reach === 0n);
  const wrong = firstUnlike(steps ? block.low : layout, swizzle, moved, where, steps || inside);
  if (wrong !== undefined) refuse(`${where}: ${layout} after ${swizzle} is not ${moved} after it, at index ${wrong}`);
  return new Swizzled(moved, 0n, layout);
};

/** `layout o right` as a swizzle after `inside`, which is the layout after right's. */
const turned = (layout, right, inside, where) => {
  if (inside.size <= MAX_COMPARED) {
    const found = new Swizzled(movedSwizzle(layout, right.swizzle, where), 0n, inside);
    const wrong = firstDifference(
      (i) => found.at(i),
      (i) => layout.at(right.at(i)),
      inside.size,
      where,
    );
    return wrong === undefined ? found : refuse(`${where} is not ${found}, at index ${wrong}`);
  }
  if (right.plain.modes.some(([, d]) => d < 0n) || right.plain.cosize > layout.size)
    refuse(`${where}: the offsets of ${right.plain} are not indices of ${layout}`);
  return new Swizzled(unswizzled(layout, right.swizzle, where, false).swizzle, 0n, inside);
};

/** The layout on its first `room` indices and the strides from there on; null for none. */
const lowBlock = (layout, room) => {
  const low = [];
  const above = [];
  for (const [s, d] of layout.modes) {
    if (room <= 1n) {
      above.push(d);
      continue;
    }
    if (room % s !== 0n && s % room !== 0n) return null;
    if (room % s !== 0n) above.push(d * room);
    const part = least(s, room);
    low.push([part, d]);
    room /= part;
  }
  if (room > 1n) return null;
  return {
    low: low.length
      ? new Layout(
          low.map(([s]) => s),
          low.map(([, d]) => d),
        )
      : new Layout(1n, 0n),
    above,
  };
};

/** Where each bit of the index goes, where no addition carries; else null. */
const bitColumns = (layout) => {
  const columns = [];
  for (const [s, d] of layout.modes) {
    if (s & (s - 1n) || d < 0n) return null;
    for (const b of range(bitLength(s) - 1n)) columns.push(d << b);
  }
  let taken = 0n;
  for (const c of columns) {
    if (c & taken) return null;
    taken |= c;
  }
  return columns;
};

/** An index where `layout o first` is not `last o layout`, or that leaves the layout. */
const firstUnlike = (layout, first, last, where, inside) => {
  const size = layout.size;
  const linear = bitColumns(layout) !== null;
  const bits = linear ? range(bitLength(size) - 1n).map((k) => 1n << k) : [];
  const one = (i) => layout.at(first.at(i));
  const other = (i) => last.at(layout.at(i));
  // Without carries both sides are linear over single bits: those decide.
  if (bits.length && bits.every((i) => first.at(i) < size)) return bits.find((i) => one(i) !== other(i));
  if (inside) {
    const beyond = (bits.length ? bits : range(least(size, MAX_COMPARED))).find((i) => first.at(i) >= size);
    if (beyond !== undefined) return beyond;
  }
  return firstDifference(one, other, size, where);
};

const firstDifference = (one, other, size, where) => {
  if (size > MAX_COMPARED) refuse(`${where} has more than ${MAX_COMPARED} indices to compare`);
  return range(size).find((i) => one(i) !== other(i));
};

const rightOfSwizzled = (layout) => {
  const where = `right_inverse(${layout})`;
  const inverse = rightInverse(layout.plain);
  needsNoOffset(layout, where);
  try {
    return unswizzled(inverse, layout.swizzle, where, true);
  } catch (error) {
    if (!(error instanceof Refusal) || inverse.size % layout.swizzle.period !== 0n) throw error;
    return new Unswizzled(inverse, 0n, layout.swizzle);
  }
};

const leftOfSwizzled = (layout) => {
  const where = `left_inverse(${layout})`;
  const inverse = leftInverse(layout.plain);
  const { size, swizzle } = layout;
  const undone = new Unswizzled(inverse, -layout.offset, swizzle);
  if (layout.offset !== 0n) return undone;
  try {
    if (size > MAX_COMPARED) return unswizzled(inverse, swizzle, where, true);
    const found = new Swizzled(movedSwizzle(inverse, swizzle, where), 0n, inverse);
    return range(size).every((i) => found.at(layout.at(i)) === undone.at(layout.at(i))) ? found : undone;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undone;
  }
};

/** The bits that some offset of a layout has, or -1, all bits, where that is not known. */
const reachedBits = (layout) => {
  const columns =
    bitColumns(layout) ?? (layout.size > MAX_COMPARED ? [-1n] : range(layout.size).map((i) => layout.at(i)));
  return columns.reduce((a, b) => a | b, 0n);
};

/** The swizzle with the bits only that read one of those reached, and those between. */
const narrowed = (swizzle, reached) => {
  const read = (swizzle.source & reached) >> (swizzle.base + most(0n, swizzle.shift));
  if (read === 0n) return new Swizzle(0n, 0n, 0n);
  return new Swizzle(bitLength(read) - lowestBit(read), swizzle.base + lowestBit(read), swizzle.shift);
};

/** (block, gaps o tiler), which turns around the repetitions and leaves the block. */
const swizzledProduct = (block, given) => {
  const where = `logical_product(${block}, ${given})`;
  needsNoOffset(given, where);
  const tiler = new Swizzled(narrowed(given.swizzle, reachedBits(given.plain)), 0n, given.plain);
  const gaps = complement(block, block.size * tiler.cosize);
  const inside = together([block, composition(gaps, tiler.plain)]);
  const { swizzle } = turned(gaps, tiler, inside.parts[1], where);
  const found = new Swizzled(swizzle, 0n, inside);
  const count = block.size;
  if (inside.size <= MAX_COMPARED) {
    const wanted = (i) => block.at(mod(i, count)) + gaps.at(tiler.at(floorDiv(i, count)));
    const wrong = firstDifference((i) => found.at(i), wanted, inside.size, where);
    return wrong === undefined ? found : refuse(`${where} is not ${found}, at index ${wrong}`);
  }
  const field = 1n << swizzle.base;
  const apart =
    block.modes.every(([, d]) => d >= 0n) &&
    block.cosize <= field &&
    inside.parts[1].modes.every(([, d]) => d % field === 0n);
  return apart ? found : refuse(`${where}: the block and its copies meet in the fields of ${swizzle}`);
};

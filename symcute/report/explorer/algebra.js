// The algebra of layouts, each operation right or refused. The Python modules of the same names say
// why each is right; tests compare the two letter by letter.

/** How many coordinates of a composition are compared where digits carry. */
const MAX_CHECKED = 1n << 14n;

// --- fewer modes ---------------------------------------------------------------------------------

const merged = (modes) => {
  const found = [];
  for (const [s, d] of modes) {
    if (s === 1n) continue;
    const last = found.at(-1);
    if (last && d === last[0] * last[1]) last[0] *= s;
    else found.push([s, d]);
  }
  return found;
};

const byProfile = (change) => (layout, profile) => {
  const go = (x, p) => {
    if (!isTuple(p)) return change(x);
    if (p.length > x.rank)
      refuse(`the profile has ${p.length} modes, ${x} has ${x.rank}`, "give at most one entry for each mode");
    return together(x.parts.map((mode, k) => (k < p.length ? go(mode, p[k]) : mode)));
  };
  return layout instanceof Swizzled ? layout.map(go, profile) : go(layout, profile);
};
const coalesce = byProfile((x) => fromModes(merged(x.modes)));
const filter = byProfile((x) => fromModes(merged(x.modes.filter(([, d]) => d !== 0n))));
const flatten = (x) => {
  if (x instanceof Swizzled) return x.map(flatten);
  return isTuple(x.shape) ? new Layout(leaves(x.shape), leaves(x.stride)) : x;
};

// --- composition ---------------------------------------------------------------------------------

const composition = (a, b) => {
  if (a instanceof Swizzle) {
    if (b instanceof Swizzle) return mergedSwizzles(a, b);
    if (b instanceof Layout) return new Swizzled(a, 0n, b);
    refuse(`${a} o ${show(b)}`, "a swizzle comes after a swizzle or a layout");
  }
  if (b instanceof Swizzle || b instanceof Swizzled) return composedWithSwizzle(a, b);
  if (a instanceof Swizzled) return a.map(composition, b);
  if (b === null) return a;
  if (isTuple(b)) {
    if (b.length > a.rank)
      refuse(`the tiler ${show(b)} has ${b.length} modes, ${a} has ${a.rank}`, "give at most one tile for each mode");
    return together(b.map((t, k) => composition(a.parts[k], t)));
  }
  return composed(a, b instanceof Layout ? b : new Layout(b, 1n));
};

/** A o B: leaves of B in the mixed radix of A's extents, or what agrees with A(B(i)) everywhere. */
const composed = (a, b) => {
  const modes = unbounded(a);
  const reached = modes.map(() => 0n);
  const found = splitLeaves(b.shape, b.stride, modes, reached);
  // Where no digit carries into the next mode of A, A is additive on them.
  if (found && modes.slice(0, -1).every(([extent], j) => reached[j] < extent)) return new Layout(...found);
  return compared(a, b, modes);
};

/** The modes of A coalesced, its last one kept: beyond A's size its stride goes on. */
const unbounded = (a) => {
  const flat = a.modes;
  const last = flat.length - 1;
  if (last > 0 && flat[last][0] === 1n) flat[last] = [2n, flat[last][1]];
  const found = merged(flat);
  return found.length > 0 ? found : [flat[last]];
};

const splitLeaves = (s, b, modes, reached) => {
  if (isTuple(s)) {
    const parts = s.map((x, k) => splitLeaves(x, b[k], modes, reached));
    return parts.includes(null) ? null : [parts.map((p) => p[0]), parts.map((p) => p[1])];
  }
  const last = modes.length - 1;
  if (b === 0n) return [s, 0n];
  if (b < 0n && last > 0) return null;
  const pieces = [];
  for (let j = 0; j < last; j++) {
    const [extent, step] = modes[j];
    if (s === 1n) {
      b = ceilDiv(b, extent);
      continue;
    }
    if (b % extent === 0n) {
      b /= extent;
      continue;
    }
    const stays = (s - 1n) * b < extent;
    if (!stays && (extent % b !== 0n || s % (extent / b) !== 0n)) return null;
    const width = stays ? s : extent / b;
    pieces.push([width, b * step]);
    reached[j] += (width - 1n) * b;
    s /= width;
    b = 1n;
  }
  if (s !== 1n || pieces.length === 0) pieces.push([s, b * modes[last][1]]);
  return pieces.length === 1 ? pieces[0] : [pieces.map((p) => p[0]), pieces.map((p) => p[1])];
};

/** A composition outside the lemma, compared coordinate by coordinate, or refused. */
const compared = (a, b, modes) => {
  const where = `${a} o ${b}`;
  const total = b.size;
  if (total > MAX_CHECKED)
    refuse(
      `the digits of ${where} carry, and ${total} coordinates are too many to compare`,
      "split the right operand so that its strides divide the extents",
    );
  const wanted = range(total).map((i) => a.at(b.at(i)));
  const agrees = (x) => x.size === total && wanted.every((w, i) => x.at(BigInt(i)) === w);
  for (const candidate of [byLeaf(b, (s, d) => roundedLeaf(s, d, modes)), byColumns(a, b)]) {
    if (candidate && agrees(candidate)) return candidate;
  }
  return refuse(
    `no layout of this hierarchy is ${where}`,
    "split the right operand so that its strides divide the extents",
  );
};

/** The layout in B's hierarchy whose parts are what a function makes of each leaf; null for none. */
const byLeaf = (b, make) => {
  if (!isTuple(b.shape)) return make(b.shape, b.stride);
  const parts = b.parts.map((x) => byLeaf(x, make));
  return parts.includes(null) ? null : together(parts);
};

/** A leaf with every division rounded up: what CuTe would print. */
const roundedLeaf = (s, b, modes) => {
  const pieces = [];
  const last = modes.length - 1;
  modes.slice(0, -1).forEach(([extent, step]) => {
    const room = ceilDiv(extent, most(abs(b), 1n));
    const next = ceilDiv(abs(b), extent);
    if (s !== 1n && room !== 1n) {
      const width = least(room, s);
      pieces.push([width, b * step]);
      s /= width;
    }
    b = b >= 0n ? next : -next;
  });
  if (s !== 1n || pieces.length === 0) pieces.push([s, b * modes[last][1]]);
  return fromModes(pieces);
};

/** The only layout that may be A o B: each leaf of B gives the layout of its own values. */
const byColumns = (a, b) => {
  if (b.modes.some(([s, d]) => d < 0n && s > 1n)) return null;
  return byLeaf(b, (s, d) => {
    const found = modesOf(range(s).map((i) => a.at(i * d)));
    return found && fromModes(found);
  });
};

/** The coalesced modes whose offsets are these values, the first of which is 0; or null. */
const modesOf = (values) => {
  const total = values.length;
  if (total === 1) return [];
  const step = values[1];
  let run = 2;
  while (run < total && values[run] === BigInt(run) * step) run++;
  if (total % run) return null;
  const starts = values.filter((_, i) => i % run === 0);
  if (values.some((x, i) => x !== starts[Math.floor(i / run)] + BigInt(i % run) * step)) return null;
  const rest = modesOf(starts);
  return rest && [[BigInt(run), step], ...rest];
};

// --- complement and inverses ---------------------------------------------------------------------

const ascending = (modes) =>
  modes
    .filter(([s, d]) => s !== 1n && d !== 0n)
    .sort(([s, d], [t, e]) => (d < e ? -1 : d > e ? 1 : s < t ? -1 : s > t ? 1 : 0));

/** The layout of the gaps of A below the cotarget: a number, or what has that size. */
const complement = (layout, cotarget) => {
  if (layout instanceof Swizzled) return complement(layout.plain, cotarget);
  if (cotarget instanceof Layout) cotarget = cotarget.size;
  if (!allLeaves(cotarget, isNumber))
    refuse(`the cotarget ${show(cotarget)} of a complement`, "give a number, a shape or a layout");
  cotarget = product(cotarget);
  if (cotarget < 1n) refuse(`the cotarget ${cotarget} of complement(${layout}, ${cotarget})`, "give M >= 1");
  const gaps = [];
  let end = 1n;
  for (const [s, d] of ascending(layout.modes)) {
    if (d < 1n || d % end !== 0n) {
      refuse(
        `complement(${layout}, ${cotarget}) needs that ${end} divides the stride ${d}`,
        "the strides, sorted, must each be a multiple of the extent below them",
      );
    }
    gaps.push([d / end, end]);
    end = s * d;
  }
  gaps.push([ceilDiv(cotarget, end), end]);
  return fromModes(merged(gaps));
};

const withPlaces = (layout) => {
  let place = 1n;
  return merged(layout.modes).map(([s, d]) => {
    const mode = [s, d, place];
    place *= s;
    return mode;
  });
};

const rightInverse = (layout) => {
  if (layout instanceof Swizzle) return layout;
  if (layout instanceof Swizzled) return rightOfSwizzled(layout);
  const left = withPlaces(layout);
  const found = [];
  let current = 1n;
  for (;;) {
    const k = left.findIndex(([, d]) => d === current);
    if (k < 0) return fromModes(merged(found));
    const [[s, d, place]] = left.splice(k, 1);
    found.push([s, place]);
    current = s * d;
  }
};

const leftInverse = (layout) => {
  if (layout instanceof Swizzle) return layout;
  if (layout instanceof Swizzled) return leftOfSwizzled(layout);
  const extents = [];
  const strides = [0n];
  let below = 1n;
  let room = 1n;
  let last;
  for (const [s, d, place] of ascending(withPlaces(layout))) {
    if (d < room || d % below !== 0n) {
      refuse(
        `left_inverse(${layout}) needs that the stride ${d} is a multiple of ${below} and at least ${room}`,
        "the layout overlaps itself, or its gaps are uneven",
      );
    }
    extents.push(d / below);
    strides.push(place);
    [below, room, last] = [d, s * d, s];
  }
  if (extents.length === 0) return fromModes(merged(layout.modes));
  return fromModes(merged([...extents, last].map((s, k) => [s, strides[k]])));
};

// --- divides and products ------------------------------------------------------------------------

const checkRank = (layout, tiler) => {
  if (tiler.length > layout.rank)
    refuse(`the tiler has ${tiler.length} modes, ${layout} has ${layout.rank}`, "give at most one tile for each mode");
};

/** An operation by one tile, applied by mode where the tiler is a tuple; `_` keeps a mode. */
const byMode = (operation) =>
  function go(layout, tiler) {
    if (layout instanceof Swizzled) return layout.map(go, tiler);
    if (tiler === null) return layout;
    if (!isTuple(tiler)) return operation(layout, tiler);
    checkRank(layout, tiler);
    return together(layout.parts.map((mode, k) => (k < tiler.length ? go(mode, tiler[k]) : mode)));
  };

const logicalDivide = byMode((layout, tile) => {
  tile = asTile(tile);
  return composition(layout, together([tile, complement(tile, layout.size)]));
});

const repetitions = (block, tiler) => composition(complement(block, block.size * tiler.cosize), tiler);

const logicalProduct = byMode((block, tiler) => {
  if (tiler instanceof Swizzled) return swizzledProduct(block, tiler);
  tiler = asTile(tiler);
  return together([block, repetitions(block, tiler)]);
});

/** ((tiles), (rests and modes beyond the tiler)) of a divide or product by mode. */
const tileUnzip = (layout, tiler) => {
  if (layout instanceof Swizzled) return layout.map(tileUnzip, tiler);
  if (!isTuple(tiler)) return layout;
  const tiles = [];
  const rests = [];
  layout.parts.forEach((mode, k) => {
    if (k >= tiler.length) return rests.push(mode);
    if (tiler[k] === null) refuse("a tiler with _ has no tile to gather", "give a tile for the mode");
    const pair = tileUnzip(mode, tiler[k]);
    if (pair.rank !== 2) refuse(`${pair} is no (tile, rest) pair`, "divide by the same tiler first");
    tiles.push(pair.parts[0]);
    return rests.push(pair.parts[1]);
  });
  return together([together(tiles), together(rests)]);
};

/** A rank-2 layout with mode 1, and mode 0 if asked for, opened one level. */
const opened = (tile) =>
  function open(zipped) {
    if (zipped instanceof Swizzled) return zipped.map(open);
    const modes = (part) => (part.rank > 1 ? part.parts : [part]);
    const [first, second] = zipped.parts;
    if (second === undefined) refuse(`${zipped} has no mode 1`, "its rank is 1");
    return together([...(tile ? modes(first) : [first]), ...modes(second)]);
  };

const zippedDivide = (layout, tiler) => tileUnzip(logicalDivide(layout, tiler), tiler);
const tiledDivide = (layout, tiler) => opened(false)(zippedDivide(layout, tiler));
const flatDivide = (layout, tiler) => opened(true)(zippedDivide(layout, tiler));
const zippedProduct = (block, tiler) => tileUnzip(logicalProduct(block, tiler), tiler);
const tiledProduct = (block, tiler) => opened(false)(zippedProduct(block, tiler));
const flatProduct = (block, tiler) => opened(true)(zippedProduct(block, tiler));

/** The product with mode k = (block mode k, tiler mode k), or the other way round if raked. */
const interleaved = (raked) =>
  function go(block, tiler) {
    if (block instanceof Swizzled) return block.map(go, tiler);
    const rank = Math.max(block.rank, tiler.rank);
    const pad = (x) => (x.rank === rank ? x : together([...x.parts, ...Array(rank - x.rank).fill(new Layout(1n, 0n))]));
    block = pad(block);
    const repeated = repetitions(block, pad(tiler));
    const [first, second] = raked ? [repeated, block] : [block, repeated];
    if ([first, second].every((x) => isTuple(x.shape) && x.shape.length === rank)) {
      return together(first.parts.map((mode, k) => together([mode, second.parts[k]])));
    }
    return together([together([first, second])]);
  };

// What the page shows of a layout, as data: cells, facts, what a warp's request costs. `SETUP` comes
// from the library: the banks of the hardware, the colours, the limits.

const SETUP = JSON.parse(document.getElementById("setup").textContent);
const { light: LIGHT, steps: STEPS, limits: LIMITS } = SETUP;
const HARDWARE = Object.fromEntries(Object.entries(SETUP.hardware).map(([name, value]) => [name, BigInt(value)]));

/** The most coordinates that facts are found by looking at each. */
const MAX_LISTED = 1n << 14n;

// --- rows and columns ----------------------------------------------------------------------------

/**
 * Rows and columns of a layout: mode 0, and all other modes together. `coordinate(i, j)` is the
 * natural coordinate; a layout of rank 1 is one row.
 */
const gridOf = (layout) => {
  const modes = wrap(layout.shape);
  const sizes = modes.map(product);
  const flat = layout.rank === 1;
  const rows = flat ? 1n : sizes[0];
  const columns = flat ? sizes[0] : product(sizes.slice(1));
  const coordinate = (i, j) => {
    const found = flat ? [split(j, modes[0])] : [split(i, modes[0]), ...split(j, modes.slice(1))];
    return isTuple(layout.shape) ? found : found[0];
  };
  const shownColumns = least(columns, BigInt(LIMITS.columns));
  const shownRows = least(rows, most(1n, BigInt(LIMITS.cells) / shownColumns));
  const inner = (t) => (isTuple(t) ? inner(t[0]) : t);
  return {
    rows,
    columns,
    shownRows,
    shownColumns,
    coordinate,
    blocks: flat ? [1n, inner(layout.shape)] : [inner(modes[0]), inner(modes[1])],
    index: (i, j) => (flat ? j : i + rows * j),
    offset: (i, j) => layout.at(coordinate(i, j)),
    before: (i, j) => layout.plain.at(coordinate(i, j)) + (layout.offset ?? 0n),
  };
};

/** The bank of shared memory where the element at an offset begins. */
const bankOf = (offset, bits) => mod(floorDiv(offset * bits, 8n * HARDWARE.bankBytes), HARDWARE.banks);

// --- what a request of a warp costs --------------------------------------------------------------

/** The wavefronts of a load from shared memory, and the least there could be; addresses in bytes. */
const wavefronts = (addresses, width) => {
  if (addresses.some((x) => x < 0n)) refuse("an address is negative", "addresses count from 0");
  if (addresses.some((x) => x % width !== 0n))
    refuse(`an address is no multiple of ${width}`, "accesses are aligned to their width");
  const { warp, banks, bankBytes } = HARDWARE;
  const lanes = Number(least(warp, (banks * bankBytes) / width));
  const paired = [1, 2].some((step) =>
    range(warp).every((_, n) => {
      const one = addresses[n];
      const other = addresses[n ^ step];
      return one === undefined || other === undefined || one === other;
    }),
  );
  const group = paired && lanes < warp ? 2 * lanes : lanes;
  let found = 0n;
  let served = 0n;
  for (let k = 0; k < addresses.length; k += group) {
    const words = new Map();
    for (const x of addresses.slice(k, k + group)) {
      for (let word = x / bankBytes; word <= (x + width - 1n) / bankBytes; word++) {
        const bank = word % banks;
        words.set(bank, (words.get(bank) ?? new Set()).add(word));
      }
    }
    found += BigInt(Math.max(...[...words.values()].map((w) => w.size)));
    served++;
  }
  return { found, served };
};

/** The costliest of several requests, each the offsets of its lanes, with what names it. */
const worstRequest = (requests, bits) => {
  if (bits < 8n || bits > 8n * HARDWARE.widest) refuse(`${bits}-bit elements are not read one by one`, "");
  const width = bits / 8n;
  let worst = null;
  for (const { name, offsets } of requests) {
    const cost = wavefronts(
      offsets.map((x) => x * width),
      width,
    );
    if (!worst || cost.found - cost.served > worst.found - worst.served) worst = { ...cost, name };
  }
  return worst;
};

/** The requests of warps that read down the columns of a layout, or along its rows. */
const readsOf = (grid, down) => {
  const [lanes, others] = down ? [grid.rows, grid.columns] : [grid.columns, grid.rows];
  return range(others).flatMap((k) =>
    range(ceilDiv(lanes, HARDWARE.warp)).map((chunk) => {
      const first = chunk * HARDWARE.warp;
      const offsets = range(least(HARDWARE.warp, lanes - first)).map((x) =>
        down ? grid.offset(first + x, k) : grid.offset(k, first + x),
      );
      return { name: `${down ? "column" : "row"} ${k}${lanes > HARDWARE.warp ? `, from ${first}` : ""}`, offsets };
    }),
  );
};

// --- threads and tiles ---------------------------------------------------------------------------

/** Who is at each index below a count: by index, the pairs of a layout of rank 2, first ones first. */
const holders = (pairs, count, told, indexOf = (x) => x) => {
  if (!isMap(pairs) || pairs.rank !== 2)
    refuse(`${pairs} has rank ${pairs.rank}`, "a thread-value layout has rank 2: threads, values");
  const [outer, inner] = pairs.parts.map((x) => x.size);
  if (outer * inner > BigInt(LIMITS.pairs))
    refuse(`${pairs} has ${outer * inner} threads and values`, `at most ${LIMITS.pairs} are shown`);
  const found = new Map();
  for (const t of range(outer)) {
    for (const v of range(inner)) {
      const index = indexOf(pairs.at([t, v]));
      if (index < 0n || index >= count) told(t, v, index);
      else if (found.has(index)) found.get(index).push([t, v]);
      else found.set(index, [[t, v]]);
    }
  }
  return found;
};

/** Who holds each element of a tile of so many elements, counted down its columns. */
const ownersOf = (layout, count) =>
  holders(layout, count, (t, v, index) =>
    refuse(
      `thread ${t}, value ${v} is at ${index}, outside the ${count} elements of the layout`,
      "the thread-value layout is into the shape of the layout",
    ),
  );

/** A shape with a number for each tile of a tiler, and for each mode that it leaves alone. */
const tiledShape = (shape, tiler) =>
  isTuple(tiler)
    ? wrap(shape).map((s, k) => tiledShape(s, k < tiler.length ? tiler[k] : null))
    : product(shape);
const each = (shape, number) => (isTuple(shape) ? shape.map((s) => each(s, number)) : number);

/** A layout divided by a tiler, and by index the (place, tile) of each element. */
const tilesOf = (layout, tiler) => {
  const divided = zippedDivide(layout, tiler);
  if (tiler === null) refuse("_ gives no tiles", "give an extent or a layout");
  // A tile beyond its mode must not come out in the next one: digits of a number with room for each.
  const shape = tiledShape(layout.shape, tiler);
  const room = zippedDivide(new Layout(shape, each(shape, 1n)), tiler).cosize;
  const places = zippedDivide(new Layout(shape, compact(each(shape, room))), tiler);
  const extents = leaves(shape);
  const steps = extents.map((_, k) => product(extents.slice(0, k)));
  const indexOf = (number) => {
    const digits = split(number, each(extents, room));
    return digits.every((x, k) => x < extents[k]) ? sum(digits.map((x, k) => x * steps[k])) : -1n;
  };
  let beyond = 0n;
  const tiles = holders(places, layout.size, () => beyond++, indexOf);
  return { divided, tiles, beyond, across: wrap(places.parts[1].shape).map(product)[0] };
};

const gcd = (a, b) => (b === 0n ? a : gcd(b, a % b));

/** A tile that divides the first modes of a layout, for one who has named none. */
const someTile = (layout) => {
  const tiles = layout.parts.slice(0, 2).map((mode) => gcd(mode.size, 4n));
  return layout.rank === 1 ? tiles[0] : tiles;
};

/** A warp or less that holds neighbours down the columns of a layout, for one who has named none. */
const someThreads = (layout) => {
  const { rows, columns } = gridOf(layout);
  const [m, n] = layout.rank === 1 ? [columns, rows] : [rows, columns];
  const fits = (count, room) => range(least(count, room) + 1n).findLast((d) => d > 0n && count % d === 0n);
  const run = gcd(m, 2n);
  const down = fits(m / run, HARDWARE.warp);
  const across = fits(n, HARDWARE.warp / down);
  const joined = (...modes) => {
    const kept = modes.filter(([s]) => s > 1n);
    return kept.length === 0 ? [1n, 0n] : kept.length === 1 ? kept[0] : [kept.map(([s]) => s), kept.map(([, d]) => d)];
  };
  const threads = joined([down, run], [across, m]);
  const values = joined([run, 1n], [m / run / down, run * down], [n / across, m * across]);
  return new Layout([threads[0], values[0]], [threads[1], values[1]]);
};

// --- cells ---------------------------------------------------------------------------------------

const colour = (colours, k) => colours[Number(k) % colours.length];
const offsetCell = (offset) => ({ lines: [String(offset)], fill: null });

const needed = (found) => {
  if (found instanceof Refusal) throw found;
  return found;
};

/** How a view paints the cell (i,j): the lines in it and its colour, null for none. */
const painters = {
  offsets: (layout, grid) => {
    if (!(layout instanceof Swizzled)) return (i, j) => offsetCell(grid.offset(i, j));
    const { swizzle } = layout;
    const low = swizzle.base - least(0n, swizzle.shift);
    const colours = swizzle.bits === 0n || swizzle.bits > 5n ? null : swizzle.bits < 4n ? LIGHT : STEPS;
    return (i, j) => {
      const offset = grid.offset(i, j);
      return { lines: [String(offset)], fill: colours && colours[Number((offset & swizzle.target) >> low)] };
    };
  },
  banks:
    (layout, grid, { bits }) =>
    (i, j) => {
      const offset = grid.offset(i, j);
      const bank = bankOf(offset, bits);
      return { lines: [String(offset), `b${bank}`], fill: STEPS[Number(bank)] };
    },
  tiles: (layout, grid, { tiling }) => {
    needed(tiling);
    return (i, j) => {
      const [[, tile], ...others] = tiling.tiles.get(grid.index(i, j)) ?? [[]];
      const offset = String(grid.offset(i, j));
      if (tile === undefined) return { lines: [offset, "-"], fill: null };
      const shade = mod(tile, tiling.across) + 3n * floorDiv(tile, tiling.across);
      return { lines: [offset, `t${tile}${others.length ? ` +${others.length}` : ""}`], fill: colour(LIGHT, shade) };
    };
  },
  threads: (layout, grid, { holding }) => {
    const { owners } = needed(holding);
    return (i, j) => {
      const [first, ...others] = owners.get(grid.index(i, j)) ?? [];
      if (!first) return { lines: ["-"], fill: null };
      return {
        lines: [`T${first[0]}`, `V${first[1]}${others.length ? ` +${others.length}` : ""}`],
        fill: colour(LIGHT, first[0]),
      };
    };
  },
};

/** All cells of a view, in rows. */
const cellsOf = (view, layout, extra) => {
  const grid = gridOf(layout);
  const paint = painters[view](layout, grid, extra);
  return range(grid.shownRows).map((i) => range(grid.shownColumns).map((j) => paint(i, j)));
};

// --- facts ---------------------------------------------------------------------------------------

/** What is to say of a layout, in pairs (what, answer), found by looking at every coordinate. */
const factsOf = (layout) => {
  const { size, cosize, rank, depth: nested } = layout;
  const facts = [
    ["size", size],
    ["cosize", cosize],
    ["rank", rank],
    ["depth", nested],
  ];
  if (size > MAX_LISTED) return [...facts, ["offsets", `more than ${MAX_LISTED}, not listed`]];
  const first = new Map();
  let twice = null;
  let lowest = null;
  let highest = null;
  for (const i of range(size)) {
    const x = layout.at(i);
    if (first.has(x)) twice ??= `no: ${first.get(x)} and ${i} both go to ${x}`;
    else first.set(x, i);
    lowest = lowest === null ? x : least(lowest, x);
    highest = highest === null ? x : most(highest, x);
  }
  facts.push(["offsets", `${lowest} to ${highest}`], ["injective", twice ?? "yes"]);
  facts.push(["bijective", !twice && lowest === 0n && highest === size - 1n ? "yes" : "no"]);
  return facts;
};

/** What it costs a warp to read a layout from shared memory, in pairs (how, answer). */
const costsOf = (layout, bits, held) => {
  if (layout.size > MAX_LISTED) return [];
  const grid = gridOf(layout);
  const lanes = (count) => least(count, HARDWARE.warp);
  const reads = [
    [`${lanes(grid.rows)} lanes down a column`, () => readsOf(grid, true)],
    [`${lanes(grid.columns)} lanes along a row`, () => readsOf(grid, false)],
  ];
  if (held) reads.push([`${lanes(held.parts[0].size)} lanes, a value each`, () => valueReads(layout, held)]);
  return reads.map(([how, requests]) => [how, costOf(requests, bits)]);
};

/** The requests of warps whose threads each read one value of what a (thread, value) layout gives them. */
const valueReads = (layout, held) => {
  const [threads, values] = held.parts.map((x) => x.size);
  return range(values).flatMap((v) =>
    range(ceilDiv(threads, HARDWARE.warp)).map((chunk) => {
      const first = chunk * HARDWARE.warp;
      const offsets = range(least(HARDWARE.warp, threads - first)).map((x) => layout.at(held.at([first + x, v])));
      return { name: `value ${v} of threads ${first} to ${first + BigInt(offsets.length) - 1n}`, offsets };
    }),
  );
};

const costOf = (requests, bits) => {
  try {
    const { found, served, name } = worstRequest(requests(), bits);
    const waves = `${found} wavefront${found === 1n ? "" : "s"}`;
    return found === served ? `${waves}, no bank conflict` : `${waves} instead of ${served}, worst in ${name}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `not told: ${error.message}`;
  }
};

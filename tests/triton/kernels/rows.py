"""A program for each row: norms, softmax, losses, tables, sorting, scans."""

import triton
import triton.language as tl


# symcute: type x, out = *fp32
# symcute: type stride, cols = i32
# symcute: constexpr BLOCK = 128
# symcute: launch grid=(rows)
# symcute: assume cols <= stride
# symcute: assume cols <= 128
# symcute: assume rows*stride < 2**31
# symcute: extent x = rows*stride
# symcute: extent out = rows*stride
# symcute: implements out = (rows,cols):(stride,1)
@triton.jit
def softmax(x, out, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row * stride + at, mask=mask, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=mask)


# Rows longer than a block keep their ends.
# symcute: type x, out = *fp32
# symcute: type stride, cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= stride
# symcute: assume rows*stride < 2**31
# symcute: extent x = rows*stride
# symcute: extent out = rows*stride
# symcute: implements out = (rows,cols):(stride,1)
# truth: implements=no
# run: rows=2 cols=65 stride=70
@triton.jit
def softmax_of_short_blocks(x, out, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row * stride + at, mask=mask, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=mask)


# The mask is of the block, not of the row: the next row is overwritten.
# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= 64
# symcute: assume rows*cols < 2**30
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: covers out
# truth: in_bounds=no write_race_free=no covers=no
@triton.jit
def softmax_without_mask(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * cols + at, e / tl.sum(e, axis=0))


# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= 64
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# truth: no_overflow=no in_bounds=no
# run: rows=40000000 cols=64 programs=0;39999999
@triton.jit
def softmax_of_many_rows(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row * cols + at, mask=mask, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * cols + at, e / tl.sum(e, axis=0), mask=mask)


# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= 64
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: covers out
# run: rows=40000000 cols=64 programs=0;39999999
@triton.jit
def softmax_of_many_rows_64_bits(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row * cols + at, mask=mask, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * cols + at, e / tl.sum(e, axis=0), mask=mask)


# Rows that programs share out among themselves, as in Triton's tutorial.
# symcute: type x, out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(P)
# symcute: assume cols <= 64
# symcute: assume rows*cols <= 2**30
# symcute: assume P <= 2**16
# symcute: assume rows <= 2**30
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: covers out
@triton.jit
def softmax_persistent(x, out, rows, cols, BLOCK: tl.constexpr):
    first = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(first, rows, step):
        at = tl.arange(0, BLOCK)
        mask = at < cols
        v = tl.load(x + row * cols + at, mask=mask, other=float("-inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * cols + at, e / tl.sum(e, axis=0), mask=mask)


# symcute: type x, w, b, out, mean, rstd = *fp32
# symcute: type stride, cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume cols <= stride
# symcute: assume rows*stride <= 2**30
# symcute: extent x = rows*stride
# symcute: extent w = cols
# symcute: extent b = cols
# symcute: extent out = rows*stride
# symcute: extent mean = rows
# symcute: extent rstd = rows
# symcute: implements out = (rows,cols):(stride,1)
# symcute: covers mean
@triton.jit
def layernorm(x, w, b, out, mean, rstd, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    out += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < cols, other=0.0)
    m = tl.sum(total, axis=0) / cols
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + at, mask=at < cols, other=0.0)
        v = tl.where(at < cols, v - m, 0.0)
        squares += v * v
    r = 1 / tl.sqrt(tl.sum(squares, axis=0) / cols + 1e-5)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < cols
        v = (tl.load(x + at, mask=mask) - m) * r
        v = v * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask)
        tl.store(out + at, v, mask=mask)


# The weights are read without the mask; rows are taken to be dense.
# symcute: type x, w, out = *fp32
# symcute: type stride, cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume cols <= stride
# symcute: assume rows*stride <= 2**30
# symcute: extent x = rows*stride
# symcute: extent w = cols
# symcute: extent out = rows*stride
# symcute: implements out = (rows,cols):(stride,1)
# truth: in_bounds=no implements=no
@triton.jit
def rmsnorm_dense(x, w, out, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + at, mask=at < cols, other=0.0)
        total += v * v
    r = tl.rsqrt(tl.sum(total, axis=0) / cols + 1e-5)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < cols
        v = tl.load(x + row * stride + at, mask=mask) * r
        tl.store(out + row * cols + at, v * tl.load(w + at), mask=mask)


# Partial sums of gradients: each program has a row of its own.
# symcute: type dy, x, dw = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(P)
# symcute: assume cols <= 64
# symcute: assume rows*cols <= 2**30
# symcute: assume P*cols <= 2**30
# symcute: assume rows + P <= 2**30
# symcute: extent dy = rows*cols
# symcute: extent x = rows*cols
# symcute: extent dw = P*cols
# symcute: covers dw
@triton.jit
def partial_sums(dy, x, dw, rows, cols, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    per = tl.cdiv(rows, tl.num_programs(0))
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for row in range(pid * per, min((pid + 1) * per, rows)):
        g = tl.load(dy + row * cols + at, mask=mask, other=0.0)
        total += g * tl.load(x + row * cols + at, mask=mask, other=0.0)
    tl.store(dw + pid * cols + at, total, mask=mask)


# The last program has fewer rows, which is forgotten.
# symcute: type dy, dw = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(P)
# symcute: assume cols <= 64
# symcute: assume rows*cols <= 2**28
# symcute: assume P*cols <= 2**28
# symcute: assume rows + P <= 2**28
# symcute: extent dy = rows*cols
# symcute: extent dw = P*cols
# symcute: covers dw
# truth: in_bounds=no
@triton.jit
def partial_sums_past_the_end(dy, dw, rows, cols, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    per = tl.cdiv(rows, tl.num_programs(0))
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for row in range(pid * per, (pid + 1) * per):
        total += tl.load(dy + row * cols + at, mask=mask, other=0.0)
    tl.store(dw + pid * cols + at, total, mask=mask)


# symcute: type logits, loss = *fp32
# symcute: type labels = *i64
# symcute: type vocab = i32
# symcute: constexpr BLOCK = 32
# symcute: constexpr IGNORED = -100
# symcute: launch grid=(rows)
# symcute: assume rows*vocab <= 2**30
# symcute: extent logits = rows*vocab
# symcute: extent labels = rows
# symcute: extent loss = rows
# symcute: contents labels in [0, vocab)
@triton.jit
def cross_entropy(logits, labels, loss, vocab, IGNORED: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    logits += row * vocab
    if label == IGNORED:
        for start in range(0, vocab, BLOCK):
            at = start + tl.arange(0, BLOCK)
            tl.store(logits + at, 0.0, mask=at < vocab)
        return
    m = float("-inf")
    d = 0.0
    chosen = tl.load(logits + label)
    for start in range(0, vocab, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(logits + at, mask=at < vocab, other=float("-inf"))
        new = tl.maximum(m, tl.max(v))
        d = d * tl.exp(m - new) + tl.sum(tl.exp(v - new))
        m = new
    tl.store(loss + row, m + tl.log(d) - chosen)


# In place, and the gradient of the label is written once more, by one lane after all of them.
# symcute: type logits = *fp32
# symcute: type labels = *i64
# symcute: type vocab = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*vocab <= 2**30
# symcute: extent logits = rows*vocab
# symcute: extent labels = rows
# symcute: contents labels in [0, vocab)
# truth: write_race_free=no read_write_race_free=no
@triton.jit
def cross_entropy_in_place(logits, labels, vocab, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    logits += row * vocab
    for start in range(0, vocab, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(logits + at, mask=at < vocab, other=float("-inf"))
        tl.store(logits + at, tl.exp(v), mask=at < vocab)
    tl.store(logits + label, tl.load(logits + label) - 1.0)


# The same with a barrier between.
# symcute: type logits = *fp32
# symcute: type labels = *i64
# symcute: type vocab = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*vocab <= 2**30
# symcute: extent logits = rows*vocab
# symcute: extent labels = rows
# symcute: contents labels in [0, vocab)
@triton.jit
def cross_entropy_with_a_barrier(logits, labels, vocab, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    logits += row * vocab
    for start in range(0, vocab, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(logits + at, mask=at < vocab, other=float("-inf"))
        tl.store(logits + at, tl.exp(v), mask=at < vocab)
    tl.debug_barrier()
    tl.store(logits + label, tl.load(logits + label) - 1.0)


# A label is an index before it is asked whether it is to be ignored.
# symcute: type logits, loss = *fp32
# symcute: type labels = *i64
# symcute: type vocab = i32
# symcute: launch grid=(rows)
# symcute: assume rows*vocab <= 2**30
# symcute: extent logits = rows*vocab
# symcute: extent labels = rows
# symcute: extent loss = rows
# symcute: contents labels in [0-100, vocab)
# symcute: covers loss
# truth: in_bounds=no
@triton.jit
def label_too_early(logits, labels, loss, vocab):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    chosen = tl.load(logits + row * vocab + label)
    if label < 0:
        chosen = 0.0
    tl.store(loss + row, -chosen)


# symcute: type table, out = *fp32
# symcute: type ids = *i64
# symcute: type width = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(tokens,ceil_div(width,BLOCK))
# symcute: assume tokens*width <= 2**30
# symcute: assume V*width <= 2**40
# symcute: assume width <= 2**22
# symcute: extent ids = tokens
# symcute: extent table = V*width
# symcute: extent out = tokens*width
# symcute: contents ids in [0, V)
# symcute: covers out
@triton.jit
def embedding(ids, table, out, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = at < width
    which = tl.load(ids + token)
    tl.store(out + token * width + at, tl.load(table + which * width + at, mask=mask), mask=mask)


# symcute: type table, out = *fp32
# symcute: type ids = *i32
# symcute: type width = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(tokens,ceil_div(width,BLOCK))
# symcute: assume tokens*width <= 2**30
# symcute: assume width <= 2**22
# symcute: assume V*width <= 2**36
# symcute: extent ids = tokens
# symcute: extent table = V*width
# symcute: extent out = tokens*width
# symcute: contents ids in [0, V)
# truth: no_overflow=no in_bounds=no
# run: tokens=3 V=600000 width=8192 programs=0,0;1,0;2,0 how=high
# run: tokens=3 V=300000 width=8192 programs=0,0;1,0;2,0 how=high
@triton.jit
def embedding_of_a_large_table(ids, table, out, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = at < width
    which = tl.load(ids + token)
    tl.store(out + token * width + at, tl.load(table + which * width + at, mask=mask), mask=mask)


# An index may be one too large.
# symcute: type table, out = *fp32
# symcute: type ids = *i64
# symcute: type width = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(tokens)
# symcute: assume tokens*width <= 2**30
# symcute: assume V*width <= 2**36
# symcute: assume width <= 64
# symcute: extent ids = tokens
# symcute: extent table = V*width
# symcute: extent out = tokens*width
# symcute: contents ids in [0, V]
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def embedding_with_padding(ids, table, out, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < width
    which = tl.load(ids + token)
    tl.store(out + token * width + at, tl.load(table + which * width + at, mask=mask), mask=mask)


# symcute: type grad, table = *fp32
# symcute: type ids = *i64
# symcute: type width = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(tokens)
# symcute: assume tokens*width <= 2**30
# symcute: assume V*width <= 2**36
# symcute: assume width <= 64
# symcute: extent ids = tokens
# symcute: extent table = V*width
# symcute: extent grad = tokens*width
# symcute: contents ids in [0, V)
@triton.jit
def embedding_gradient(ids, grad, table, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < width
    which = tl.load(ids + token)
    tl.atomic_add(
        table + which * width + at, tl.load(grad + token * width + at, mask=mask), mask=mask
    )


# Two tokens may be the same.
# symcute: type grad, table = *fp32
# symcute: type ids = *i64
# symcute: type width = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(tokens)
# symcute: assume tokens*width <= 2**30
# symcute: assume V*width <= 2**36
# symcute: assume width <= 64
# symcute: extent ids = tokens
# symcute: extent table = V*width
# symcute: extent grad = tokens*width
# symcute: contents ids in [0, V)
# truth: write_race_free=no read_write_race_free=no
@triton.jit
def embedding_gradient_without_atomics(ids, grad, table, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < width
    to = table + tl.load(ids + token) * width + at
    sums = tl.load(to, mask=mask) + tl.load(grad + token * width + at, mask=mask)
    tl.store(to, sums, mask=mask)


# symcute: type q, cos, sin = *fp32
# symcute: type heads = i32
# symcute: constexpr HALF = 16
# symcute: launch grid=(tokens,heads)
# symcute: assume tokens*heads <= 2**25
# symcute: assume heads <= 2**15
# symcute: extent q = tokens*heads*32
# symcute: extent cos = tokens*16
# symcute: extent sin = tokens*16
# symcute: covers q
@triton.jit
def rope(q, cos, sin, heads, HALF: tl.constexpr):
    token = tl.program_id(0)
    head = tl.program_id(1)
    at = tl.arange(0, HALF)
    c = tl.load(cos + token * HALF + at)
    s = tl.load(sin + token * HALF + at)
    first = q + (token * heads + head) * (2 * HALF) + at
    a = tl.load(first)
    b = tl.load(first + HALF)
    tl.store(first, a * c - b * s)
    tl.store(first + HALF, b * c + a * s)


# Heads are counted as if they were half as long.
# symcute: type q, cos, sin = *fp32
# symcute: type heads = i32
# symcute: constexpr HALF = 16
# symcute: launch grid=(tokens,heads)
# symcute: assume tokens*heads <= 2**25
# symcute: assume heads <= 2**15
# symcute: extent q = tokens*heads*32
# symcute: extent cos = tokens*16
# symcute: extent sin = tokens*16
# symcute: covers q
# truth: write_race_free=no read_write_race_free=no covers=no
@triton.jit
def rope_of_half_heads(q, cos, sin, heads, HALF: tl.constexpr):
    token = tl.program_id(0)
    head = tl.program_id(1)
    at = tl.arange(0, HALF)
    c = tl.load(cos + token * HALF + at)
    s = tl.load(sin + token * HALF + at)
    first = q + (token * heads + head) * HALF + at
    a = tl.load(first)
    b = tl.load(first + HALF)
    tl.store(first, a * c - b * s)
    tl.store(first + HALF, b * c + a * s)


# All heads of a token in one program, as a matrix; heads are no power of two.
# symcute: type q, cos, sin = *fp32
# symcute: type heads = i32
# symcute: constexpr HALF = 8
# symcute: constexpr HEADS = 8
# symcute: launch grid=(tokens)
# symcute: assume heads <= 8
# symcute: assume tokens <= 2**22
# symcute: extent q = tokens*heads*16
# symcute: extent cos = tokens*8
# symcute: extent sin = tokens*8
# symcute: covers q
@triton.jit
def rope_of_all_heads(q, cos, sin, heads, HEADS: tl.constexpr, HALF: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, HALF)
    head = tl.arange(0, HEADS)
    mask = (head[:, None] < heads) & (at[None, :] < HALF)
    c = tl.load(cos + token * HALF + at)[None, :]
    s = tl.load(sin + token * HALF + at)[None, :]
    first = q + token * heads * (2 * HALF) + head[:, None] * (2 * HALF) + at[None, :]
    a = tl.load(first, mask=mask, other=0.0)
    b = tl.load(first + HALF, mask=mask, other=0.0)
    tl.store(first, a * c - b * s, mask=mask)
    tl.store(first + HALF, b * c + a * s, mask=mask)


# symcute: type x = *fp32
# symcute: type out = *i32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= 64
# symcute: assume rows*cols <= 2**30
# symcute: extent x = rows*cols
# symcute: extent out = rows
# symcute: covers out
@triton.jit
def argmax(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=float("-inf"))
    tl.store(out + row, tl.argmax(v, axis=0))


# What is found in the whole block may lie behind the row: what is put there is a zero.
# symcute: type x, y = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= 64
# symcute: assume rows*cols <= 2**30
# symcute: extent x = rows*cols
# symcute: extent y = rows*cols
# truth: in_bounds=no write_race_free=no
# run: rows=2 cols=3
# run: rows=2 cols=3 x[3]=5
@triton.jit
def mark_the_largest(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=2.0)
    tl.store(y + row * cols + tl.argmax(v, axis=0), 1.0)


# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume cols <= 64
# symcute: assume rows*cols <= 2**30
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: covers out
@triton.jit
def cumsum(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    v = tl.load(x + row * cols + at, mask=mask, other=0.0)
    tl.store(out + row * cols + at, tl.cumsum(v, axis=0), mask=mask)


# Those that are positive are moved to the front: each has a place of its own.
# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: extent x = rows*64
# symcute: extent out = rows*64
@triton.jit
def compact(x, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * BLOCK + at)
    keep = v > 0
    place = tl.cumsum(keep.to(tl.int32), axis=0) - 1
    tl.store(out + row * BLOCK + place, v, mask=keep)


# Those that are not positive have the place of the one before.
# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: extent x = rows*64
# symcute: extent out = rows*64
# truth: write_race_free=no in_bounds=no
# run: rows=2 x[0]=-1
@triton.jit
def compact_without_mask(x, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * BLOCK + at)
    place = tl.cumsum((v > 0).to(tl.int32), axis=0) - 1
    tl.store(out + row * BLOCK + place, v)


# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 32
# symcute: constexpr K = 4
# symcute: launch grid=(rows)
# symcute: assume cols <= 32
# symcute: assume cols >= 4
# symcute: assume rows*cols <= 2**28
# symcute: extent x = rows*cols
# symcute: extent out = 4*rows
# symcute: covers out
@triton.jit
def top_k(x, out, cols, BLOCK: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=float("-inf"))
    best = tl.topk(v, K)
    tl.store(out + row * K + tl.arange(0, K), best)


# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume cols <= 32
# symcute: assume rows*cols <= 2**28
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: covers out
@triton.jit
def sort(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=float("inf"))
    tl.store(out + row * cols + at, tl.sort(v), mask=at < cols)


# symcute: type x, out = *fp32
# symcute: type index = *i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: extent x = rows*32
# symcute: extent index = rows*32
# symcute: extent out = rows*32
# symcute: contents index in [0, 32)
# symcute: covers out
@triton.jit
def shuffle(x, index, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at)
    which = tl.load(index + at)
    tl.store(out + at, tl.gather(v, which, axis=0))


# Pointers instead of values: two may go to one place.
# symcute: type x, out = *fp32
# symcute: type index = *i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: extent x = rows*32
# symcute: extent index = rows*32
# symcute: extent out = rows*32
# symcute: contents index in [0, 32)
# truth: write_race_free=no
@triton.jit
def scatter(x, index, out, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    at = start + tl.arange(0, BLOCK)
    tl.store(out + start + tl.load(index + at), tl.load(x + at))


# Rows of different lengths, of which an array says where they begin.
# symcute: type x, out = *fp32
# symcute: type begin = *i32
# symcute: type total = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: assume total <= 2**30
# symcute: extent x = total
# symcute: extent begin = rows + 1
# symcute: extent out = rows
# symcute: contents begin in [0, total]
# symcute: covers out
@triton.jit
def sums_of_ragged_rows(x, begin, out, total, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    first = tl.load(begin + row)
    last = tl.load(begin + row + 1)
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(first, last, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(x + at, mask=at < last, other=0.0)
    tl.store(out + row, tl.sum(sums, axis=0))


# The last row has no successor.
# symcute: type x, out = *fp32
# symcute: type begin = *i32
# symcute: type total = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: assume total <= 2**30
# symcute: extent x = total
# symcute: extent begin = rows
# symcute: extent out = rows
# symcute: contents begin in [0, total]
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def sums_of_ragged_rows_without_end(x, begin, out, total, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    first = tl.load(begin + row)
    last = tl.load(begin + row + 1)
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(first, last, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(x + at, mask=(at < last) & (at < total), other=0.0)
    tl.store(out + row, tl.sum(sums, axis=0))

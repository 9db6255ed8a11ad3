// Permutations of the axes of a tensor by chains of quotients and remainders.

// symcute: launch grid=(ceil_div(n*c*h*w,256)) block=(256)
// symcute: extent x = n*c*h*w
// symcute: extent y = n*c*h*w
// symcute: assume n*c*h*w <= 2**30
// symcute: covers y
__global__ void nchw_to_nhwc_scatter(int n, int c, int h, int w, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * h * w) return;
  int iw = i % w, ih = i / w % h, ic = i / (w * h) % c, in = i / (w * h * c);
  y[((in * h + ih) * w + iw) * c + ic] = x[i];
}

// Height and width change their places in the last step.
// symcute: launch grid=(ceil_div(n*c*h*w,256)) block=(256)
// symcute: extent x = n*c*h*w
// symcute: extent y = n*c*h*w
// symcute: assume n*c*h*w <= 2**26
// symcute: assume n*c*w*w <= 2**26
// symcute: assume n*c*h*h <= 2**26
// truth: in_bounds=no write_race_free=no
__global__ void nchw_to_nhwc_exchanged(int n, int c, int h, int w, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * h * w) return;
  int iw = i % w, ih = i / w % h, ic = i / (w * h) % c, in = i / (w * h * c);
  y[((in * w + ih) * h + iw) * c + ic] = x[i];
}

// One thread an element that is written: it gathers.
// symcute: launch grid=(ceil_div(n*c*h*w,256)) block=(256)
// symcute: extent x = n*c*h*w
// symcute: extent y = n*c*h*w
// symcute: assume n*c*h*w <= 2**30
__global__ void nchw_to_nhwc_gather(unsigned n, unsigned c, unsigned h, unsigned w, const float *x,
                                    float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * h * w) return;
  unsigned ic = i % c, iw = i / c % w, ih = i / (c * w) % h, in = i / (c * w * h);
  y[i] = x[((in * c + ic) * h + ih) * w + iw];
}

// The channels are divided away twice.
// symcute: launch grid=(ceil_div(n*c*h*w,256)) block=(256)
// symcute: extent x = n*c*h*w
// symcute: extent y = n*c*h*w
// symcute: assume n*c*h*w <= 2**26
// symcute: assume n*c*h*h*w <= 2**26
// truth: in_bounds=no
__global__ void nchw_to_nhwc_gather_dropped(unsigned n, unsigned c, unsigned h, unsigned w,
                                            const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * h * w) return;
  unsigned ic = i % c, iw = i / c % w, ih = i / (c * w) % h, in = i / (c * w);
  y[i] = x[((in * c + ic) * h + ih) * w + iw];
}

// By repeated division, as loops over digits do it.
// symcute: launch grid=(ceil_div(a*b*c,256)) block=(256)
// symcute: extent x = a*b*c
// symcute: extent y = a*b*c
// symcute: assume a*b*c <= 2**30
// symcute: covers y
__global__ void permute_201(int a, int b, int c, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c) return;
  int rest = i;
  int k = rest % c;
  rest /= c;
  int j = rest % b;
  rest /= b;
  y[(k * a + rest) * b + j] = x[i];
}

// symcute: launch grid=(ceil_div(a*b*c,256)) block=(256)
// symcute: extent x = a*b*c
// symcute: extent y = a*b*c
// symcute: assume a*b*c <= 2**30
// symcute: covers y
__global__ void permute_210(int a, int b, int c, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c) return;
  int p = i / (b * c), q = i % (b * c) / c, r = i % c;
  y[(r * b + q) * a + p] = x[i];
}

// A stride of b where a belongs.
// symcute: launch grid=(ceil_div(a*b*c,256)) block=(256)
// symcute: extent x = a*b*c
// symcute: extent y = a*b*c
// symcute: assume a*b*c <= 2**26
// symcute: assume b*b*c <= 2**26
// truth: in_bounds=no write_race_free=no
__global__ void permute_210_wrong_stride(int a, int b, int c, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c) return;
  int p = i / (b * c), q = i % (b * c) / c, r = i % c;
  y[(r * b + q) * b + p] = x[i];
}

// symcute: launch grid=(ceil_div(a*b*c*d*e,256)) block=(256)
// symcute: extent x = a*b*c*d*e
// symcute: extent y = a*b*c*d*e
// symcute: assume a*b*c*d*e <= 2**30
__global__ void permute_five(int a, int b, int c, int d, int e, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c * d * e) return;
  int ie = i % e, id = i / e % d, ic = i / (e * d) % c, ib = i / (e * d * c) % b;
  int ia = i / (e * d * c * b);
  y[(((ie * c + ic) * a + ia) * d + id) * b + ib] = x[i];
}

// The same with 64 bits, and no bound that is small.
// symcute: launch grid=(ceil_div(a*b*c,256)) block=(256)
// symcute: extent x = a*b*c
// symcute: extent y = a*b*c
// symcute: assume a*b*c <= 2**38
// symcute: assume a <= 2**20
// symcute: assume b <= 2**20
// symcute: assume c <= 2**20
__global__ void permute_201_wide(int a, int b, int c, const float *x, float *y) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (long long)a * b * c) return;
  long long k = i % c, j = i / c % b, p = i / c / b;
  y[(k * a + p) * b + j] = x[i];
}

// 32 bits for the same sizes.
// symcute: launch grid=(ceil_div(a*b*c,256)) block=(256)
// symcute: extent x = a*b*c
// symcute: extent y = a*b*c
// symcute: assume a*b*c <= 2**38
// symcute: assume a <= 2**20
// symcute: assume b <= 2**20
// symcute: assume c <= 2**20
// run: a=65536 b=32768 c=1 blocks=0 threads=0
// truth: no_overflow=no
__global__ void permute_201_narrow(int a, int b, int c, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 0 || i >= a * b * c) return;
  int k = i % c, j = i / c % b, p = i / c / b;
  y[((long long)k * a + p) * b + j] = x[i];
}

// From (batch, seq, heads, size) to (batch, heads, seq, size).
// symcute: launch grid=(b*s) block=(256)
// symcute: extent x = b*s*nh*d
// symcute: extent y = b*s*nh*d
// symcute: assume b*s*nh*d <= 2**30
__global__ void split_heads(int s, int nh, int d, const float *x, float *y) {
  int row = blockIdx.x;
  int ib = row / s, is = row % s;
  for (int k = threadIdx.x; k < nh * d; k += blockDim.x) {
    int head = k / d, e = k % d;
    y[((ib * nh + head) * s + is) * d + e] = x[row * nh * d + k];
  }
}

// The sequence is as long as there are heads.
// symcute: launch grid=(b*s) block=(256)
// symcute: extent x = b*s*nh*d
// symcute: extent y = b*s*nh*d
// symcute: assume b*s*nh*d <= 2**26
// symcute: assume b*s*nh*d*nh <= 2**26
// symcute: assume b*s*nh*d*s <= 2**26
// run: b=2 s=2 nh=3 d=1
// truth: in_bounds=no write_race_free=no
__global__ void split_heads_exchanged(int s, int nh, int d, const float *x, float *y) {
  int row = blockIdx.x;
  int ib = row / nh, is = row % nh;
  for (int k = threadIdx.x; k < nh * d; k += blockDim.x) {
    int head = k / d, e = k % d;
    y[((ib * nh + head) * s + is) * d + e] = x[row * nh * d + k];
  }
}

// Q, K and V that lie side by side, as in llm.c.
// symcute: launch grid=(ceil_div(b*nh*t*d,256)) block=(256)
// symcute: extent inp = 3*b*t*nh*d
// symcute: extent q = b*nh*t*d
// symcute: extent k = b*nh*t*d
// symcute: extent v = b*nh*t*d
// symcute: assume 3*b*nh*t*d <= 2**30
// symcute: covers q
__global__ void permute_qkv(float *q, float *k, float *v, const float *inp, int b, int t, int nh,
                            int d) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < b * nh * t * d) {
    int ib = idx / (nh * t * d);
    int rest = idx % (nh * t * d);
    int ih = rest / (t * d);
    rest = rest % (t * d);
    int it = rest / d;
    int id = rest % d;
    int from = (ib * t * 3 * nh * d) + (it * 3 * nh * d) + (0 * nh * d) + (ih * d) + id;
    q[idx] = inp[from];
    k[idx] = inp[from + nh * d];
    v[idx] = inp[from + 2 * (nh * d)];
  }
}

// V is looked for one part further.
// symcute: launch grid=(ceil_div(b*nh*t*d,256)) block=(256)
// symcute: extent inp = 3*b*t*nh*d
// symcute: extent v = b*nh*t*d
// symcute: assume 4*b*nh*t*d <= 2**30
// truth: in_bounds=no
__global__ void permute_v_too_far(float *v, const float *inp, int b, int t, int nh, int d) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < b * nh * t * d) {
    int ib = idx / (nh * t * d);
    int rest = idx % (nh * t * d);
    int ih = rest / (t * d);
    rest = rest % (t * d);
    int it = rest / d;
    int id = rest % d;
    int from = (ib * t * 3 * nh * d) + (it * 3 * nh * d) + (0 * nh * d) + (ih * d) + id;
    v[idx] = inp[from + 3 * (nh * d)];
  }
}

// And back: one thread an element that is read.
// symcute: launch grid=(ceil_div(b*nh*t*d,256)) block=(256)
// symcute: extent inp = b*nh*t*d
// symcute: extent out = b*nh*t*d
// symcute: assume b*nh*t*d <= 2**30
// symcute: covers out
__global__ void unpermute_heads(const float *inp, float *out, int b, int t, int nh, int d) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < b * nh * t * d) {
    int ib = idx / (nh * t * d);
    int rest = idx % (nh * t * d);
    int ih = rest / (t * d);
    rest = rest % (t * d);
    int it = rest / d;
    int id = rest % d;
    out[(ib * nh * t * d) + (it * nh * d) + (ih * d) + id] = inp[idx];
  }
}

// The head is taken from the wrong rest, and so is never small.
// symcute: launch grid=(ceil_div(b*nh*t*d,256)) block=(256)
// symcute: extent inp = b*nh*t*d
// symcute: extent out = b*nh*t*d
// symcute: assume b*nh*t*d <= 2**20
// symcute: assume b*nh*t*d*b*nh*d <= 2**28
// truth: in_bounds=no
__global__ void unpermute_heads_wrong_rest(const float *inp, float *out, int b, int t, int nh,
                                           int d) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < b * nh * t * d) {
    int ib = idx / (nh * t * d);
    int ih = idx / (t * d);
    int rest = idx % (t * d);
    int it = rest / d;
    int id = rest % d;
    out[(ib * nh * t * d) + (it * nh * d) + (ih * d) + id] = inp[idx];
  }
}

// Channels into space: PixelShuffle.
// symcute: launch grid=(ceil_div(c*r*r*h*w,256)) block=(256)
// symcute: extent x = c*r*r*h*w
// symcute: extent y = c*r*r*h*w
// symcute: assume c*r*r*h*w <= 2**30
// symcute: covers y
__global__ void pixel_shuffle(int c, int r, int h, int w, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * r * r * h * w) return;
  int ix = i % w;
  int iy = i / w % h;
  int rx = i / (w * h) % r;
  int ry = i / (w * h * r) % r;
  int ch = i / (w * h * r * r);
  y[(ch * h * r + iy * r + ry) * (w * r) + ix * r + rx] = x[i];
}

// symcute: launch grid=(ceil_div(c*r*r*h*w,256)) block=(256)
// symcute: extent x = c*r*r*h*w
// symcute: extent y = c*r*r*h*w
// symcute: assume c*r*r*h*w <= 2**30
__global__ void pixel_unshuffle(int c, int r, int h, int w, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * r * r * h * w) return;
  int wide = w * r, high = h * r;
  int ox = i % wide, oy = i / wide % high, ch = i / (wide * high);
  y[(((ch * r + oy % r) * r + ox % r) * h + oy / r) * w + ox / r] = x[i];
}

// The pixel within the block and that of the block change places.
// symcute: launch grid=(ceil_div(c*r*r*h*w,256)) block=(256)
// symcute: extent x = c*r*r*h*w
// symcute: extent y = c*r*r*h*w
// symcute: assume c*r*r*h*w <= 2**20
// symcute: assume c*r*r*h*h*w*w <= 2**28
// truth: in_bounds=no write_race_free=no
__global__ void pixel_unshuffle_exchanged(int c, int r, int h, int w, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * r * r * h * w) return;
  int wide = w * r, high = h * r;
  int ox = i % wide, oy = i / wide % high, ch = i / (wide * high);
  y[(((ch * r + oy / r) * r + ox / r) * h + oy % r) * w + ox % r] = x[i];
}

// Groups of channels are interleaved: ShuffleNet.
// symcute: launch grid=(ceil_div(g*m*p,256)) block=(256)
// symcute: extent x = g*m*p
// symcute: extent y = g*m*p
// symcute: assume g*m*p <= 2**30
// symcute: covers y
__global__ void channel_shuffle(int g, int m, int p, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= g * m * p) return;
  int ch = i / p, at = i % p;
  y[(ch % m * g + ch / m) * p + at] = x[i];
}

// Divided by the number of groups on both sides.
// symcute: launch grid=(ceil_div(g*m*p,256)) block=(256)
// symcute: extent x = g*m*p
// symcute: extent y = g*m*p
// symcute: assume g*m*p <= 2**26
// symcute: assume g*g*p <= 2**26
// run: g=3 m=2 p=1
// run: g=2 m=4 p=1
// truth: in_bounds=no write_race_free=no
__global__ void channel_shuffle_wrong_divisor(int g, int m, int p, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= g * m * p) return;
  int ch = i / p, at = i % p;
  y[(ch % g * g + ch / g) * p + at] = x[i];
}

// A rolled axis: the remainder is brought above 0 first.
// symcute: launch grid=(ceil_div(a*n,256)) block=(256)
// symcute: extent x = a*n
// symcute: extent y = a*n
// symcute: assume a*n <= 2**30
// symcute: assume shift <= n
// symcute: covers y
__global__ void roll_axis(int a, int n, int shift, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * n) return;
  int row = i / n, at = i % n;
  y[row * n + (at + n - shift) % n] = x[i];
}

// C's remainder of a negative number is negative.
// symcute: launch grid=(ceil_div(a*n,256)) block=(256)
// symcute: extent x = a*n
// symcute: extent y = a*n
// symcute: assume a*n <= 2**30
// symcute: assume shift <= n
// truth: in_bounds=no
__global__ void roll_axis_negative(int a, int n, int shift, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * n) return;
  int row = i / n, at = i % n;
  y[row * n + (at - shift) % n] = x[i];
}

// Brought into range from both sides.
// symcute: launch grid=(ceil_div(a*n,256)) block=(256)
// symcute: extent x = a*n
// symcute: extent y = a*n
// symcute: assume a*n <= 2**29
// symcute: assume shift <= 2**29
// symcute: covers y
__global__ void roll_axis_any(int a, int n, int shift, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * n) return;
  int row = i / n, at = i % n;
  y[row * n + ((at - shift) % n + n) % n] = x[i];
}

// An axis backwards.
// symcute: launch grid=(ceil_div(a*n*b,256)) block=(256)
// symcute: extent x = a*n*b
// symcute: extent y = a*n*b
// symcute: assume a*n*b <= 2**30
// symcute: covers y
__global__ void flip_axis(int a, int n, int b, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * n * b) return;
  int inner = i % b, at = i / b % n, outer = i / (b * n);
  y[(outer * n + (n - 1 - at)) * b + inner] = x[i];
}

// From the end, which is one too far.
// symcute: launch grid=(ceil_div(a*n*b,256)) block=(256)
// symcute: extent x = a*n*b
// symcute: extent y = a*n*b
// symcute: assume a*n*b <= 2**29
// truth: in_bounds=no
__global__ void flip_axis_one_off(int a, int n, int b, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * n * b) return;
  int inner = i % b, at = i / b % n, outer = i / (b * n);
  y[(outer * n + (n - at)) * b + inner] = x[i];
}

// Through a tile in shared memory, a plane a block of the z axis.
// symcute: launch grid=(ceil_div(c,32),ceil_div(p,32),n) block=(32,8)
// symcute: extent x = n*p*c
// symcute: extent y = n*p*c
// symcute: assume n <= 65535
// symcute: assume p <= 65535*32
// symcute: assume n*p*c <= 2**29
__global__ void planes_by_tiles(int p, int c, const float *x, float *y) {
  __shared__ float tile[32][33];
  int base = blockIdx.z * p * c;
  int i = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    int j = blockIdx.y * 32 + k;
    if (i < c && j < p) tile[k][threadIdx.x] = x[base + j * c + i];
  }
  __syncthreads();
  int o = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    int q = blockIdx.x * 32 + k;
    if (o < p && q < c) y[base + q * p + o] = tile[threadIdx.x][k];
  }
}

// The tile is read before it is whole.
// symcute: launch grid=(ceil_div(c,32),ceil_div(p,32),n) block=(32,8)
// symcute: extent x = n*p*c
// symcute: extent y = n*p*c
// symcute: assume n <= 65535
// symcute: assume p <= 65535*32
// symcute: assume n*p*c <= 2**29
// truth: read_write_race_free=no
__global__ void planes_by_tiles_no_barrier(int p, int c, const float *x, float *y) {
  __shared__ float tile[32][33];
  int base = blockIdx.z * p * c;
  int i = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    int j = blockIdx.y * 32 + k;
    if (i < c && j < p) tile[k][threadIdx.x] = x[base + j * c + i];
  }
  int o = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    int q = blockIdx.x * 32 + k;
    if (o < p && q < c) y[base + q * p + o] = tile[threadIdx.x][k];
  }
}

// Digits of a block's number by shifts and masks.
// symcute: launch grid=(64*g) block=(64)
// symcute: extent x = 4096*g
// symcute: extent y = 4096*g
// symcute: assume g <= 2**16
// symcute: covers y
__global__ void swap_bits(const float *x, float *y) {
  unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned low = i & 63, high = i >> 6 & 63, rest = i >> 12;
  y[rest << 12 | low << 6 | high] = x[i];
}

// A mask of one bit less: two threads, one element.
// symcute: launch grid=(64*g) block=(64)
// symcute: extent x = 4096*g
// symcute: extent y = 4096*g
// symcute: assume g <= 2**16
// truth: write_race_free=no
__global__ void swap_bits_short_mask(const float *x, float *y) {
  unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned low = i & 31, high = i >> 6 & 63, rest = i >> 12;
  y[rest << 12 | low << 6 | high] = x[i];
}

// Rows padded to a pitch, a quotient by the pitch on the way back.
// symcute: launch grid=(ceil_div(a*ld,256)) block=(256)
// symcute: extent x = a*ld
// symcute: extent y = a*b
// symcute: assume a*ld <= 2**30
// symcute: assume b <= ld
// symcute: covers y
__global__ void drop_padding(int a, int b, int ld, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / ld, at = i % ld;
  if (row < a && at < b) y[row * b + at] = x[i];
}

// What is behind a row's end is written into the next one.
// symcute: launch grid=(ceil_div(a*ld,256)) block=(256)
// symcute: extent x = a*ld
// symcute: extent y = a*b
// symcute: assume a*ld <= 2**30
// symcute: assume b <= ld
// truth: in_bounds=no write_race_free=no
__global__ void drop_padding_not_tested(int a, int b, int ld, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / ld, at = i % ld;
  if (row < a) y[row * b + at] = x[i];
}

// Repeats an axis: several elements from one.
// symcute: launch grid=(ceil_div(a*r*b,256)) block=(256)
// symcute: extent x = a*b
// symcute: extent y = a*r*b
// symcute: assume a*r*b <= 2**30
// symcute: covers y
__global__ void repeat_axis(int a, int r, int b, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * r * b) return;
  y[i] = x[i / (r * b) * b + i % b];
}

// The quotient forgets the repetitions.
// symcute: launch grid=(ceil_div(a*r*b,256)) block=(256)
// symcute: extent x = a*b
// symcute: extent y = a*r*b
// symcute: assume a*r*b <= 2**30
// truth: in_bounds=no
__global__ void repeat_axis_dropped(int a, int r, int b, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * r * b) return;
  y[i] = x[i / b * b + i % b];
}

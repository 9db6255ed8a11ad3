// Strides that halve and double: trees, scans, sorting networks and butterflies.

// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
__global__ void tree_of_any_block(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// The halves are rounded up, so that nothing is dropped: h elements remain.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
__global__ void tree_rounded_up(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int n = blockDim.x; n > 1;) {
    int h = (n + 1) / 2;
    if (t + h < n) s[t] += s[t + h];
    __syncthreads();
    n = h;
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// The barrier is left out.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: read_write_race_free=no
__global__ void tree_of_any_block_no_barrier(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// The tree begins with the whole block.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: in_bounds=no
__global__ void tree_of_any_block_too_high(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// Threads that have nothing to do any more leave before the barrier.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: barrier_uniform=no
__global__ void tree_left_early(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t >= h) return;
    s[t] += s[t + h];
    __syncthreads();
  }
  y[blockIdx.x] = s[0];
}

// One more than h threads add: the last writes what the first reads.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// run: g=1 p=4
// truth: in_bounds=no read_write_race_free=no
__global__ void tree_one_thread_more(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t <= h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// Strides that double, which is interleaved addressing.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
__global__ void tree_doubling(const float *x, float *y) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0 && t + d < blockDim.x) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// What is behind the block's end is not tested, which only powers of two do without.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: in_bounds=no
__global__ void tree_doubling_untested(const float *x, float *y) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// Threads side by side, strides that double.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
__global__ void tree_doubling_packed(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < n; d <<= 1) {
    int k = 2 * d * t;
    if (k + d < n) s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// The index is t times d, so that what is added to is read by others.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: read_write_race_free=no
__global__ void tree_doubling_too_dense(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < n; d <<= 1) {
    int k = d * t;
    if (k + d < n) s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// Hillis and Steele in place: read, wait, write, wait.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g*p
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// symcute: covers y
__global__ void scan_any_block(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float v = t >= d ? s[t - d] : 0.0f;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  y[i] = s[t];
}

// One barrier of the two.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g*p
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: read_write_race_free=no
__global__ void scan_any_block_one_barrier(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float v = t >= d ? s[t - d] : 0.0f;
    s[t] += v;
    __syncthreads();
  }
  y[i] = s[t];
}

// Two halves of one array that change their roles, as in GPU Gems.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = g*p
// symcute: extent y = g*p
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
__global__ void scan_two_halves(const float *x, float *y) {
  extern __shared__ float temp[];
  int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * blockDim.x + t;
  int pout = 0, pin = 1;
  temp[pout * n + t] = x[i];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset)
      temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
    else
      temp[pout * n + t] = temp[pin * n + t];
    __syncthreads();
  }
  y[i] = temp[pout * n + t];
}

// There is room for one half only.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: extent y = g*p
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: in_bounds=no
__global__ void scan_two_halves_short(const float *x, float *y) {
  extern __shared__ float temp[];
  int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * blockDim.x + t;
  int pout = 0, pin = 1;
  temp[pout * n + t] = x[i];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset)
      temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
    else
      temp[pout * n + t] = temp[pin * n + t];
    __syncthreads();
  }
  y[i] = temp[pout * n + t];
}

// Blelloch's way up and down a tree of 2**9 numbers.
// symcute: launch grid=(g) block=(256)
// symcute: extent x = 512*g
// symcute: extent y = 512*g
// symcute: assume g <= 2**20
// symcute: covers y
__global__ void blelloch_fixed(const float *x, float *y) {
  __shared__ float s[512];
  int t = threadIdx.x, base = blockIdx.x * 512, offset = 1;
  s[2 * t] = x[base + 2 * t];
  s[2 * t + 1] = x[base + 2 * t + 1];
  for (int d = 512 >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[511] = 0.0f;
  for (int d = 1; d < 512; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      float v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  y[base + 2 * t] = s[2 * t];
  y[base + 2 * t + 1] = s[2 * t + 1];
}

// The way up of any block: twice as many numbers as threads.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = 2*g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**29
// symcute: assume p <= 1024
__global__ void blelloch_up(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, offset = 1;
  s[2 * t] = x[base + 2 * t];
  s[2 * t + 1] = x[base + 2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  if (t == 0) y[blockIdx.x] = s[n - 1];
}

// Up and down, for blocks that are no power of two: the last offset is 0.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = 2*g*p
// symcute: extent y = 2*g*p
// symcute: assume g*p <= 2**29
// symcute: assume p <= 1024
// run: g=1 p=3
// truth: in_bounds=no write_race_free=no read_write_race_free=no
__global__ void blelloch_any_block(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, offset = 1;
  s[2 * t] = x[base + 2 * t];
  s[2 * t + 1] = x[base + 2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[n - 1] = 0.0f;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      float v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  y[base + 2 * t] = s[2 * t];
  y[base + 2 * t + 1] = s[2 * t + 1];
}

// The way up doubles its offset before it is used.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = 2*g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**29
// symcute: assume p <= 1024
// truth: in_bounds=no
__global__ void blelloch_up_early(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, offset = 1;
  s[2 * t] = x[base + 2 * t];
  s[2 * t + 1] = x[base + 2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    offset *= 2;
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
  }
  __syncthreads();
  if (t == 0) y[blockIdx.x] = s[n - 1];
}

// A bitonic network over 256 numbers in shared memory.
// symcute: launch grid=(g) block=(256)
// symcute: extent x = 256*g
// symcute: assume g <= 2**20
__global__ void bitonic_fixed(float *x) {
  __shared__ float s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = x[base + t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        float a = s[t], b = s[other];
        if ((a > b) == ((t & k) == 0)) {
          s[t] = b;
          s[other] = a;
        }
      }
      __syncthreads();
    }
  x[base + t] = s[t];
}

// Both of a pair exchange.
// symcute: launch grid=(g) block=(256)
// symcute: extent x = 256*g
// symcute: assume g <= 2**20
// run: g=1
// truth: write_race_free=no read_write_race_free=no
__global__ void bitonic_both(float *x) {
  __shared__ float s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = x[base + t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      float a = s[t], b = s[other];
      s[t] = b;
      s[other] = a;
      __syncthreads();
    }
  x[base + t] = s[t];
}

// A network with a stage too many: the partner is outside.
// symcute: launch grid=(g) block=(256)
// symcute: extent x = 256*g
// symcute: assume g <= 2**20
// truth: in_bounds=no
__global__ void bitonic_stage_too_many(float *x) {
  __shared__ float s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = x[base + t];
  __syncthreads();
  for (int k = 2; k <= 512; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        float a = s[t], b = s[other];
        if ((a > b) == ((t & k) == 0)) {
          s[t] = b;
          s[other] = a;
        }
      }
      __syncthreads();
    }
  x[base + t] = s[t];
}

// The barrier is behind both loops' inner one.
// symcute: launch grid=(g) block=(256)
// symcute: extent x = 256*g
// symcute: assume g <= 2**20
// truth: write_race_free=no read_write_race_free=no
__global__ void bitonic_barrier_outside(float *x) {
  __shared__ float s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = x[base + t];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        float a = s[t], b = s[other];
        s[t] = fminf(a, b);
        s[other] = fmaxf(a, b);
      }
    }
    __syncthreads();
  }
  x[base + t] = s[t];
}

// Any block: the partner is compared with what there is.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
__global__ void bitonic_any_block(float *x) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = blockDim.x, base = blockIdx.x * blockDim.x;
  s[t] = x[base + t];
  __syncthreads();
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      int other = t ^ j;
      if (other > t && other < n) {
        float a = s[t], b = s[other];
        s[t] = fminf(a, b);
        s[other] = fmaxf(a, b);
      }
      __syncthreads();
    }
  x[base + t] = s[t];
}

// The partner may be outside of a block that is no power of two.
// symcute: launch grid=(g) block=(p) shared=4*p
// symcute: extent x = g*p
// symcute: assume g*p <= 2**30
// symcute: assume p <= 1024
// truth: in_bounds=no
// run: g=1 p=3
__global__ void bitonic_any_block_untested(float *x) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = blockDim.x, base = blockIdx.x * blockDim.x;
  s[t] = x[base + t];
  __syncthreads();
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      int other = t ^ j;
      if (other > t) {
        float a = s[t], b = s[other];
        s[t] = fminf(a, b);
        s[other] = fmaxf(a, b);
      }
      __syncthreads();
    }
  x[base + t] = s[t];
}

// One pass of a bitonic network over memory: pairs by a position.
// symcute: launch grid=(ceil_div(n,512)) block=(256)
// symcute: extent x = 2*n
// symcute: arg stride = 64
// symcute: assume n <= 2**28
// symcute: assume n % 512 == 0
__global__ void bitonic_merge_pass(int n, int stride, float *x) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int pos = 2 * k - (k & (stride - 1));
  float a = x[pos], b = x[pos + stride];
  x[pos] = fminf(a, b);
  x[pos + stride] = fmaxf(a, b);
}

// The stride is subtracted without the mask's one: pairs overlap.
// symcute: launch grid=(ceil_div(n,512)) block=(256)
// symcute: extent x = 2*n
// symcute: arg stride = 64
// symcute: assume n <= 2**28
// symcute: assume n % 512 == 0
// truth: write_race_free=no read_write_race_free=no
__global__ void bitonic_merge_pass_wrong_mask(int n, int stride, float *x) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int pos = 2 * k - (k & stride);
  float a = x[pos], b = x[pos + stride];
  x[pos] = fminf(a, b);
  x[pos + stride] = fmaxf(a, b);
}

// Odd and even pairs in turn.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = 2*g*p
// symcute: assume g*p <= 2**29
// symcute: assume p <= 1024
__global__ void odd_even_sort(float *x) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  s[t] = x[base + t];
  s[t + blockDim.x] = x[base + t + blockDim.x];
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    int i = 2 * t + (round & 1);
    if (i + 1 < n) {
      float a = s[i], b = s[i + 1];
      if (a > b) {
        s[i] = b;
        s[i + 1] = a;
      }
    }
    __syncthreads();
  }
  x[base + t] = s[t];
  x[base + t + blockDim.x] = s[t + blockDim.x];
}

// The last pair of an odd round is outside.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = 2*g*p
// symcute: assume g*p <= 2**29
// symcute: assume p <= 1024
// truth: in_bounds=no
__global__ void odd_even_sort_untested(float *x) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  s[t] = x[base + t];
  s[t + blockDim.x] = x[base + t + blockDim.x];
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    int i = 2 * t + (round & 1);
    float a = s[i], b = s[i + 1];
    s[i] = fminf(a, b);
    s[i + 1] = fmaxf(a, b);
    __syncthreads();
  }
  x[base + t] = s[t];
  x[base + t + blockDim.x] = s[t + blockDim.x];
}

// Every thread begins at its own number: pairs meet.
// symcute: launch grid=(g) block=(p) shared=8*p
// symcute: extent x = 2*g*p
// symcute: assume g*p <= 2**29
// symcute: assume p <= 1024
// truth: write_race_free=no read_write_race_free=no
__global__ void odd_even_sort_meeting(float *x) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  s[t] = x[base + t];
  s[t + blockDim.x] = x[base + t + blockDim.x];
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    int i = t + (round & 1);
    if (i + 1 < n) {
      float a = s[i], b = s[i + 1];
      s[i] = fminf(a, b);
      s[i + 1] = fmaxf(a, b);
    }
    __syncthreads();
  }
  x[base + t] = s[t];
}

// Batcher's odd-even merge over 128 numbers, as CUDA's samples have it.
// symcute: launch grid=(g) block=(64)
// symcute: extent x = 128*g
// symcute: assume g <= 2**20
__global__ void odd_even_merge_sort(float *x) {
  __shared__ float s[128];
  int t = threadIdx.x, base = blockIdx.x * 128;
  s[t] = x[base + t];
  s[t + 64] = x[base + t + 64];
  for (int size = 2; size <= 128; size <<= 1) {
    int stride = size / 2;
    int offset = t & (stride - 1);
    {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      float a = s[pos], b = s[pos + stride];
      s[pos] = fminf(a, b);
      s[pos + stride] = fmaxf(a, b);
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      if (offset >= stride) {
        float a = s[pos - stride], b = s[pos];
        s[pos - stride] = fminf(a, b);
        s[pos] = fmaxf(a, b);
      }
    }
  }
  __syncthreads();
  x[base + t] = s[t];
  x[base + t + 64] = s[t + 64];
}

// Butterflies over the warps of a block, one cell a warp.
// symcute: launch grid=(g) block=(32*p)
// symcute: extent x = 32*g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**24
// symcute: assume p <= 32
__global__ void butterfly_warps(const float *x, float *y) {
  __shared__ float s[32];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  float v = x[blockIdx.x * blockDim.x + t];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (lane == 0) s[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < blockDim.x / 32 ? s[lane] : 0.0f;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (lane == 0) y[blockIdx.x] = v;
  }
}

// Room for 16 warps, where 32 may come.
// symcute: launch grid=(g) block=(32*p)
// symcute: extent x = 32*g*p
// symcute: extent y = g
// symcute: assume g*p <= 2**24
// symcute: assume p <= 32
// run: g=1 p=32
// truth: in_bounds=no
__global__ void butterfly_warps_short(const float *x, float *y) {
  __shared__ float s[16];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  float v = x[blockIdx.x * blockDim.x + t];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (lane == 0) s[warp] = v;
  __syncthreads();
  if (t == 0) y[blockIdx.x] = s[0];
}

// A radix-2 pass of an FFT in shared memory: 128 butterflies a round.
// symcute: launch grid=(g) block=(128)
// symcute: extent x = 256*g
// symcute: assume g <= 2**20
__global__ void fft_butterflies(float *x) {
  __shared__ float s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = x[base + t];
  s[t + 128] = x[base + t + 128];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    int k = t & (half - 1);
    int i = (t - k) * 2 + k;
    float a = s[i], b = s[i + half];
    s[i] = a + b;
    s[i + half] = a - b;
    __syncthreads();
  }
  x[base + t] = s[t];
  x[base + t + 128] = s[t + 128];
}

// The butterfly's low part is not taken off first.
// symcute: launch grid=(g) block=(128)
// symcute: extent x = 256*g
// symcute: assume g <= 2**20
// truth: in_bounds=no
__global__ void fft_butterflies_wrong(float *x) {
  __shared__ float s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = x[base + t];
  s[t + 128] = x[base + t + 128];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    int k = t & (half - 1);
    int i = t * 2 + k;
    float a = s[i], b = s[i + half];
    s[i] = a + b;
    s[i + half] = a - b;
    __syncthreads();
  }
  x[base + t] = s[t];
  x[base + t + 128] = s[t + 128];
}

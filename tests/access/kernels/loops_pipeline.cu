// Pipelines: double buffers, rings of stages, phases.
// symcute: launch grid=(g) block=(128)
// symcute: extent x = 128*g*n
// symcute: extent y = 128*g
// symcute: assume g*n <= 2**23

// Two buffers, exchanged by ^= 1.
__global__ void double_buffer_xor(int n, const float *x, float *y) {
  __shared__ float s[2][128];
  int t = threadIdx.x, stage = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  s[0][t] = p[t];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) s[stage ^ 1][t] = p[(k + 1) * 128 + t];
    sum += s[stage][127 - t];
    __syncthreads();
    stage ^= 1;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The next tile goes where this one is read.
// truth: read_write_race_free=no
__global__ void double_buffer_same_stage(int n, const float *x, float *y) {
  __shared__ float s[2][128];
  int t = threadIdx.x, stage = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  s[0][t] = p[t];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) s[stage][t] = p[(k + 1) * 128 + t];
    sum += s[stage][127 - t];
    __syncthreads();
    stage ^= 1;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// Nobody waits.
// truth: read_write_race_free=no
__global__ void double_buffer_no_barrier(int n, const float *x, float *y) {
  __shared__ float s[2][128];
  int t = threadIdx.x, stage = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  s[0][t] = p[t];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) s[stage ^ 1][t] = p[(k + 1) * 128 + t];
    sum += s[stage][127 - t];
    stage ^= 1;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The tile behind the last one is loaded too.
// truth: in_bounds=no
__global__ void double_buffer_one_too_many(int n, const float *x, float *y) {
  __shared__ float s[2][128];
  int t = threadIdx.x, stage = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  s[0][t] = p[t];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    s[stage ^ 1][t] = p[(k + 1) * 128 + t];
    sum += s[stage][127 - t];
    __syncthreads();
    stage ^= 1;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The buffer by the round's number.
__global__ void double_buffer_by_round(int n, const float *x, float *y) {
  __shared__ float s[2][128];
  int t = threadIdx.x;
  float sum = 0.0f;
  s[0][t] = x[blockIdx.x * n * 128 + t];
  __syncthreads();
  for (int k = 1; k < n; ++k) {
    s[k & 1][t] = x[(blockIdx.x * n + k) * 128 + t];
    sum += s[(k - 1) & 1][127 - t];
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = sum + s[(n - 1) & 1][127 - t];
}

// A pointer that moves by a tile a round.
__global__ void pointer_by_tiles(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128 + t;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k, p += 128) {
    s[t] = *p;
    __syncthreads();
    sum += s[127 - t];
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The second barrier is left out.
// truth: read_write_race_free=no
__global__ void pointer_by_tiles_one_barrier(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128 + t;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k, p += 128) {
    s[t] = *p;
    __syncthreads();
    sum += s[127 - t];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// A ring of four: one barrier a round is enough.
__global__ void ring_of_four(int n, const float *x, float *y) {
  __shared__ float s[4][128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  for (int k = 0; k < 3; ++k)
    if (k < n) s[k][t] = p[k * 128 + t];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (k + 3 < n) s[(k + 3) % 4][t] = p[(k + 3) * 128 + t];
    sum += s[k % 4][127 - t];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// A stage too few: what is written is read.
// truth: read_write_race_free=no
__global__ void ring_of_three(int n, const float *x, float *y) {
  __shared__ float s[3][128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  for (int k = 0; k < 3; ++k)
    if (k < n) s[k][t] = p[k * 128 + t];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (k + 3 < n) s[(k + 3) % 3][t] = p[(k + 3) * 128 + t];
    sum += s[k % 3][127 - t];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The remainder is by four where there are three stages.
// truth: in_bounds=no
__global__ void ring_remainder_too_large(int n, const float *x, float *y) {
  __shared__ float s[3][128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    s[k % 4][t] = p[k * 128 + t];
    __syncthreads();
    sum += s[k % 4][127 - t];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// Stages that are counted and set back, for reading and for writing.
__global__ void ring_by_counters(int n, const float *x, float *y) {
  __shared__ float s[3][128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  s[0][t] = p[t];
  if (n > 1) s[1][t] = p[128 + t];
  int from = 0, to = 2;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (k + 2 < n) s[to][t] = p[(k + 2) * 128 + t];
    sum += s[from][127 - t];
    if (++from == 3) from = 0;
    if (++to == 3) to = 0;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The writer's counter is set back one round late.
// truth: in_bounds=no read_write_race_free=no
__global__ void ring_by_counters_late(int n, const float *x, float *y) {
  __shared__ float s[3][128];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  s[0][t] = p[t];
  if (n > 1) s[1][t] = p[128 + t];
  int from = 0, to = 2;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (k + 2 < n) s[to][t] = p[(k + 2) * 128 + t];
    sum += s[from][127 - t];
    if (++from == 3) from = 0;
    if (++to == 4) to = 0;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// CUTLASS's state of a pipeline: an index, and a phase that turns with it.
__global__ void stage_and_phase(int n, const float *x, float *y) {
  __shared__ float s[4][128];
  __shared__ int full[2][4];
  int t = threadIdx.x, stage = 0, phase = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    s[stage][t] = p[k * 128 + t];
    if (t == 0) full[phase][stage] = k;
    __syncthreads();
    sum += s[stage][127 - t] + full[phase][stage];
    if (++stage == 4) {
      stage = 0;
      phase ^= 1;
    }
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The phase by the quotient of the round.
__global__ void phase_by_quotient(int n, const float *x, float *y) {
  __shared__ float s[4][128];
  __shared__ int full[2][4];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    int stage = k % 4, phase = (k / 4) & 1;
    s[stage][t] = p[k * 128 + t];
    if (t == 0) full[phase][stage] = k;
    __syncthreads();
    sum += s[stage][127 - t] + full[phase][stage];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// The phase is not cut to one bit.
// truth: in_bounds=no
// run: g=1 n=9
__global__ void phase_by_quotient_not_cut(int n, const float *x, float *y) {
  __shared__ float s[4][128];
  __shared__ int full[2][4];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    int stage = k % 4, phase = k / 4;
    s[stage][t] = p[k * 128 + t];
    if (t == 0) full[phase][stage] = k;
    __syncthreads();
    sum += s[stage][127 - t] + full[phase][stage];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// One stage, so that a round writes what the one before reads.
// truth: read_write_race_free=no
__global__ void phase_of_one_stage(int n, const float *x, float *y) {
  __shared__ float s[128];
  __shared__ int full[2];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    int phase = k & 1;
    s[t] = p[k * 128 + t];
    if (t == 0) full[phase] = k;
    __syncthreads();
    sum += s[127 - t] + full[phase];
  }
  y[blockIdx.x * 128 + t] = sum;
}

// A ring of any number of stages in dynamic shared memory.
// symcute: launch grid=(g) block=(128) shared=512*st
// symcute: assume st <= 32
// symcute: assume 2 <= st
__global__ void ring_of_any(int n, int st, const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  s[t] = p[t];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (k + 1 < n) s[(k + 1) % st * 128 + t] = p[(k + 1) * 128 + t];
    sum += s[k % st * 128 + 127 - t];
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = sum;
}

// Also of one stage, where the next tile falls on this one.
// symcute: launch grid=(g) block=(128) shared=512*st
// symcute: assume st <= 32
// truth: read_write_race_free=no
// run: g=1 n=4 st=1
__global__ void ring_of_any_or_one(int n, int st, const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  s[t] = p[t];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (k + 1 < n) s[(k + 1) % st * 128 + t] = p[(k + 1) * 128 + t];
    sum += s[k % st * 128 + 127 - t];
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = sum;
}

// A counter of any number of stages, which is below that in every round.
// symcute: launch grid=(g) block=(128) shared=512*st
// symcute: assume st <= 32
__global__ void ring_counter_of_any(int n, int st, const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, stage = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    s[stage * 128 + t] = p[k * 128 + t];
    __syncthreads();
    sum += s[stage * 128 + 127 - t];
    __syncthreads();
    stage = stage + 1 == st ? 0 : stage + 1;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// It is set back when it is beyond the last stage, after it has been used.
// symcute: launch grid=(g) block=(128) shared=512*st
// symcute: assume st <= 32
// truth: in_bounds=no
__global__ void ring_counter_of_any_late(int n, int st, const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x, stage = 0;
  const float *p = x + blockIdx.x * n * 128;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    s[stage * 128 + t] = p[k * 128 + t];
    __syncthreads();
    sum += s[stage * 128 + 127 - t];
    __syncthreads();
    stage = stage == st ? 0 : stage + 1;
  }
  y[blockIdx.x * 128 + t] = sum;
}

// Contents, warps, pointers and casts.

struct Node2 { int key; float v[3]; };

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent c = N
// symcute: extent x = N
// symcute: contents c in [0, N)
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void contents_atomic(int n, int *c, float *x) {
  atomicAdd(&c[0], n);
  x[c[0]] = 1.0f;
}

// The int is read by halves: 65536 is 0 and 1.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent c = N
// symcute: extent x = N
// symcute: contents c in [0, N)
// symcute: assume N == 131072
__global__ void contents_halves(int n, const int *c, float *x) {
  const unsigned short *h = (const unsigned short *)c;
  x[h[1]] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent c = 4
// symcute: extent x = 300
// symcute: contents c in [256, 300)
__global__ void contents_low_byte(const int *c, float *x) {
  const unsigned char *h = (const unsigned char *)c;
  x[h[0]] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent c = 4
// symcute: extent x = 44
// symcute: contents c in [256, 300)
__global__ void contents_second_byte_index(const int *c, float *x) {
  const unsigned char *h = (const unsigned char *)c;
  x[(h[1] - 1) * 44 + h[0]] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// truth: read_write_race_free=no
__global__ void warp_synchronous(float *x) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = s[31 - threadIdx.x];
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
__global__ void warp_synchronized(float *x) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  x[threadIdx.x] = s[31 - threadIdx.x];
}

// Rows of 33 are no warps.
// symcute: launch grid=(1) block=(33,2)
// symcute: extent x = 66
// truth: read_write_race_free=no
__global__ void warp_rows(float *x) {
  __shared__ float s[2][33];
  int t = threadIdx.y * 33 + threadIdx.x;
  s[threadIdx.y][threadIdx.x] = x[t];
  __syncwarp();
  x[t] = s[threadIdx.y][32 - threadIdx.x];
}

// A fence is no barrier.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no
__global__ void fence_only(float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __threadfence_block();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// truth: in_bounds=no no_overflow=no
__global__ void char_index(int n, float *x) {
  signed char c = threadIdx.x + 64;
  if (c < n) x[c] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void sizeof_compare(int n, float *x) {
  for (int i = -1; i < (int)sizeof(float) - 4 + n; ++i) x[i] = 1.0f;
}

// -1 is never less than an unsigned 0: does nothing.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: no_overflow=no
__global__ void never(int n, float *x) {
  for (int i = -1; i < sizeof(float); ++i) x[n] = 1.0f;
}

// -7/2 is -3.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
__global__ void negative_division(int n, float *x) {
  for (int i = -1; i < n; ++i) x[i / 2] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void negative_shift(int n, float *x) {
  for (int i = -1; i < n; ++i) x[i >> 1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = 40
// truth: no_overflow=no
__global__ void shift_by_n(int n, float *x) {
  if (n < 40) { int k = 1 << n; if (k == 0) x[n] = 1.0f; }
}

// Fall through of a switch.
// symcute: launch grid=(1) block=(8)
// symcute: extent x = 8
// truth: in_bounds=no write_race_free=no
__global__ void fall_through(float *x) {
  int i = 0;
  switch (threadIdx.x) {
    case 0: i += 2;
    case 1: i += 3; break;
    case 2: i += 4;
    default: i += 5;
  }
  x[i] = threadIdx.x;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void nested_break(int n, float *x) {
  int k = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) { if (j == 2) break; ++k; }
    if (k > n) break;
  }
  x[k] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void side_effect_conditional(int n, float *x) {
  int i = 0;
  int v = n > 5 ? i++ : ++i + i++;
  x[i + v] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent f = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void short_circuit(int n, const int *f, float *x) {
  int i = 0;
  while (f[i] > 0 && i < n) ++i;
  x[0] = i;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent f = N
// symcute: extent x = N
// symcute: assume N <= 1000
__global__ void short_circuit_ok(int n, const int *f, float *x) {
  int i = 0;
  while (i < n && f[i] > 0) ++i;
  x[0] = i;
}

// The pointer walks past the end, which is compared only.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
__global__ void pointer_walk(int n, float *x) {
  for (float *p = x, *e = x + n; p != e; ++p) *p = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void pointer_walk_le(int n, float *x) {
  for (float *p = x, *e = x + n; p <= e; ++p) *p = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 16
// symcute: arg n = N
// symcute: assume N <= 4
// truth: in_bounds=no
__global__ void struct_array(int n, float *x) {
  Node2 *p = (Node2 *)x;
  p[n].v[0] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 16
// symcute: arg n = N
// symcute: assume N <= 3
__global__ void struct_array_ok(int n, float *x) {
  Node2 *p = (Node2 *)x;
  p[n].v[2] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 16
// symcute: align x = 16
// symcute: arg n = N
// symcute: assume N <= 10
// truth: aligned=no
__global__ void misaligned_cast(int n, float *x) {
  float4 *p = (float4 *)(x + n);
  float4 v = *p;
  x[0] = v.x;
}

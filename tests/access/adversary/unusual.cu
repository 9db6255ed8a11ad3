// What few kernels do, and the CPU's compiler does not run: assembly, lambdas, unions.

struct Bits { int a : 3; unsigned b : 4; };

__device__ void setx(float *x, int i) { x[i] = 1.0f; }

__device__ int counter = 0;

__constant__ int tab[4] = {0, 1, 2, 3};

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no write_race_free=no
__global__ void asm_store(float *x) {
  asm volatile("st.global.f32 [%0], 0f00000000;" :: "l"(x + 64) : "memory");
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void asm_out(float *x) {
  int i = 5;
  asm volatile("mov.s32 %0, 64;" : "=r"(i));
  x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void asm_inout(float *x) {
  int i = 5;
  asm volatile("add.s32 %0, %0, 64;" : "+r"(i));
  x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void asm_memory(float *x) {
  int i = 5; int *p = &i;
  asm volatile("st.s32 [%0], 64;" :: "l"(p) : "memory");
  x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void goto_skip(int n, float *x) {
  int i = 64;
  if (n > 3) goto there;
  i = 0;
there:
  x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void function_pointer(int n, float *x) {
  void (*f)(float *, int) = setx;
  f(x, 64);
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void lambda(int n, float *x) {
  int i = 0;
  auto f = [&](int k) { i += k; };
  for (int k = 0; k < 65; ++k) f(1);
  x[i - 1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void lambda_copy(int n, float *x) {
  int i = 64;
  auto f = [=]() { return i; };
  i = 0;
  x[f()] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void unions(int n, float *x) {
  union { int i; unsigned char b[4]; } u;
  u.i = 0; u.b[1] = 1;
  x[u.i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 8
// truth: in_bounds=no no_overflow=no
__global__ void bit_field_unsigned(unsigned n, float *x) {
  Bits q; q.b = n;
  x[q.b] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 8
// symcute: extent y = 4
// truth: in_bounds=no
__global__ void reference_to_pointer(float *x, float *y) {
  float *p = x; float *&r = p;
  r = y;
  p[7] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 8
// truth: in_bounds=no
__global__ void volatile_index(float *x) {
  __shared__ volatile int v;
  v = 3;
  int i = v;
  x[i + 5] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no write_race_free=no read_write_race_free=no
__global__ void flag_between(float *x) {
  __shared__ int f;
  if (threadIdx.x == 0) f = 64;
  if (f >= 64) x[f] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 1
// truth: barrier_uniform=no
__global__ void loaded_twice(const int *x, int *y) {
  if (x[0] > 0) __syncthreads();
  int v = x[threadIdx.x & 0];
  if (v > (int)threadIdx.x) __syncthreads();
}

// Both threads of different blocks change what all read.
// symcute: launch grid=(2) block=(64)
// symcute: extent x = 1
// truth: barrier_uniform=no read_write_race_free=no write_race_free=no
__global__ void other_block_changes(int *x) {
  if (x[0] > 0) __syncthreads();
  x[0] = 5;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no write_race_free=no
__global__ void mul24_big(unsigned n, float *x) {
  unsigned i = __umul24(n, 64) ;
  if (n * 0 == 0 && n >= 16777216 && i < 65) x[i + 64 - i] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no
__global__ void shfl_race(float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  float v = __shfl_sync(0xffffffff, s[threadIdx.x], 3);
  x[threadIdx.x] = s[threadIdx.x ^ 32] + v;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void count_barrier(float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  int v = __syncthreads_count(threadIdx.x > 3);
  x[threadIdx.x] = s[threadIdx.x ^ 32] + v;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void count_index(float *x) {
  int v = __syncthreads_count(threadIdx.x >= 0);
  if (threadIdx.x == 0) x[v] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no
__global__ void memcpy_over(float *x) {
  if (threadIdx.x == 0) memset(x, 0, 260);
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 64
// symcute: extent c = 64
// symcute: contents c in [0, 64)
// truth: in_bounds=no
__global__ void memset_contents(float *x, int *c) {
  memset(c, 1, 4);
  x[c[0]] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no write_race_free=no
__global__ void cond_unsigned(int n, float *x) {
  long long i = (n > 5 ? -1 : 0u);
  if (i > 0) x[64] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = n
// symcute: assume n <= 1000
// truth: in_bounds=no
__global__ void comma_step(int n, float *x) {
  for (int i = 0, j = n; i < j; ++i, j++) { if (i > n) break; x[i] = 1.0f; }
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
// truth: in_bounds=no
__global__ void device_variable(float *x) {
  x[counter] = 1.0f;
}

// Constant memory may be set by the host.
// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
// truth: in_bounds=no
__global__ void constant_variable(float *x) {
  x[tab[3]] = 1.0f;
}

// The mask names those that come.
// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
__global__ void masked_half(float *x) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncwarp(0xffff);
    x[threadIdx.x] = s[15 - threadIdx.x];
  }
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void first_warp(float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 32) {
    __syncwarp();
    x[threadIdx.x] = s[31 - threadIdx.x];
  }
}

// A wrong mask: the upper half is not in it.
// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// truth: read_write_race_free=no
__global__ void mask_too_small(float *x) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp(1u << (threadIdx.x));
  x[threadIdx.x] = s[31 - threadIdx.x];
}

// What an optimizer would lose, and must not be lost before it is asked about.

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void behind_a_local_array(int *y) {
  int v[4];
  for (int k = 0; k < 4; ++k) v[k] = k;
  v[4] = 1;
  y[threadIdx.x] = v[threadIdx.x & 3];
}

struct Three { int v[3]; };
__device__ void put(Three &t, int k) { t.v[k] = 1; }

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void behind_an_array_in_a_struct(int *y) {
  Three t;
  put(t, 3);
  y[threadIdx.x] = 0;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 16
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void read_and_not_used(const float *x, float *y) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = 0;
}

struct Pair { float a, b; };

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 16
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void copied_and_not_used(const Pair *x, float *y) {
  Pair p = x[threadIdx.x];
  y[threadIdx.x] = 0;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: write_race_free=no
__global__ void written_twice(int *y) {
  y[0] = 1;
  y[0] = 2;
  if (threadIdx.x == 0) y[1] = 3;
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = 1
// truth: in_bounds=no
__global__ void never_set(int *y, int n) {
  int i;
  if (n > 5) i = 0;
  if (threadIdx.x == 0) y[i] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = 32
// truth: no_overflow=no
__global__ void compared_with_the_next(int *y, int n) {
  if (n + 1 > n) y[threadIdx.x] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = N
// symcute: assume N <= 32
__global__ void tested_before(int *y, int n) {
  int i = threadIdx.x;
  if (i < n && y[i] > 0) y[i] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void one_of_two(int *y, int n) {
  int a[2] = {1, 2}, b[4] = {1, 2, 3, 4};
  int *p = n > 3 ? a : b;
  y[threadIdx.x] = p[3];
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = 32
// truth: in_bounds=no aligned=no
__global__ void through_a_null_pointer(int *y, int n) {
  int *p = n > 3 ? y : nullptr;
  p[threadIdx.x] = 1;
}

__constant__ const int few[4] = {0, 1, 2, 3};

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void behind_a_constant(int *y) { y[threadIdx.x] = few[4]; }

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 33
// symcute: extent y = 32
// truth: aligned=no in_bounds=no
__global__ void a_vector_out_of_step(const float *x, float *y) {
  float4 v = *(const float4 *)(x + 1 + threadIdx.x);
  y[threadIdx.x] = v.x;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent y = 64
// truth: barrier_uniform=no
__global__ void waited_for_by_some(float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  if (threadIdx.x < 48) __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent y = 64
// truth: read_write_race_free=no
__global__ void not_waited_for(float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  y[threadIdx.x] = s[63 - threadIdx.x];
}

__device__ int there_and_back(int x) { int y = x + 1; return y - 1; }
__device__ int times(int x, int y) { return (x + 1) * y; }
__device__ char narrow(int x) { char c = x; return c; }

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = N + 32
// truth: no_overflow=no
__global__ void wraps_and_wraps_back(int *y, int n) {
  y[threadIdx.x + there_and_back(n)] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = 32
// truth: no_overflow=no
__global__ void wraps_before_nothing(int *y, int n) {
  y[threadIdx.x + times(n, 0)] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 512
// truth: no_overflow=no
__global__ void too_much_for_a_byte(int *y) {
  y[threadIdx.x + narrow(300)] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: no_overflow=no
__global__ void square_of_what_is_known(int *y) {
  unsigned k = 65536;
  y[threadIdx.x + k * k] = 1;
}

// symcute: launch grid=(1) block=(31)
// symcute: extent y = 1073741825
__global__ void a_bit_without_a_sign(int *y) {
  y[1u << threadIdx.x] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no no_overflow=no
__global__ void divided_by_nothing(int *y) {
  y[threadIdx.x + 32 * (1 / 0)] = 1;
}

struct Flag { bool on; };

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void flag_never_set(int *y, int n) {
  Flag f;
  if (n > 3) f.on = false;
  if (f.on) y[threadIdx.x + 1] = 1;
}

__device__ int loaded(const int *p) {
  int v;
  asm("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
extern __device__ __attribute__((pure)) int looked_up(const int *);
__device__ int nothing(const int *p) { int v = looked_up(p); return 0; }

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void assembly_and_not_used(int *y) {
  loaded(y + 1 + threadIdx.x);
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no
__global__ void elsewhere_and_not_used(int *y) {
  nothing(y + 1 + threadIdx.x);
}

__device__ void twice_as_wide(int x) { long y = *(long *)&x; long z = y; }

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: in_bounds=no aligned=no
__global__ void wider_than_a_variable(int *y) {
  twice_as_wide(3);
  y[threadIdx.x] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
__global__ void bytes_out_of_step(float *y) {
  __shared__ __align__(16) float s[160];
  float4 v;
  __builtin_memcpy(&v, &s[4 * threadIdx.x + 1], 16);
  y[threadIdx.x] = v.x;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// truth: aligned=no
__global__ void a_shared_vector_out_of_step(float *y) {
  __shared__ __align__(16) float s[160];
  float4 v = *(float4 *)&s[4 * threadIdx.x + 1];
  y[threadIdx.x] = v.x;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent x = 256
// symcute: extent y = 1025
__global__ void many_bytes_out_of_step(const char *x, char *y) {
  memcpy(y + 1 + 256 * threadIdx.x, x, 256);
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 1025
__global__ void many_bytes_set(char *y) {
  memset(y + 1 + 256 * threadIdx.x, 0, 256);
}

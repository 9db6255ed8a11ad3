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

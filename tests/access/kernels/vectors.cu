// Vector accesses: aligned and misaligned.

// symcute: launch grid=(ceil_div(Q,256)) block=(256)
// symcute: arg n = 4*Q
// symcute: extent x = 4*Q
// symcute: extent y = 4*Q
// symcute: align x = 16
// symcute: align y = 16
// symcute: assume Q <= 2**26
// symcute: covers y
__global__ void copy4(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4 *>(y)[i] = reinterpret_cast<const float4 *>(x)[i];
}

// The arrays may begin anywhere.
// symcute: launch grid=(ceil_div(Q,256)) block=(256)
// symcute: arg n = 4*Q
// symcute: extent x = 4*Q
// symcute: extent y = 4*Q
// symcute: align x = 4
// symcute: align y = 4
// symcute: assume Q <= 2**26
// truth: aligned=no
__global__ void copy4_any_start(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4 *>(y)[i] = reinterpret_cast<const float4 *>(x)[i];
}

// One element in front is left out.
// symcute: launch grid=(ceil_div(Q,256)) block=(256)
// symcute: arg n = 4*Q
// symcute: extent x = 4*Q + 1
// symcute: extent y = 4*Q
// symcute: align x = 256
// symcute: align y = 256
// symcute: assume Q <= 2**26
// truth: aligned=no
__global__ void copy4_shifted(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *from = x + 1;
  if (i < n / 4) ((float4 *)y)[i] = ((const float4 *)from)[i];
}

// A tail that is no multiple of four, element by element.
// symcute: launch grid=(ceil_div(N,1024)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: align x = 256
// symcute: align y = 256
// symcute: assume N <= 2**30
// symcute: covers y
__global__ void copy4_tail(int n, const float *x, float *y) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    *(float4 *)&y[i] = *(const float4 *)&x[i];
  } else {
    for (int k = i; k < n; ++k) y[k] = x[k];
  }
}

// The tail is copied as a whole vector.
// symcute: launch grid=(ceil_div(N,1024)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: align x = 256
// symcute: align y = 256
// symcute: assume N <= 2**30
// truth: in_bounds=no
__global__ void copy4_no_tail(int n, const float *x, float *y) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) *(float4 *)&y[i] = *(const float4 *)&x[i];
}

// symcute: launch grid=(ceil_div(Q,64),M) block=(64)
// symcute: arg n = 4*Q
// symcute: arg ld = LD
// symcute: extent a = M*LD
// symcute: extent b = M*LD
// symcute: align a = 16
// symcute: align b = 16
// symcute: assume LD >= 4*Q
// symcute: assume LD % 4 == 0
// symcute: assume M*LD <= 2**30
// symcute: assume M <= 65535
// symcute: assume LD <= 2**24
__global__ void rows4(int n, int ld, const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (4 * i < n) {
    float4 v = *(const float4 *)(a + row * ld + 4 * i);
    v.x += 1.0f;
    *(float4 *)(b + row * ld + 4 * i) = v;
  }
}

// A pitch that is no multiple of four moves the second row.
// symcute: launch grid=(ceil_div(Q,64),M) block=(64)
// symcute: arg n = 4*Q
// symcute: arg ld = LD
// symcute: extent a = M*LD
// symcute: extent b = M*LD
// symcute: align a = 16
// symcute: align b = 16
// symcute: assume LD >= 4*Q
// symcute: assume M*LD <= 2**30
// symcute: assume M <= 65535
// symcute: assume LD <= 2**24
// truth: aligned=no
// run: M=2 Q=1 LD=5
__global__ void rows4_any_pitch(int n, int ld, const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (4 * i < n) {
    float4 v = *(const float4 *)(a + row * ld + 4 * i);
    v.x += 1.0f;
    *(float4 *)(b + row * ld + 4 * i) = v;
  }
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent edges = N
// symcute: extent values = V
// symcute: extent out = N
// symcute: align edges = 16
// symcute: contents edges in [0, V)
// symcute: assume N <= 2**30
// symcute: assume V <= 2**30
__global__ void edge_differences(int n, const int2 *edges, const float *values, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int2 e = edges[i];
  out[i] = values[e.y] - values[e.x];
}

// Three floats are read one by one: no alignment beyond theirs is needed.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent p = N
// symcute: extent r = N
__global__ void norms(int n, const float3 *p, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float3 v = p[i];
    r[i] = v.x * v.x + v.y * v.y + v.z * v.z;
  }
}

// Vectors in shared memory, one float out of step.
// symcute: launch grid=(G) block=(64)
// symcute: extent out = 64*G
// symcute: assume G <= 2**20
// truth: aligned=no
__global__ void shared_vectors_shifted(float *out) {
  __shared__ __align__(16) float s[4 * 64 + 1];
  for (int k = threadIdx.x; k < 4 * 64 + 1; k += 64) s[k] = 0.0f;
  __syncthreads();
  float4 v = *(float4 *)&s[4 * threadIdx.x + 1];
  out[blockIdx.x * 64 + threadIdx.x] = v.x + v.w;
}

// symcute: launch grid=(G) block=(64)
// symcute: extent out = 64*G
// symcute: assume G <= 2**20
// symcute: covers out
__global__ void shared_vectors(float *out) {
  __shared__ __align__(16) float s[4 * 64];
  for (int k = threadIdx.x; k < 4 * 64; k += 64) s[k] = 0.0f;
  __syncthreads();
  float4 v = *(float4 *)&s[4 * threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = v.x + v.w;
}

// Narrow floats, whose operators are functions of a header: what they read and write is in memory.

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent x = N
// symcute: extent out = N
// symcute: covers out
__global__ void narrow_widened(float *out, const __half *x, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float v = x[i];
    out[i] = v;
  }
}

// The element behind the last one is converted.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent x = N
// symcute: extent out = N
// truth: in_bounds=no
__global__ void narrow_widened_one_further(float *out, const __half *x, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float v = x[i + 1];
    out[i] = v;
  }
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent x = N
// symcute: extent out = N
__global__ void narrow_added_to(__half *out, const __half *x, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    out[i] += x[i];
  }
}

// Two threads add to each element.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent x = N
// symcute: extent out = N
// truth: write_race_free=no read_write_race_free=no
__global__ void narrow_added_to_by_two(__half *out, const __half *x, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    out[i / 2] += x[i];
  }
}

// symcute: launch grid=(G) block=(64)
// symcute: extent x = 64*G
// symcute: extent out = 64*G
// symcute: assume G <= 2**20
// symcute: covers out
__global__ void narrow_from_neighbours(float *out, const float *x) {
  __shared__ __half s[64];
  int t = threadIdx.x;
  __half h = __float2half(x[blockIdx.x * 64 + t]);
  s[t] = h;
  __syncthreads();
  float v = s[t ^ 1];
  out[blockIdx.x * 64 + t] = v;
}

// Nothing is waited for before the neighbour is read.
// symcute: launch grid=(G) block=(64)
// symcute: extent x = 64*G
// symcute: extent out = 64*G
// symcute: assume G <= 2**20
// truth: read_write_race_free=no
__global__ void narrow_from_neighbours_at_once(float *out, const float *x) {
  __shared__ __half s[64];
  int t = threadIdx.x;
  __half h = __float2half(x[blockIdx.x * 64 + t]);
  s[t] = h;
  float v = s[t ^ 1];
  out[blockIdx.x * 64 + t] = v;
}

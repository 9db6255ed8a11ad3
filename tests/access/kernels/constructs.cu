// What newer C++ writes: ranges, names for parts, values of statements, classes on top of others.

struct Span {
  int first, count;
};

__device__ Span span_of(int block, int n) {
  int first = block * 256;
  return {first, n - first < 256 ? n - first : 256};
}

struct Offset {
  int by;
  __device__ Offset(int b) : by(b) {}
};
struct Shifted : Offset {
  using Offset::Offset;
  __device__ int at(int i) const { return i + by; }
};
template <class Base> struct Doubled : Base {
  __device__ Doubled(int b) : Base(2 * b) {}
};

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: covers x
__global__ void bound_names(int n, float *x) {
  auto [first, count] = span_of(blockIdx.x, n);
  if (threadIdx.x < count) x[first + threadIdx.x] = 1.0f;
}

// One element more than there are.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// truth: in_bounds=no
// run: N=1
__global__ void bound_names_too_many(int n, float *x) {
  auto [first, count] = span_of(blockIdx.x, n);
  if (threadIdx.x <= count) x[first + threadIdx.x] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N + 4
// symcute: assume N <= 2**30
// symcute: extent y = N
__global__ void stencil_over_a_list(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int at : {0, 2, 4}) sum += x[i + at];
  y[i] = sum;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N + 4
// symcute: assume N <= 2**30
// symcute: extent y = N
// truth: in_bounds=no
// run: N=1
__global__ void stencil_over_a_list_too_far(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int at : {0, 2, 5}) sum += x[i + at];
  y[i] = sum;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N + 3
// symcute: assume N <= 2**30
__global__ void value_of_statements(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = ({
    int shift = 3;
    i + shift;
  });
  if (i < n) x[at] = 1.0f;
}

// Both the fourth and what stands at its place write there.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N + 3
// symcute: assume N <= 2**30
// truth: write_race_free=no
// run: N=8
__global__ void inherited_constructor(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Shifted s(i & 3);
  if (i < n) x[s.at(i)] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N + 6
// symcute: assume N <= 2**30
__global__ void base_of_a_template(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Doubled<Shifted> s(3);
  if (i < n) x[s.at(i)] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N + 5
// symcute: assume N <= 2**30
// truth: in_bounds=no
// run: N=1
__global__ void base_of_a_template_too_far(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Doubled<Shifted> s(3);
  if (i < n) x[s.at(i)] = 1.0f;
}

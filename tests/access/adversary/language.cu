// What C++ makes of an expression.

enum Mode { A = 3, B, C = 10, D };
template <int K> __device__ int scaled(int i) { return i * K; }
template <typename T> __device__ T saturated(int v) { return (T)v; }
struct Box { int lo, hi; __device__ Box shifted(int d) const { Box b = *this; b.lo += d; return b; } __device__ void grow() { ++hi; } };
#define SQUARE(a) a * a

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
__global__ void post_in_index(float *x) {
  int i = 0;
  while (i < 4) x[i++] = i;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
// truth: in_bounds=no
__global__ void pre_in_index(float *x) {
  int i = 0;
  while (i < 4) x[++i] = i;
}

// The right side comes first: x[4].
// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
// truth: in_bounds=no
__global__ void order_of_assignment(int *x) {
  int i = 3;
  x[i] = i++;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
__global__ void compound_once(int *x) {
  int i = 0;
  x[i++] += 1; x[i++] += 1; x[i++] += 1; x[i++] += 1;
}

// SQUARE(n + 1) is n + 1 * n + 1.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = 2*N + 2
__global__ void macro_square(int n, float *x) {
  x[SQUARE(n + 1)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = 2*N + 1
// truth: in_bounds=no
__global__ void macro_square_bad(int n, float *x) {
  x[SQUARE(n + 1)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 12
__global__ void enumerators(float *x) { x[D] = 1.0f; x[B] = 2.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 11
// truth: in_bounds=no
__global__ void enumerators_bad(float *x) { x[D] = 1.0f;
}

// symcute: launch grid=(1) block=(8)
// symcute: extent x = 21
// truth: in_bounds=no
__global__ void instances(float *x) { x[threadIdx.x < 4 ? scaled<2>(threadIdx.x) : scaled<3>(threadIdx.x)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 300
// symcute: extent x = 256
__global__ void instance_types(int n, float *x) { x[saturated<unsigned char>(n)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 200
// symcute: extent x = 256
// truth: in_bounds=no
__global__ void instance_types_signed(int n, float *x) { x[saturated<signed char>(n)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no
__global__ void methods(int n, float *x) {
  Box b = {0, n - 1};
  Box c = b.shifted(1);
  b.grow();
  for (int i = b.lo; i <= b.hi; ++i) x[i] = c.lo;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
__global__ void methods_ok(int n, float *x) {
  Box b = {-1, n - 1};
  Box c = b.shifted(1);
  for (int i = c.lo; i <= c.hi; ++i) x[i] = c.lo;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 40000
// symcute: extent x = N
__global__ void odd_subscripts(int n, float *x) {
  (x + n)[-1] = 1.0f; (n - 1)[x] = 2.0f; *(&x[n] - 1) = 3.0f; ((float *)((char *)x + 4 * (n - 1)))[0] = 4.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 40000
// symcute: extent x = N
// truth: in_bounds=no
__global__ void odd_subscripts_bad(int n, float *x) {
  float *p = x + n; p -= n; --p; p[n] = 1.0f; *p = 2.0f;
}

// A switch in a loop: break leaves the switch, continue goes on in the loop.
// symcute: launch grid=(1) block=(1)
// symcute: extent x = 3
// truth: in_bounds=no
__global__ void switch_in_loop(float *x) {
  int k = 0;
  for (int i = 0; i < 6; ++i) {
    switch (i % 3) { case 0: continue; case 1: break; default: k -= 1; }
    k += 2;
  }
  x[k - 3] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
__global__ void switch_in_loop_ok(float *x) {
  int k = 0;
  for (int i = 0; i < 6; ++i) {
    switch (i % 3) { case 0: continue; case 1: break; default: k -= 1; }
    k += 2;
  }
  x[k - 3] = 1.0f;
}

// continue in do-while goes to the test.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
__global__ void do_continue(int n, float *x) {
  int i = 0;
  do { if (i == 2) continue; x[i] = 1.0f; } while (++i < n);
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no
__global__ void do_post(int n, float *x) {
  int i = 0;
  do { x[i] = 1.0f; } while (i++ < n);
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no
__global__ void shadow(int n, float *x) {
  int i = n;
  for (int i = 0; i < n; ++i) x[i] = 1.0f;
  { int i = 0; x[i] = 2.0f; }
  x[i] = 3.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no
__global__ void step_zero(int n, float *x) {
  int s = n / 50;
  for (int i = 0, c = 0; i < n && c < 60; i += s, ++c) x[i + c] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no
__global__ void unsigned_minus(unsigned n, float *x) {
  for (unsigned i = 0; i < n - 1; ++i) x[i + 1] = 1.0f;
  for (int i = 0; i <= (int)n - 1; ++i) x[i * 2 - i] = 1.0f;
  x[(n + 1) / 2] = 1.0f;
}

// n - 2 is large where n is 1.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no no_overflow=no
__global__ void unsigned_minus_two(unsigned n, float *x) {
  for (unsigned i = 0; i < n - 2; ++i) { x[i] = 1.0f; if (i > 3) break; }
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = N
// truth: in_bounds=no
__global__ void ternary_lvalue(int n, float *x) {
  int a = 0, b = 0;
  (n > 3 ? a : b) = n;
  x[b] = 1.0f; x[a] = 2.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = 6
// truth: in_bounds=no
__global__ void local_array(int n, float *x) {
  int a[4] = {1, 2};
  a[n & 3] += 4;
  x[a[1]] = 1.0f; x[a[3]] = 2.0f;
  x[a[0] + a[2]] = 3.0f;
  x[a[1] + a[0] - 1] = 4.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 100
// symcute: extent x = 6
// truth: in_bounds=no
__global__ void local_array_escape(int n, float *x) {
  int a[4] = {0, 0, 0, 0};
  int *p = a + 1; int **pp = &p;
  (*pp)[n & 1] = 6;
  x[a[2]] = 1.0f;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent x = 4
// truth: in_bounds=no
__global__ void negative_remainder(float *x) {
  int t = threadIdx.x;
  x[(t - 2) % 4 + 2 * ((t - 2) / 2 == 0)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: assume N <= 40000
// symcute: extent x = 1
// truth: no_overflow=no in_bounds=no
__global__ void short_loop(int n, float *x) {
  int c = 0;
  for (short i = 0; i < n; ++i) { if (i < 0) { x[i] = 1.0f; break; } }
}

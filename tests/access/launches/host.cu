// Host code that launches, each function with what may deceive who reads it. Arguments are a and b.
#include "unseen.h"
__global__ void k(float *x, int n) {}
__global__ void two(float *x, float *y, int n, int m) {}
__global__ void wide(double *x, long n) {}
__global__ void any(float *x, unsigned n) {}
__global__ void over(float *x, int n) {}
__global__ void over(double *x, int n, int m) {}
template <int B, class T> __global__ void made(T *x, int n) {}
struct Sizes { int n, m; float *data; };
__global__ void with_struct(Sizes s, int n) {}
#define SET(x, v) x = v
#define CHECKED(e) do { cudaError_t symcute_e = (e); if (symcute_e != cudaSuccess) exit(1); } while (0)
static int ceil_div(int n, int b) { return (n + b - 1) / b; }
static void halve(int &n) { n = n / 2; }
static void halve(int *n) { *n = *n / 2; }
int global_n = 100;
static void set_global(int n) { global_n = n; }

void plain(int a, int b) {
  float *x;
  CHECKED(cudaMalloc(&x, a * sizeof(float)));
  k<<<(a + 255) / 256, 256>>>(x, a);
}
void reassigned(int a, int b) {
  float *x, *y;
  cudaMalloc(&x, 4 * sizeof(float));
  cudaMalloc(&y, 8 * sizeof(float));
  x = y;
  k<<<1, 32>>>(x, a);
  std::swap(x, y);
  k<<<1, 32>>>(y + 2, a);
}
void freed(int a, int b) {
  float *x;
  cudaMalloc(&x, 100 * sizeof(float));
  cudaFree(x);
  k<<<1, 32>>>(x, a);
  cudaMalloc(&x, 10 * sizeof(float));
  k<<<1, 32>>>(x, a);
}
void in_a_loop(int a, int b) {
  float *x;
  cudaMalloc(&x, 100 * sizeof(float));
  int n = a;
  for (int i = 0; i < 3; i++) {
    k<<<ceil_div(n, 32), 32>>>(x, n);
    n = n / 2;
    if (n > 40) continue;
    if (n < 9) break;
    cudaMalloc(&x, (i + 1) * sizeof(float));
  }
  k<<<1, n>>>(x, n);
}
void kept_in_a_loop(int a, int b) {
  float *x = 0, *y = 0;
  for (int i = 1; i < 4; i++) {
    y = x;
    cudaMalloc(&x, i * sizeof(float));
    if (i > 1) two<<<1, 32>>>(x, y, a, i);
  }
}
void hidden(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  SET(a, b);
  k<<<1, 32>>>(x, a);
  UNSEEN_ADD(a);
  k<<<1, 32>>>(x, a);
}
void backwards(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
again:
  k<<<1, 32>>>(x, a);
  a = a / 2;
  if (a > 10) goto again;
}
void forwards(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  if (a > 10) goto done;
  a = 3;
done:
  k<<<1, 32>>>(x, a);
}
void handed(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  halve(a);
  k<<<1, 32>>>(x, a);
  halve(&a);
  k<<<1, 32>>>(x, a);
  unseen_set(a);
  k<<<1, 32>>>(x, a);
  int c = unseen_half(a);
  k<<<1, 32>>>(x, c);
}
void retained(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  unseen_keep(a);
  k<<<1, 32>>>(x, a);
  a = 5;
  unseen_change();
  k<<<1, 32>>>(x, a);
}
void captured(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  auto f = [&] { a = b + 1; };
  k<<<1, 32>>>(x, a);
  unseen_later(f);
  k<<<1, 32>>>(x, a);
  unseen_call();
  k<<<1, 32>>>(x, a);
}
void same_name(int a, int b) {
  float *x;
  cudaMalloc(&x, 16);
  k<<<2, 2>>>(x, b);
}
void shadowed(int a, int b) {
  float *x;
  cudaMalloc(&x, a * 4);
  {
    int a = 7;
    k<<<1, 32>>>(x, a);
    a = b;
  }
  k<<<1, 32>>>(x, a);
}
void overloaded(int a, int b) {
  float *x;
  double *y;
  cudaMalloc(&x, 16);
  cudaMalloc(&y, 32);
  over<<<1, 3>>>(x, a);
  over<<<2, 5>>>(y, a, b);
}
void by_lambda(int a, int b) {
  float *x;
  cudaMalloc(&x, a * sizeof(float));
  auto grid = [=](int n) { return (n + 63) / 64; };
  int c = a;
  a = b;
  k<<<grid(c), 64>>>(x, c);
  auto go = [&](int n) { a = n; k<<<grid(n), 64>>>(x, a); };
  go(b);
  k<<<1, 32>>>(x, a);
}
void wraps(int a, int b) {
  unsigned n = a;
  float *x;
  cudaMalloc(&x, 64);
  any<<<(n + 255) / 256, 256>>>(x, n);
  any<<<(n - 1) / 256 + 1, 256>>>(x, n - 1);
  unsigned short s = a * 3;
  any<<<s, 32>>>(x, s);
}
void offset(int a, int b) {
  float *x;
  cudaMalloc(&x, (a + b) * sizeof(float));
  k<<<1, 32>>>(x + a, b);
  k<<<1, 32>>>(&x[3], b);
  k<<<1, 32>>>(x + a - 1, b);
}
void members(int a, int b) {
  Sizes s{a, b, nullptr};
  cudaMalloc(&s.data, s.n * sizeof(float));
  k<<<s.m, 32>>>(s.data, s.n);
  s.n += 1;
  with_struct<<<1, 32>>>(s, s.n);
  Sizes *p = &s;
  p->m = 4;
  k<<<s.m, 32>>>(s.data, p->n);
}
void negative(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int g = a / 4, r = a % 4;
  k<<<g, 32>>>(x, r);
  k<<<1, 32>>>(x, g);
  if (b != 0) k<<<a / b, 32>>>(x, a % b);
}
void dimensions(int a, int b) {
  dim3 g(a, 2), t = 32;
  g.y = b;
  g.z = g.x > 3 ? 2 : 1;
  t.x /= 2;
  float *x;
  cudaMalloc(&x, 64);
  k<<<g, t, a * sizeof(float)>>>(x, a);
}
void do_while(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  do {
    k<<<a, 32>>>(x, b);
    a = a - 3;
  } while (a > 4);
  k<<<1, 32>>>(x, a);
}
void choice(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int t = 0;
  switch (b) {
    case 1: t = 32; break;
    case 2: t = 64;
    case 3: t += 1; break;
    default: return;
  }
  k<<<a, t>>>(x, a > 5 ? a : b);
}
void early(int a, int b) {
  float *x;
  if (a < 4 || b == 2) return;
  if (a % 2) throw 1;
  cudaMalloc(&x, (a - 3) * sizeof(float));
  if (a > b) k<<<a - b, 32>>>(x, a);
  else if (a == b) k<<<a, 32>>>(x, b);
  else return;
  k<<<1, 32>>>(x, a);
}
void twice(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  two<<<1, 32>>>(x, x, a, b);
  two<<<1, 32>>>(x, x + 1, a, b);
}
void aliased(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int *p = &a, &r = b;
  *p = 3;
  r = 4;
  two<<<1, 32>>>(x, nullptr, a, b);
}
void remembered(int a, int b) {
  static int n = 5;
  float *x;
  cudaMalloc(&x, 64);
  n += a;
  k<<<1, 32>>>(x, n);
  set_global(a);
  k<<<1, 32>>>(x, global_n);
}
void caught(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int n = 1;
  try {
    n = 2;
    if (a > 3) throw 3;
    n = 3;
  } catch (int) { n += 10; }
  k<<<1, 32>>>(x, n);
}
void bits(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  k<<<(a + 31) >> 5, 32>>>(x, (a + 31) & ~31);
  k<<<1 << (b & 3), 32>>>(x, a & 7);
  k<<<1, 32>>>(x, a | 1);
  k<<<1, 32>>>(x, a ^ b);
}
void least(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  k<<<std::min(a, 20), std::max(b, 1)>>>(x, std::min(a, b));
}
void long_sizes(int a, int b) {
  size_t n = a;
  long m = (long)a * b;
  double *x;
  cudaMalloc(&x, n * b * sizeof(double));
  wide<<<(n + 127) / 128, 128>>>(x, n);
  wide<<<(m + 127) / 128, 128>>>(x, m);
}
template <int B, class T> void launcher(T *x, int n) {
  constexpr int per = B * 2;
  made<B, T><<<(n + per - 1) / per, B>>>(x, n);
}
void instances(int a, int b) {
  float *x;
  double *y;
  cudaMalloc(&x, a * sizeof(float));
  cudaMalloc(&y, b * sizeof(double));
  launcher<64>(x, a);
  launcher<128>(y, b);
}
void narrow(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  signed char c = a;
  unsigned char d = b;
  k<<<d, 32>>>(x, c);
  bool t = a;
  k<<<t + 1, 32>>>(x, !t);
}
int many(int a, float *x) {
  if (a <= 0) return 1;
  k<<<a, 32>>>(x, a);
  return many(a - 2, x);
}
void recursive(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int n = many(b, x);
  k<<<1, 32>>>(x, n);
}
void comma(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int c = (a++, b += a, b);
  k<<<1, 32>>>(x, c + a);
  k<<<1, 32>>>(x, a-- + b);
  k<<<1, 32>>>(x, a);
}
void odd_type(int a, int b) {
  unseen_long n = (unseen_long)a << 33;
  double *x;
  cudaMalloc(&x, 64);
  wide<<<1, 32>>>(x, n);
  wide<<<1, 32>>>(x, n * 2);
}
void ways(int a, int b) {
  float *x;
  int t = 128;
  if (a > 1000) t = 512;
  else if (a > 100) t = 256;
  cudaMalloc(&x, ceil_div(a, t) * t * sizeof(float));
  k<<<ceil_div(a, t), t>>>(x, a);
}
void nested(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  for (int s = a; s > 1; s = (s + 1) / 2)
    for (int j = 0; j < s && j < 2; j++) k<<<s, j + 1>>>(x, s - j);
  int left = 3;
  while (left-- > 0) {
    if (unseen_half(left) > 0) continue;
    k<<<1, 32>>>(x, left);
  }
  k<<<1, 32>>>(x, left);
}
int pick(int a, int b) {
  if (unseen_half(a) > b) return 7;
  try { if (a > 2) return 8; } catch (...) { return 9; }
  return b;
}
void picked(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int n = pick(a, b);
  k<<<1, 32>>>(x, n);
}
#ifdef __CUDA_ARCH__
#define WIDTH 64
#else
#define WIDTH 128
#endif
void for_the_host(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  k<<<a, WIDTH>>>(x, b);
}
static __host__ __device__ int width() {
#ifdef __CUDA_ARCH__
  return 3;
#else
  return 4;
#endif
}
void by_the_host(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  k<<<a, width()>>>(x, b);
}
void by_name(int a, int b) {
  float *x;
  cudaMalloc(&x, a * sizeof(float));
  void *given[] = {&x, &a};
  cudaLaunchKernel(k, dim3(ceil_div(a, 64)), dim3(64), given, a * sizeof(float), 0);
  a = b;
  CHECKED(cudaLaunchKernel(k, 1, 32, given));
}
static void named(float *x, int n) {
  void *given[] = {(void *)&x, (void *)&n};
  n = n / 2;
  x = x + 1;
  cudaLaunchKernel(k, 1, 32, given);
}
void by_name_in_a_loop(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  int i;
  void *given[] = {&x, &i};
  for (i = a; i < a + 3; i++) cudaLaunchKernel(k, i - a + 1, 32, given);
  named(x, b);
}
void by_name_of_another_width(int a, int b) {
  double *x;
  cudaMalloc(&x, 64);
  long n = a;
  unsigned m = b;
  void *given[] = {&x, &n}, *others[] = {&x, &m, &a, &n};
  cudaLaunchKernel(wide, 1, 32, given);
  cudaLaunchKernel(any, 2, 32, given);
  cudaLaunchKernel(any, 3, 32, others);
}
void by_a_list_that_changes(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  void *given[] = {&x, &a}, *others[] = {&x, &a};
  if (b > 2) given[1] = &b;
  cudaLaunchKernel(k, 1, 32, given);
  auto later = [=]() mutable { a = 5; cudaLaunchKernel(k, 2, 32, others); };
  later();
}
static int div_up(int n, int b) { return n % b != 0 ? n / b + 1 : n / b; }
__global__ void up(float *x, int n) {}
void rounded_up_by_a_choice(int a, int b) {
  float *x;
  cudaMalloc(&x, 4096);
  up<<<div_up(a, 128), 128>>>(x, a);
  up<<<dim3(div_up(a, 8), div_up(b, 4)), 128>>>(x, a);
  up<<<a / 128 + (a % 128 > 0), 128>>>(x, b);
  up<<<(unsigned)a / 32 + !!(a & 31), 32>>>(x, a);
}
__global__ void towards(float *x, int n) {}
void rounded_towards_zero(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  towards<<<a / 128 + 1, 128>>>(x, a / 2);
  towards<<<5 + a / 4 % 3, 128>>>(x, a % 5);
  towards<<<a / 2 - b / 2, 128>>>(x, 7);
  any<<<(unsigned)(a > b ? a - 3 : 4), 32>>>(x, (unsigned)(a < 5 ? a : b));
}
__global__ void of_size(float *x, int n) {}
void divided_and_allocated(int a, int b) {
  float *x;
  cudaMalloc(&x, a * sizeof(float));
  of_size<<<a / 128 + 1, 128>>>(x, a);
  of_size<<<div_up(a, 64), 64>>>(x, a);
}
void divided_by_what_is_larger(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  if (a < 0 && a + b >= 1) of_size<<<a / b + 1, 32>>>(x, 7);
  if (a < 0 && a + b >= 1) of_size<<<div_up(a, b) + 1, 32>>>(x, 8);
  if (b < 0 && a + b >= 1) of_size<<<a + b, 32>>>(x, b % a);
  if (b < a && a + b >= 1) of_size<<<1, 32>>>(x, -b / a);
}
void divided_in_a_choice(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  unsigned few = b > 2 ? (unsigned)a / (unsigned)(b - 3) : 1;
  of_size<<<few, 32>>>(x, a);
  of_size<<<b != 0 ? 7 % b + 1 : a, 32>>>(x, 7);
}
void shifted_past_the_sign(int a, int b) {
  float *x;
  cudaMalloc(&x, 64);
  of_size<<<1, 32>>>(x, a << 15);
  of_size<<<1, 32>>>(x, (a << 20) >> 20);
  if ((b << 22) > 0) of_size<<<1, 32>>>(x, b << 30);
}

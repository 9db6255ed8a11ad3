// Host code of PyTorch extensions, each function with what may deceive who reads it.
#include <torch/extension.h>
template <class T> __global__ void unary(const T *x, T *y, int n) {}
__global__ void rows(const float *x, float *y, int M, int N) {}
__global__ void steps(const float *x, float *y, long M, long N, long s, long t) {}
__global__ void one(float *x, long n) {}
__global__ void pair(float *x, float *y, long n) {}

torch::Tensor typed(torch::Tensor x, torch::Tensor) {
  TORCH_CHECK(x.is_contiguous(), "x must be contiguous");
  auto y = torch::empty_like(x);
  const int n = x.numel();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "typed", ([&] {
    unary<scalar_t><<<(n + 255) / 256, 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
  }));
  return y;
}
torch::Tensor by_reference(const torch::Tensor &x, const torch::Tensor &other) {
  int M = x.size(0), N = x.size(1);
  auto y = torch::empty({M, N}, x.options());
  rows<<<M, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), M, N);
  return y;
}
void from_the_end(torch::Tensor x, at::Tensor y) {
  TORCH_CHECK(x.dim() == y.dim() && x.size(-1) == y.size(-1));
  int N = x.size(-1), M = x.numel() / N;
  rows<<<M, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), M, N);
}
void made_contiguous(torch::Tensor x, torch::Tensor y) {
  auto c = x.contiguous();
  pair<<<1, 32>>>(c.data_ptr<float>(), y.data_ptr<float>(), c.numel());
}
void the_same_made_contiguous(torch::Tensor x, torch::Tensor) {
  auto c = x.contiguous();
  pair<<<1, 32>>>(c.data_ptr<float>(), x.data_ptr<float>(), c.numel());
}
void with_strides(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2, "a matrix");
  auto z = torch::zeros({x.size(0), x.size(1)}, x.options().dtype(torch::kFloat32));
  steps<<<x.size(0), 32>>>(
      x.data_ptr<float>(), z.data_ptr<float>(), x.size(0), x.size(1), x.stride(0), x.stride(1));
}
void untyped(torch::Tensor x, torch::Tensor y) {
  if (x.numel() == 0) return;
  one<<<1, 32>>>(reinterpret_cast<float *>(x.data_ptr()), x.numel());
}
void checked_type(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dtype() == torch::kHalf || x.dtype() == torch::kFloat);
  one<<<1, 32>>>((float *)x.data_ptr(), x.numel());
}
void either_rank(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2 || x.dim() == 3);
  TORCH_CHECK(x.is_contiguous());
  one<<<x.size(0), 32>>>(x.data_ptr<float>(), x.size(0) * x.size(1));
}
void sizes_by_index(torch::Tensor x, torch::Tensor y) {
  auto s = x.sizes();
  TORCH_CHECK(s.size() == 3 && s[1] == x.size(-2));
  one<<<s[0], s[2] + 1>>>(x.data_ptr<float>(), s[0] * s[1]);
}
void replaced(torch::Tensor x, torch::Tensor y) {
  if (!x.is_contiguous()) x = y;
  one<<<1, 32>>>(x.data_ptr<float>(), x.numel());
}
void behind(torch::Tensor x, torch::Tensor y) {
  float *p = x.data_ptr<float>() + x.size(0);
  one<<<1, 32>>>(p, x.numel() - x.size(0));
}
void swapped(torch::Tensor x, torch::Tensor y) {
  std::swap(x, y);
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
void in_a_loop(torch::Tensor x, torch::Tensor y) {
  int64_t n = 1;
  for (int i = 0; i < x.dim(); i++) n *= x.size(i);
  one<<<1, 32>>>(x.data_ptr<float>(), n);
}
static torch::Tensor half_of(const torch::Tensor &x) { return torch::empty({x.size(0) / 2}); }
void made_elsewhere(torch::Tensor x, torch::Tensor y) {
  auto h = half_of(x);
  pair<<<1, 32>>>(x.data_ptr<float>(), h.data_ptr<float>(), h.numel());
}
void made_like(torch::Tensor x, torch::Tensor y) {
  auto z = torch::empty_like(x);
  one<<<1, z.is_contiguous() ? 32 : 64>>>(z.data_ptr<float>(), z.numel());
}
void strides_of_a_copy(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2 && x.size(0) >= 1 && x.size(1) >= 1);
  auto c = x.contiguous();
  one<<<1, 32>>>(c.data_ptr<float>(), c.stride(0) * c.size(0));
}
void strides_of_nothing(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous());
  one<<<1, 32>>>(x.data_ptr<float>(), x.stride(0));
}
void from_both_ends(torch::Tensor x, torch::Tensor y) {
  int64_t n = x.dim() == 3 ? x.numel() : x.size(0) * x.size(-1) * x.size(-2) + 5;
  one<<<1, 32>>>(x.data_ptr<float>(), n);
}
void neither(torch::Tensor x, torch::Tensor y) {
  int64_t n = x.numel() + !(x.is_contiguous() && y.is_contiguous());
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
}
void of_one_shape(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.sizes() == y.sizes());
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
void of_another_shape(torch::Tensor x, torch::Tensor y) {
  if (x.sizes() != y.sizes()) {
    pair<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel() + y.numel());
    return;
  }
  rows<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), y.size(1));
}
void strides_of_one_shape(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2 && y.sizes() == x.sizes());
  steps<<<x.size(0), 32>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1), y.stride(0), x.stride(1));
}
void shape_of_what_is_made(torch::Tensor x, torch::Tensor y) {
  auto z = torch::empty({y.size(0), y.numel() / y.size(0)});
  TORCH_CHECK(y.sizes() == z.sizes());
  pair<<<1, 32>>>(z.data_ptr<float>(), y.data_ptr<float>(), y.size(-1) * z.size(0));
}
void either_shape(torch::Tensor x, torch::Tensor y) {
  int64_t n = x.sizes() == y.sizes() ? y.numel() : 1;
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
}
void viewed(torch::Tensor x, torch::Tensor y) {
  auto v = x.view({-1, x.size(0)});
  rows<<<v.size(0), 32>>>(v.data_ptr<float>(), y.data_ptr<float>(), v.size(0), v.size(1));
}
void viewed_whole(torch::Tensor x, torch::Tensor y) {
  auto v = x.view({1, x.size(0), -1, 1});
  one<<<1, 32>>>(v.data_ptr<float>(), v.size(2) * v.size(1) + v.size(-1));
}
void viewed_as_another(torch::Tensor x, torch::Tensor y) {
  auto v = x.view_as(y);
  pair<<<1, 32>>>(v.data_ptr<float>(), y.data_ptr<float>(), v.numel());
}
void strides_of_a_view(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2);
  auto v = x.view({x.size(0), x.size(1)});
  one<<<1, 32>>>(v.data_ptr<float>(), (v.size(0) - 1) * x.stride(0) + 1);
}
void reshaped(torch::Tensor x, torch::Tensor y) {
  auto v = x.reshape({x.size(-1), -1});
  one<<<1, 32>>>(v.data_ptr<float>(), v.size(0) * v.size(1));
}
void strides_of_what_is_reshaped(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2);
  auto v = x.reshape({x.size(1), x.size(0)});
  one<<<1, 32>>>(v.data_ptr<float>(), x.size(1) * x.stride(0));
}
void flattened(torch::Tensor x, torch::Tensor y) {
  auto v = x.flatten(), w = y.contiguous().view({y.numel()});
  pair<<<1, 32>>>(v.data_ptr<float>(), w.data_ptr<float>(), v.size(0) + w.size(0));
}
void multiplied_sizes(torch::Tensor x, torch::Tensor y) {
  const int d = x.dim();
  int n = 1;
  for (int i = 0; i < d; ++i) { n *= x.size(i); }
  one<<<(n + 31) / 32, 32>>>(x.data_ptr<float>(), n);
  long m = d;
  for (int i = 0; i != y.dim(); i++) m *= y.size(i);
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), m);
}
void multiplied_sizes_of_others(torch::Tensor x, torch::Tensor y) {
  const int d = x.dim() - 1, e = y.dim();
  int n = 1, m = 1;
  for (int i = 0; i < d; ++i) n *= x.size(i);
  one<<<1, 32>>>(x.data_ptr<float>(), n);
  for (int i = 0; i < e && i < d; ++i) m *= y.size(i);
  one<<<2, 32>>>(x.data_ptr<float>(), m);
  if (x.dim() >= e)
    for (int i = 0; i < e; ++i) m *= x.size(i);
  one<<<3, 32>>>(x.data_ptr<float>(), m);
}
void a_bound_that_changes(torch::Tensor x, torch::Tensor y) {
  int d = x.dim();
  int &n = d;
  for (int i = 0; i < d && d < 5; ++i) n *= x.size(i) > 1 ? 1 : x.size(i);
  one<<<1, 32>>>(x.data_ptr<float>(), n);
  short s = 3;
  for (int i = 0; i < x.dim(); ++i) s *= x.size(i);
  one<<<2, 32>>>(x.data_ptr<float>(), s);
}
void compared_in_a_loop(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == y.dim());
  for (int i = 0; i < x.dim(); ++i) {
    if (y.size(i) != x.size(i)) { throw 1; }
  }
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), y.numel());
}
void compared_in_part(torch::Tensor x, torch::Tensor y) {
  const int d = x.dim() - 1;
  for (int i = 0; i < d; ++i) if (y.size(i) != x.size(i)) throw 1;
  pair<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), y.numel());
  for (int i = 0; i < x.dim(); ++i) if (y.size(i) != x.size(i)) throw 1;
  pair<<<2, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), y.numel());
}

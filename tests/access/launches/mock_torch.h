// PyTorch's tensors on the CPU, as far as torch.cu asks them: shapes, strides and memory, no elements.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include "mock.h"
namespace at {
enum class ScalarType { Half, Float, Double };
inline int width(ScalarType t) { return t == ScalarType::Half ? 2 : t == ScalarType::Float ? 4 : 8; }
template <class T> struct named;
template <> struct named<float> { static constexpr ScalarType type = ScalarType::Float; };
template <> struct named<double> { static constexpr ScalarType type = ScalarType::Double; };
typedef std::vector<int64_t> Sizes;
struct TensorOptions {
  ScalarType type = ScalarType::Float;
  TensorOptions dtype(ScalarType t) const { return {t}; }
};
struct Tensor {
  Sizes shape, steps;
  ScalarType kind = ScalarType::Float;
  unsigned long held = 0;
  int64_t within(int64_t i) const {
    if (i < -dim() || i >= dim()) throw 1;
    return i < 0 ? i + dim() : i;
  }
  int64_t dim() const { return shape.size(); }
  int64_t numel() const { int64_t n = 1; for (auto s : shape) n *= s; return n; }
  int64_t size(int64_t i) const { return shape[within(i)]; }
  int64_t stride(int64_t i) const { return steps[within(i)]; }
  const Sizes &sizes() const { return shape; }
  ScalarType scalar_type() const { return kind; }
  ScalarType dtype() const { return kind; }
  TensorOptions options() const { return {kind}; }
  bool is_contiguous() const {
    int64_t step = 1;
    for (int i = dim() - 1; i >= 0; step *= shape[i--])
      if (shape[i] != 1 && steps[i] != step) return numel() == 0;
    return true;
  }
  Tensor contiguous() const;
  // Of what is not contiguous, as far as torch.cu asks: in its own shape it stays what it is.
  Tensor view(Sizes asked) const;
  Tensor reshape(Sizes asked) const;
  Tensor view_as(const Tensor &o) const { return view(o.shape); }
  Tensor flatten() const { return reshape({-1}); }
  template <class T> T *data_ptr() const { if (kind != named<T>::type) throw 1; return (T *)held; }
  void *data_ptr() const { return (void *)held; }
};
inline Tensor strided(Sizes shape, Sizes steps, ScalarType t) {
  int64_t last = 1;
  for (size_t i = 0; i < shape.size(); i++) {
    if (shape[i] < 0) throw 1;
    last = shape[i] == 0 || last == 0 ? 0 : last + (shape[i] - 1) * steps[i];
  }
  return {shape, steps, t, place(last * width(t))};
}
inline Tensor empty(Sizes shape, TensorOptions o = {}) {
  Sizes steps(shape.size());
  int64_t step = 1;
  for (int i = (int)shape.size() - 1; i >= 0; step *= std::max<int64_t>(shape[i--], 1)) steps[i] = step;
  return strided(shape, steps, o.type);
}
inline Tensor zeros(Sizes shape, TensorOptions o = {}) { return empty(shape, o); }
// As PyTorch does: like a tensor whose elements lie without gaps, in whatever order, has its strides.
inline Tensor empty_like(const Tensor &x) {
  Tensor like = strided(x.shape, x.steps, x.kind), plain = empty(x.shape, x.options());
  int64_t last = 1;
  for (int i = 0; i < x.dim(); i++) last += (x.shape[i] - 1) * x.steps[i];
  return last == x.numel() ? like : plain;
}
inline Tensor Tensor::contiguous() const { return is_contiguous() ? *this : empty(shape, options()); }
inline Sizes shaped(Sizes asked, int64_t numel) {
  int64_t known = 1, *rest = nullptr;
  for (auto &s : asked) {
    if (s < -1 || (s == -1 && rest)) throw 1;
    if (s == -1) rest = &s; else known *= s;
  }
  if (rest ? known == 0 || numel % known : known != numel) throw 1;
  if (rest) *rest = numel / known;
  return asked;
}
inline Tensor Tensor::view(Sizes asked) const {
  Sizes s = shaped(asked, numel());
  if (!is_contiguous() && s != shape) throw 1;
  Tensor t = is_contiguous() ? empty(s, options()) : *this;
  t.held = held;
  return t;
}
inline Tensor Tensor::reshape(Sizes asked) const {
  Sizes s = shaped(asked, numel());
  return is_contiguous() || s == shape ? view(s) : empty(s, options());
}
}
namespace torch {
using at::Tensor; using at::ScalarType; using at::empty; using at::zeros; using at::empty_like;
using at::TensorOptions;
constexpr ScalarType kHalf = ScalarType::Half, kFloat = ScalarType::Float, kFloat32 = kFloat,
                     kDouble = ScalarType::Double;
}
#define TORCH_CHECK(cond, ...) do { if (!(cond)) throw 1; } while (0)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  [&] { switch (TYPE) { \
    case at::ScalarType::Double: { using scalar_t = double; return __VA_ARGS__(); } \
    case at::ScalarType::Float: { using scalar_t = float; return __VA_ARGS__(); } \
    default: throw 1; } }()

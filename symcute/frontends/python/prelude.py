"""What Python code that is said in C++ rests on: its integers, and its arrays as tensors."""

from __future__ import annotations

__all__ = ["PRELUDE"]

#: What the C++ code needs besides PyTorch's header.
PRELUDE = """\
#include "/symcute-cuda/symcute_torch.h"
SYMCUTE_H at::Tensor symcute_tensor(); SYMCUTE_H double symcute_float();
// A condition that is not understood: what follows from it need not be what any execution does.
SYMCUTE_H bool a_condition_of_Python();
SYMCUTE_H inline int64_t symcute_floor(int64_t a, int64_t b) {
  if (b == 0) throw c10::Error();
  if (a >= 0 && b > 0) return a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? a / b - 1 : a / b;
}
SYMCUTE_H inline int64_t symcute_modulo(int64_t a, int64_t b) {
  if (b == 0) throw c10::Error();
  if (a >= 0 && b > 0) return a % b;
  return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;
}
SYMCUTE_H inline int64_t symcute_ceil(int64_t a, int64_t b) {
  if (b == 0) throw c10::Error();
  if (a >= 0 && b > 0) return (a + b - 1) / b;
  return -symcute_floor(-a, b);
}
// Through a quotient that is rounded to 53 bits.
SYMCUTE_H inline int64_t symcute_rounded(int64_t a, int64_t b) {
  if (a > (1ll << 52) || a < -(1ll << 52)) return at::symcute_any();
  return symcute_ceil(a, b);
}
SYMCUTE_H inline int64_t symcute_min(int64_t a, int64_t b) { return b < a ? b : a; }
SYMCUTE_H inline int64_t symcute_max(int64_t a, int64_t b) { return b > a ? b : a; }
SYMCUTE_H inline int64_t symcute_extent(int64_t n) {
  if (n < 1 || n > 2147483647) throw c10::Error();
  return n;
}
template <class T> SYMCUTE_H inline T symcute_narrow(int64_t n) {
  if ((int64_t)(T)n != n && a_condition_of_Python()) throw c10::Error();
  return (T)n;
}
SYMCUTE_H inline bool symcute_same_shape(const at::Tensor &x, const at::Tensor &y) {
  if (x.symcute_rank != y.symcute_rank || x.symcute_numel != y.symcute_numel) return false;
  if (x.symcute_rank > 0 && x.size_0 != y.size_0) return false;
  if (x.symcute_rank > 1 && x.size_1 != y.size_1) return false;
  if (x.symcute_rank > 2 && x.size_2 != y.size_2) return false;
  if (x.symcute_rank > 3 && x.size_3 != y.size_3) return false;
  return x.symcute_rank < 5 || a_condition_of_Python();
}
// NumPy's strides are in bytes, and those of a view may be negative; that of a dim of one element,
// or of a tensor of none, may be any number.
SYMCUTE_H inline int64_t symcute_step(const at::Tensor &x, int64_t axis) {
  int64_t step = x.stride(axis) * (int64_t)x.element_size();
  return x.symcute_contiguous && x.size(axis) > 1 && x.symcute_numel > 0 ? step : at::symcute_any();
}
// Of two tensors that have as many dims and elements, and one shape where it goes on.
SYMCUTE_H inline void symcute_alike_shapes(const at::Tensor &x, const at::Tensor &y) {
#define SYMCUTE_ALIKE(i) symcute_alike(x.size_##i, y.size_##i);
  SYMCUTE_EIGHT(SYMCUTE_ALIKE)
#define SYMCUTE_ALIKE_LAST(i) symcute_alike(x.last_##i, y.last_##i);
  SYMCUTE_FOUR(SYMCUTE_ALIKE_LAST)
}
SYMCUTE_H inline at::Tensor symcute_moved(const at::Tensor &x) {
  at::Tensor t = x.contiguous();
  if (x.symcute_contiguous) return t;
  // It may be what it was, of which the memory is larger than its elements.
  t.symcute_contiguous = a_condition_of_Python();
  t.symcute_held = symcute_tensor().symcute_held;
  return t;
}
SYMCUTE_H inline at::Tensor symcute_packed(const at::Tensor &x) {
  if (x.dim() == 0) return symcute_tensor();  // NumPy gives it a dim
  return x.contiguous();
}
SYMCUTE_H inline at::Tensor symcute_cast(const at::Tensor &x, at::ScalarType type) {
  if (x.symcute_type == type) return symcute_moved(x);
  return at::symcute_like(x, type);
}
"""

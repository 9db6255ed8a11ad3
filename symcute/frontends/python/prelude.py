"""What Python code that is said in C++ rests on: its integers, and its arrays as tensors."""

from __future__ import annotations

__all__ = ["OF_TRITON", "PRELUDE"]

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
// NumPy's strides are in bytes, and those of a view may be negative; that of a dim of one element,
// or of a tensor of none, may be any number.
SYMCUTE_H inline int64_t symcute_step(const at::Tensor &x, int64_t axis) {
  int64_t step = x.stride(axis) * (int64_t)x.element_size();
  return x.symcute_contiguous && x.size(axis) > 1 && x.symcute_numel > 0 ? step : at::symcute_any();
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
#ifndef SYMCUTE_ELEMENTS
#define SYMCUTE_STEPPED_1(t, ...) t
#define SYMCUTE_STEPPED_2(t, ...) t
#define SYMCUTE_STEPPED_3(t, ...) t
#define SYMCUTE_STEPPED_4(t, ...) t
#define SYMCUTE_STEPPED_5(t, ...) t
#define symcute_like_it(x, type) at::symcute_like(x, type)
#else
SYMCUTE_H at::Tensor symcute_like_it(const at::Tensor &x, at::ScalarType type);
#endif
SYMCUTE_H inline at::Tensor symcute_cast(const at::Tensor &x, at::ScalarType type) {
  if (x.symcute_type == type) return symcute_moved(x);
  return symcute_like_it(x, type);
}
"""

#: What hosts of Triton's kernels need besides: there a tensor has strides wherever it is made.
OF_TRITON = """\
struct symcute_element { signed char symcute_of_any_type; };
SYMCUTE_H inline int64_t symcute_least(int64_t n) { return n > 0 ? n : 1; }
SYMCUTE_H inline int64_t symcute_power_of_2(int64_t n) {
  int64_t power = at::symcute_chosen();
  if (n < 1) return 0;
  if (n > (1ll << 31)) return at::symcute_any();
  if (!(POWERS)) throw c10::Error();
  if (power < n || (power > 1 && power >= 2 * n)) throw c10::Error();
  return power;
}
// What is not divided evenly raises.
SYMCUTE_H inline int64_t symcute_the_rest(int64_t all, int64_t known) {
  if (known == 0 || all % known != 0) throw c10::Error();
  return all / known;
}
SYMCUTE_H inline at::Tensor symcute_strided(
    at::Tensor t, int64_t rank, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
  t.stride_0 = a; t.stride_1 = b; t.stride_2 = c; t.stride_3 = d; t.stride_4 = e;
  t.last_stride_1 = rank == 1 ? a : rank == 2 ? b : rank == 3 ? c : rank == 4 ? d : e;
  t.last_stride_2 = rank == 2 ? a : rank == 3 ? b : rank == 4 ? c : d;
  t.last_stride_3 = rank == 3 ? a : rank == 4 ? b : c; t.last_stride_4 = rank == 4 ? a : b;
  return t;
}
#define SYMCUTE_STEPPED_1(t, a) symcute_strided(t, 1, 1, 1, 1, 1, 1)
#define SYMCUTE_STEPPED_2(t, a, b) symcute_strided(t, 2, symcute_least(b), 1, 1, 1, 1)
#define SYMCUTE_STEPPED_3(t, a, b, c) \\
    symcute_strided(t, 3, symcute_least(b) * symcute_least(c), symcute_least(c), 1, 1, 1)
#define SYMCUTE_STEPPED_4(t, a, b, c, d) \\
    symcute_strided(t, 4, symcute_least(b) * symcute_least(c) * symcute_least(d), \\
        symcute_least(c) * symcute_least(d), symcute_least(d), 1, 1)
#define SYMCUTE_STEPPED_5(t, a, b, c, d, e) \\
    symcute_strided(t, 5, \\
        symcute_least(b) * symcute_least(c) * symcute_least(d) * symcute_least(e), \\
        symcute_least(c) * symcute_least(d) * symcute_least(e), \\
        symcute_least(d) * symcute_least(e), symcute_least(e), 1)
SYMCUTE_H inline at::Tensor symcute_like_it(const at::Tensor &x, at::ScalarType type) {
  at::Tensor t = at::symcute_made(x.sizes(), type);
  int64_t any;
  bool same = x.symcute_contiguous, either = at::symcute_either();
#define SYMCUTE_AS(i) any = at::symcute_any(); t.stride_##i = same ? x.stride_##i : any;
  SYMCUTE_EIGHT(SYMCUTE_AS)
#define SYMCUTE_AS_LAST(i) \\
    any = at::symcute_any(); t.last_stride_##i = same ? x.last_stride_##i : any;
  SYMCUTE_FOUR(SYMCUTE_AS_LAST)
  t.symcute_contiguous = same ? true : either;
  return t;
}
// The same elements by other dims; of what is not contiguous the strides are not known.
SYMCUTE_H inline at::Tensor symcute_viewed(const at::Tensor &x, const at::Tensor &packed) {
  if (x.symcute_numel != packed.symcute_numel) throw c10::Error();
  at::Tensor t = packed;
  t.symcute_type = x.symcute_type; t.symcute_held = x.symcute_held;
  t.symcute_contiguous = x.symcute_contiguous;
  int64_t any;
  bool same = x.symcute_contiguous, either = at::symcute_either();
#define SYMCUTE_LOSE(i) any = at::symcute_any(); t.stride_##i = same ? packed.stride_##i : any;
  SYMCUTE_EIGHT(SYMCUTE_LOSE)
#define SYMCUTE_LOSE_LAST(i) \\
    any = at::symcute_any(); t.last_stride_##i = same ? packed.last_stride_##i : any;
  SYMCUTE_FOUR(SYMCUTE_LOSE_LAST)
  return t;
}
SYMCUTE_H inline at::Tensor symcute_reshaped(const at::Tensor &x, const at::Tensor &packed) {
  at::Tensor t = symcute_viewed(x, packed);
  if (x.symcute_contiguous) return t;
  t.symcute_contiguous = a_condition_of_Python();  // a view, or a copy
  t.symcute_held = symcute_tensor().symcute_held;
  return t;
}
""".replace("POWERS", " || ".join(f"power == {1 << k}ll" for k in range(32)))

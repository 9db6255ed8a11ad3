// What extensions against PyTorch's stable ABI include: its tensors under other names, functions in
// place of methods, and checks and switches over types that need no ATen.
#pragma once
#include "/symcute-cuda/symcute_torch.h"

namespace torch {
namespace headeronly {
using c10::ScalarType; using c10::Half; using c10::BFloat16; using c10::DeviceType;
using c10::Float8_e4m3fn; using c10::Float8_e5m2; using c10::Float8_e4m3fnuz;
using c10::Float8_e5m2fnuz; using c10::Float8_e8m0fnu; using c10::complex;
typedef at::IntArrayRef IntHeaderOnlyArrayRef;
template <class T> struct CppTypeToScalarType : at::symcute_of::type<T> {};
template <ScalarType T> using ScalarTypeToCPPTypeT = typename at::symcute_of::kind<T>::type;
SYMCUTE_KINDS
}
namespace stable {
using at::Tensor; using c10::Device; using c10::DeviceType; using c10::kCPU; using c10::kCUDA;
using c10::ScalarType;
typedef int DeviceIndex;
// What stands behind the type says where it lies.
template <class... A> SYMCUTE_H Tensor empty(at::IntArrayRef s, ScalarType t, const A &...) {
  return at::empty(s, t);
}
template <class... A> SYMCUTE_H Tensor new_empty(const Tensor &, at::IntArrayRef s, ScalarType t, const A &...) {
  return at::empty(s, t);
}
template <class... A> SYMCUTE_H Tensor new_zeros(const Tensor &, at::IntArrayRef s, ScalarType t, const A &...) {
  return at::empty(s, t);
}
SYMCUTE_H inline Tensor empty(at::IntArrayRef s) { return at::empty(s); }
SYMCUTE_H inline Tensor new_empty(const Tensor &x, at::IntArrayRef s) { return at::empty(s, x.scalar_type()); }
SYMCUTE_H inline Tensor new_zeros(const Tensor &x, at::IntArrayRef s) { return at::empty(s, x.scalar_type()); }
SYMCUTE_H inline Tensor empty_like(const Tensor &x) { return at::empty_like(x); }
SYMCUTE_H inline Tensor contiguous(const Tensor &x) { return x.contiguous(); }
SYMCUTE_H inline Tensor view(const Tensor &x, at::symcute_shape s) { return x.view(s); }
SYMCUTE_H inline Tensor reshape(const Tensor &x, at::symcute_shape s) { return x.reshape(s); }
SYMCUTE_H inline Tensor zero_(const Tensor &x) { return x.zero_(); }
#define SYMCUTE_STABLE(name, made) \
  template <class... A> SYMCUTE_H Tensor name(const Tensor &x, const A &...) { return x.made(); }
SYMCUTE_STABLE(flatten, symcute_beside) SYMCUTE_STABLE(narrow, symcute_beside)
SYMCUTE_STABLE(select, symcute_beside) SYMCUTE_STABLE(transpose, symcute_beside)
SYMCUTE_STABLE(squeeze, symcute_beside) SYMCUTE_STABLE(unsqueeze, symcute_beside)
SYMCUTE_STABLE(to, symcute_beside) SYMCUTE_STABLE(clone, symcute_unknown)
SYMCUTE_STABLE(sum, symcute_unknown) SYMCUTE_STABLE(pad, symcute_unknown)
template <class... A> SYMCUTE_H Tensor from_blob(void *, const A &...);
namespace accelerator {
using stable::DeviceIndex;
struct DeviceGuard { SYMCUTE_H explicit DeviceGuard(DeviceIndex); };
SYMCUTE_H DeviceIndex getCurrentDeviceIndex();
}
}
}

// Where C++ would warn of a dangling `else` is as PyTorch has it.
#define STD_TORCH_CHECK(cond, ...) if (!(cond)) { throw ::c10::Error(); }
#define STD_CUDA_CHECK(...) do { __VA_ARGS__; } while (0)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() do { } while (0)
#define TORCH_ERROR_CODE_CHECK(...) do { __VA_ARGS__; } while (0)
SYMCUTE_H int aoti_torch_get_current_cuda_stream(int, void **);
SYMCUTE_H int torch_get_current_cuda_blas_handle(void **);

#define THO_PRIVATE_CASE_TYPE_USING_HINT(e, hint, ...) \
  AT_PRIVATE_CASE_TYPE_USING_HINT(e, hint, __VA_ARGS__)
#define THO_DISPATCH_CASE(e, ...) THO_PRIVATE_CASE_TYPE_USING_HINT(e, scalar_t, __VA_ARGS__)
#define THO_DISPATCH_SWITCH(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, __VA_ARGS__)
#define STABLE_TORCH_LIBRARY(name, m) TORCH_LIBRARY(name, m)
#define STABLE_TORCH_LIBRARY_IMPL(name, key, m) TORCH_LIBRARY_IMPL(name, key, m)
#define STABLE_TORCH_LIBRARY_FRAGMENT(name, m) TORCH_LIBRARY_FRAGMENT(name, m)
#define TORCH_BOX(f) (f)

// What PyTorch's C++ headers declare, as far as it leads to launches: sizes, strides, types and
// memory of tensors. What is not here clang does not know, and no more is known of it.
//
// A size is a number that the caller gives; `symcute_numel` is their product, which is known once the
// number of dims is (host/tensors.py). A type is a number of its own and the bytes of an element.
#pragma once

SYMCUTE_H void symcute_allocate(void **, size_t);
SYMCUTE_H void symcute_repack(void **, void *, size_t);
SYMCUTE_H void symcute_alike(long, long);

namespace c10 {
#define SYMCUTE_TYPE(N, number, bytes) N = number * 32 + bytes,
enum class ScalarType : int {
  SYMCUTE_TYPE(Byte, 0, 1) SYMCUTE_TYPE(Char, 1, 1) SYMCUTE_TYPE(Short, 2, 2)
  SYMCUTE_TYPE(Int, 3, 4) SYMCUTE_TYPE(Long, 4, 8) SYMCUTE_TYPE(Half, 5, 2)
  SYMCUTE_TYPE(Float, 6, 4) SYMCUTE_TYPE(Double, 7, 8) SYMCUTE_TYPE(ComplexHalf, 8, 4)
  SYMCUTE_TYPE(ComplexFloat, 9, 8) SYMCUTE_TYPE(ComplexDouble, 10, 16) SYMCUTE_TYPE(Bool, 11, 1)
  SYMCUTE_TYPE(QInt8, 12, 1) SYMCUTE_TYPE(QUInt8, 13, 1) SYMCUTE_TYPE(QInt32, 14, 4)
  SYMCUTE_TYPE(BFloat16, 15, 2) SYMCUTE_TYPE(Float8_e5m2, 23, 1) SYMCUTE_TYPE(Float8_e4m3fn, 24, 1)
  SYMCUTE_TYPE(Float8_e5m2fnuz, 25, 1) SYMCUTE_TYPE(Float8_e4m3fnuz, 26, 1)
  SYMCUTE_TYPE(UInt16, 27, 2) SYMCUTE_TYPE(UInt32, 28, 4) SYMCUTE_TYPE(UInt64, 29, 8)
  SYMCUTE_TYPE(Float8_e8m0fnu, 44, 1)
};
#define SYMCUTE_KINDS \
  constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte, \
      kChar = ScalarType::Char, kInt8 = ScalarType::Char, kShort = ScalarType::Short, \
      kInt16 = ScalarType::Short, kInt = ScalarType::Int, kInt32 = ScalarType::Int, \
      kLong = ScalarType::Long, kInt64 = ScalarType::Long, kHalf = ScalarType::Half, \
      kFloat16 = ScalarType::Half, kFloat = ScalarType::Float, kFloat32 = ScalarType::Float, \
      kDouble = ScalarType::Double, kFloat64 = ScalarType::Double, kBool = ScalarType::Bool, \
      kBFloat16 = ScalarType::BFloat16, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, \
      kFloat8_e5m2 = ScalarType::Float8_e5m2;
SYMCUTE_KINDS

#define SYMCUTE_NARROW_FLOAT(N, NVIDIAS) \
  struct alignas(2) N { \
    unsigned short x; \
    struct from_bits_t {}; \
    static constexpr SYMCUTE_E from_bits_t from_bits() { return {}; } \
    N() = default; \
    constexpr SYMCUTE_E N(unsigned short bits, from_bits_t) : x(bits) {} \
    SYMCUTE_E N(float); \
    SYMCUTE_E N(const NVIDIAS &); \
    SYMCUTE_E operator NVIDIAS() const; \
    SYMCUTE_E operator float() const; \
    SYMCUTE_E N &operator+=(const N &); SYMCUTE_E N &operator-=(const N &); \
    SYMCUTE_E N &operator*=(const N &); SYMCUTE_E N &operator/=(const N &); \
  };
template <bool> struct symcute_bool {};
template <class T, class N> T symcute_kept(T, N *, symcute_bool<true>);
template <class T, class N> N symcute_kept(T, N *, symcute_bool<false>);
// With numbers of C++'s own they compute as those, or as what they are where those are integers.
template <class N, class T, bool = __is_arithmetic(T)> struct symcute_mixed {};
template <class N, class T> struct symcute_mixed<N, T, true> {
  typedef bool test;
  typedef decltype(symcute_kept(T(), (N *)0, symcute_bool<__is_floating_point(T)>())) type;
};
#define SYMCUTE_NARROW_OPERATOR(N, op) \
  SYMCUTE_E N operator op(const N &, const N &); \
  template <class T> SYMCUTE_E typename symcute_mixed<N, T>::type operator op(const N &, T); \
  template <class T> SYMCUTE_E typename symcute_mixed<N, T>::type operator op(T, const N &);
#define SYMCUTE_NARROW_TEST(N, op) \
  SYMCUTE_E bool operator op(const N &, const N &); \
  template <class T> SYMCUTE_E typename symcute_mixed<N, T>::test operator op(const N &, T); \
  template <class T> SYMCUTE_E typename symcute_mixed<N, T>::test operator op(T, const N &);
#define SYMCUTE_NARROW_OPERATORS(N) \
  SYMCUTE_E N operator-(const N &); \
  SYMCUTE_NARROW_OPERATOR(N, +) SYMCUTE_NARROW_OPERATOR(N, -) \
  SYMCUTE_NARROW_OPERATOR(N, *) SYMCUTE_NARROW_OPERATOR(N, /) \
  SYMCUTE_NARROW_TEST(N, ==) SYMCUTE_NARROW_TEST(N, !=) SYMCUTE_NARROW_TEST(N, <) \
  SYMCUTE_NARROW_TEST(N, >) SYMCUTE_NARROW_TEST(N, <=) SYMCUTE_NARROW_TEST(N, >=)
SYMCUTE_NARROW_FLOAT(Half, __half) SYMCUTE_NARROW_FLOAT(BFloat16, __nv_bfloat16)
SYMCUTE_NARROW_OPERATORS(Half) SYMCUTE_NARROW_OPERATORS(BFloat16)
// Of these no more is asked than where they lie, and what float they are.
#define SYMCUTE_FLOAT8(N) \
  struct alignas(1) N { \
    unsigned char x; \
    struct from_bits_t {}; \
    static constexpr SYMCUTE_E from_bits_t from_bits() { return {}; } \
    N() = default; \
    constexpr SYMCUTE_E N(unsigned char bits, from_bits_t) : x(bits) {} \
    SYMCUTE_E N(float); \
    SYMCUTE_E operator float() const; \
  };
SYMCUTE_FLOAT8(Float8_e5m2) SYMCUTE_FLOAT8(Float8_e4m3fn) SYMCUTE_FLOAT8(Float8_e5m2fnuz)
SYMCUTE_FLOAT8(Float8_e4m3fnuz) SYMCUTE_FLOAT8(Float8_e8m0fnu)

}  // namespace c10
namespace std {
#define SYMCUTE_NARROW_BITS(N, f, bits) \
    static constexpr SYMCUTE_E N f() { return N(bits, N::from_bits()); }
#define SYMCUTE_NARROW_LIMITS(N, least, most, least_of_all, nan, endless, ...) \
  template <> struct numeric_limits<c10::N> { \
    static constexpr bool is_signed = true, is_integer = false, is_specialized = true; \
    static constexpr bool has_infinity = endless; \
    SYMCUTE_NARROW_BITS(c10::N, min, least) SYMCUTE_NARROW_BITS(c10::N, max, most) \
    SYMCUTE_NARROW_BITS(c10::N, lowest, least_of_all) SYMCUTE_NARROW_BITS(c10::N, quiet_NaN, nan) \
    __VA_ARGS__ \
  };
SYMCUTE_NARROW_LIMITS(Half, 0x400, 0x7bff, 0xfbff, 0x7e00, true,
    SYMCUTE_NARROW_BITS(c10::Half, infinity, 0x7c00) SYMCUTE_NARROW_BITS(c10::Half, epsilon, 0x1400))
SYMCUTE_NARROW_LIMITS(BFloat16, 0x80, 0x7f7f, 0xff7f, 0x7fc0, true,
    SYMCUTE_NARROW_BITS(c10::BFloat16, infinity, 0x7f80)
    SYMCUTE_NARROW_BITS(c10::BFloat16, epsilon, 0x3c00))
SYMCUTE_NARROW_LIMITS(Float8_e4m3fn, 8, 0x7e, 0xfe, 0x7f, false)
SYMCUTE_NARROW_LIMITS(Float8_e4m3fnuz, 8, 0x7f, 0xff, 0x80, false)
SYMCUTE_NARROW_LIMITS(Float8_e5m2, 4, 0x7b, 0xfb, 0x7f, true,
    SYMCUTE_NARROW_BITS(c10::Float8_e5m2, infinity, 0x7c))
SYMCUTE_NARROW_LIMITS(Float8_e5m2fnuz, 4, 0x7f, 0xff, 0x80, false)
}
namespace c10 {
template <class T> struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;
  T real_, imag_;
  complex() = default;
  constexpr SYMCUTE_E complex(const T &re) : real_(re), imag_(0) {}
  constexpr SYMCUTE_E complex(const T &re, const T &im) : real_(re), imag_(im) {}
  template <class U> constexpr SYMCUTE_E complex(const complex<U> &o) : real_(o.real_), imag_(o.imag_) {}
  constexpr SYMCUTE_E T real() const { return real_; }
  constexpr SYMCUTE_E T imag() const { return imag_; }
#define SYMCUTE_COMPLEX_BECOMES(op) \
  SYMCUTE_D complex &operator op##=(const complex &o) { return *this = *this op o; } \
  SYMCUTE_D complex &operator op##=(const T &o) { return *this = *this op o; }
  SYMCUTE_COMPLEX_BECOMES(+) SYMCUTE_COMPLEX_BECOMES(-)
  SYMCUTE_COMPLEX_BECOMES(*) SYMCUTE_COMPLEX_BECOMES(/)
};
#define SYMCUTE_COMPLEX_OPERATOR(op) \
  template <class T> SYMCUTE_E complex<T> operator op(const complex<T> &, const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> operator op(const complex<T> &, const T &); \
  template <class T> SYMCUTE_E complex<T> operator op(const T &, const complex<T> &);
SYMCUTE_COMPLEX_OPERATOR(+) SYMCUTE_COMPLEX_OPERATOR(-)
SYMCUTE_COMPLEX_OPERATOR(*) SYMCUTE_COMPLEX_OPERATOR(/)
template <class T> SYMCUTE_E complex<T> operator-(const complex<T> &);
template <class T> SYMCUTE_E bool operator==(const complex<T> &, const complex<T> &);
template <class T> SYMCUTE_E bool operator!=(const complex<T> &, const complex<T> &);
}  // namespace c10
namespace std {
template <class T> constexpr SYMCUTE_D T real(const c10::complex<T> &z) { return z.real(); }
template <class T> constexpr SYMCUTE_D T imag(const c10::complex<T> &z) { return z.imag(); }
#define SYMCUTE_OF_COMPLEX(f) template <class T> SYMCUTE_E T f(const c10::complex<T> &);
SYMCUTE_OF_COMPLEX(abs) SYMCUTE_OF_COMPLEX(arg) SYMCUTE_OF_COMPLEX(norm)
#define SYMCUTE_IN_COMPLEX(f) template <class T> SYMCUTE_E c10::complex<T> f(const c10::complex<T> &);
SYMCUTE_IN_COMPLEX(conj) SYMCUTE_IN_COMPLEX(exp) SYMCUTE_IN_COMPLEX(log) SYMCUTE_IN_COMPLEX(sqrt)
SYMCUTE_IN_COMPLEX(sin) SYMCUTE_IN_COMPLEX(cos) SYMCUTE_IN_COMPLEX(tan) SYMCUTE_IN_COMPLEX(tanh)
}  // namespace std
namespace c10 {
enum class DeviceType : signed char { CPU = 0, CUDA = 1 };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
struct Device {
  DeviceType symcute_type; signed char symcute_index;
  SYMCUTE_H Device(DeviceType type, signed char index = -1) : symcute_type(type), symcute_index(index) {}
  SYMCUTE_H DeviceType type() const { return symcute_type; }
  SYMCUTE_H signed char index() const { return symcute_index; }
  SYMCUTE_H bool is_cuda() const { return symcute_type == DeviceType::CUDA; }
  SYMCUTE_H bool is_cpu() const { return symcute_type == DeviceType::CPU; }
  SYMCUTE_H bool operator==(const Device &o) const {
    return symcute_type == o.symcute_type && symcute_index == o.symcute_index;
  }
  SYMCUTE_H bool operator!=(const Device &o) const { return !(*this == o); }
};
struct Error {};
using std::optional; using std::nullopt; using std::nullopt_t;
}  // namespace c10

namespace at {
using c10::ScalarType; using c10::Device; using c10::DeviceType; using c10::kCPU; using c10::kCUDA;
using c10::Half; using c10::BFloat16; using c10::Error;
SYMCUTE_KINDS
namespace symcute_of {
template <class T> struct type;
#define SYMCUTE_OF(T, N) \
  template <> struct type<T> { static constexpr ScalarType value = ScalarType::N; };
SYMCUTE_OF(unsigned char, Byte) SYMCUTE_OF(signed char, Char) SYMCUTE_OF(short, Short)
SYMCUTE_OF(int, Int) SYMCUTE_OF(long, Long) SYMCUTE_OF(long long, Long) SYMCUTE_OF(float, Float)
SYMCUTE_OF(double, Double) SYMCUTE_OF(bool, Bool) SYMCUTE_OF(Half, Half) SYMCUTE_OF(BFloat16, BFloat16)
SYMCUTE_OF(unsigned short, UInt16) SYMCUTE_OF(unsigned, UInt32) SYMCUTE_OF(unsigned long, UInt64)
SYMCUTE_OF(unsigned long long, UInt64)
#define SYMCUTE_OF_FLOAT8(N) SYMCUTE_OF(c10::N, N)
SYMCUTE_OF_FLOAT8(Float8_e5m2) SYMCUTE_OF_FLOAT8(Float8_e4m3fn) SYMCUTE_OF_FLOAT8(Float8_e5m2fnuz)
SYMCUTE_OF_FLOAT8(Float8_e4m3fnuz) SYMCUTE_OF_FLOAT8(Float8_e8m0fnu)
// NVIDIA's own types are no types of PyTorch's: asked for them, it does not link.
template <class T> struct type<const T> : type<T> {};
}
SYMCUTE_H inline size_t elementSize(ScalarType t) { return (int)t % 32; }
// For Triton's kernels memory is counted in elements (frontends/python/jit.py).
#ifdef SYMCUTE_ELEMENTS
#define SYMCUTE_HELD(type) 1
// What a program of a family has been compiled for.
SYMCUTE_H int64_t symcute_chosen();
SYMCUTE_H inline int64_t symcute_kind(ScalarType t) { return (int)t + 0; }
#else
#define SYMCUTE_HELD(type) (int64_t)elementSize(type)
#endif

#define SYMCUTE_EIGHT(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7)
#define SYMCUTE_FOUR(f) f(1) f(2) f(3) f(4)
#define SYMCUTE_AT(i, of) \
  (i == 0 ? of##0 : i == 1 ? of##1 : i == 2 ? of##2 : i == 3 ? of##3 : i == 4 ? of##4 : \
   i == 5 ? of##5 : i == 6 ? of##6 : i == 7 ? of##7 : symcute_any())
// Numbers that nobody knows: sizes of dims beyond those, and what PyTorch decides by itself.
SYMCUTE_H int64_t symcute_any();
SYMCUTE_H bool symcute_either();
// True where all tensors lie on the GPU of the launch, which they may whatever the sizes.
SYMCUTE_H bool symcute_on_one_device();
struct IntArrayRef {
  int64_t symcute_rank, symcute_numel;
#define SYMCUTE_FIELD(i) int64_t size_##i;
  SYMCUTE_EIGHT(SYMCUTE_FIELD)
#define SYMCUTE_LAST(i) int64_t last_##i;
  SYMCUTE_FOUR(SYMCUTE_LAST)
  IntArrayRef() = default;
  SYMCUTE_H IntArrayRef(
      int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t rank)
      : symcute_rank(rank), symcute_numel(a * b * c * d * e * f), size_0(a), size_1(b), size_2(c),
        size_3(d), size_4(e), size_5(f), size_6(1), size_7(1),
        last_1(rank == 1 ? a : rank == 2 ? b : rank == 3 ? c : rank == 4 ? d : e),
        last_2(rank == 2 ? a : rank == 3 ? b : rank == 4 ? c : d),
        last_3(rank == 3 ? a : rank == 4 ? b : c), last_4(rank == 4 ? a : b) {
    if (a < 0 || b < 0 || c < 0 || d < 0 || e < 0 || f < 0) throw c10::Error();
  }
  SYMCUTE_H IntArrayRef(int64_t a) : IntArrayRef(a, 1, 1, 1, 1, 1, 1) {}
  SYMCUTE_H IntArrayRef(int64_t a, int64_t b) : IntArrayRef(a, b, 1, 1, 1, 1, 2) {}
  SYMCUTE_H IntArrayRef(int64_t a, int64_t b, int64_t c) : IntArrayRef(a, b, c, 1, 1, 1, 3) {}
  SYMCUTE_H IntArrayRef(int64_t a, int64_t b, int64_t c, int64_t d)
      : IntArrayRef(a, b, c, d, 1, 1, 4) {}
  SYMCUTE_H IntArrayRef(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e)
      : IntArrayRef(a, b, c, d, e, 1, 5) {}
  SYMCUTE_H size_t size() const { return symcute_rank; }
  SYMCUTE_H int64_t operator[](size_t i) const {
    if (i >= (size_t)symcute_rank) throw c10::Error();
    return SYMCUTE_AT(i, size_);
  }
  SYMCUTE_H int64_t at(size_t i) const { return (*this)[i]; }
  SYMCUTE_H bool empty() const { return symcute_rank == 0; }
  SYMCUTE_H bool equals(IntArrayRef o) const {
    if (symcute_rank != o.symcute_rank || symcute_numel != o.symcute_numel) return false;
    // No size has to be compared, whatever the number of dims. Whether shapes of as many elements can
    // differ at all hangs on what is not compared.
    if (symcute_either()) {
      if (symcute_any() != 0) throw c10::Error();
      return false;
    }
#define SYMCUTE_SAME(i) symcute_alike(size_##i, o.size_##i);
    SYMCUTE_EIGHT(SYMCUTE_SAME)
#define SYMCUTE_SAME_LAST(i) symcute_alike(last_##i, o.last_##i);
    SYMCUTE_FOUR(SYMCUTE_SAME_LAST)
    symcute_alike(symcute_numel, o.symcute_numel); symcute_alike(symcute_rank, o.symcute_rank);
    return true;
  }
  SYMCUTE_H bool operator==(IntArrayRef o) const { return equals(o); }
  SYMCUTE_H bool operator!=(IntArrayRef o) const { return !equals(o); }
};
// A shape that is asked for: that of another tensor, or sizes of which one may be -1, what is left.
struct symcute_shape {
  IntArrayRef whole;
  int64_t rank, a = 1, b = 1, c = 1, d = 1, e = 1;
  SYMCUTE_H symcute_shape(IntArrayRef s) : whole(s), rank(-1) {}
  SYMCUTE_H symcute_shape(int64_t a) : rank(1), a(a) {}
  SYMCUTE_H symcute_shape(int64_t a, int64_t b) : rank(2), a(a), b(b) {}
  SYMCUTE_H symcute_shape(int64_t a, int64_t b, int64_t c) : rank(3), a(a), b(b), c(c) {}
  SYMCUTE_H symcute_shape(int64_t a, int64_t b, int64_t c, int64_t d)
      : rank(4), a(a), b(b), c(c), d(d) {}
  SYMCUTE_H symcute_shape(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e)
      : rank(5), a(a), b(b), c(c), d(d), e(e) {}
  SYMCUTE_H IntArrayRef of(int64_t numel) const {
    if (rank < 0 && whole.symcute_numel != numel) throw c10::Error();
    if (rank < 0) return whole;
    int left = (a == -1) + (b == -1) + (c == -1) + (d == -1) + (e == -1);
    int64_t known = (a == -1 ? 1 : a) * (b == -1 ? 1 : b) * (c == -1 ? 1 : c) *
        (d == -1 ? 1 : d) * (e == -1 ? 1 : e);
    if (left > 1 || (left == 0 && known != numel)) throw c10::Error();
    if (left == 1 && known < 1) throw c10::Error();
    if (left == 1 && numel % known != 0) throw c10::Error();
    int64_t rest = left ? numel / known : 1;
    IntArrayRef r(a == -1 ? rest : a, b == -1 ? rest : b, c == -1 ? rest : c, d == -1 ? rest : d,
        e == -1 ? rest : e, 1, rank);
    r.symcute_numel = numel;
    return r;
  }
};
struct TensorOptions {
  ScalarType symcute_type;
  SYMCUTE_H TensorOptions() : symcute_type(ScalarType::Float) {}
  SYMCUTE_H TensorOptions(ScalarType t) : symcute_type(t) {}
  SYMCUTE_H TensorOptions(Device) : symcute_type(ScalarType::Float) {}
  SYMCUTE_H TensorOptions(DeviceType) : symcute_type(ScalarType::Float) {}
  SYMCUTE_H ScalarType dtype() const { return symcute_type; }
  SYMCUTE_H TensorOptions dtype(ScalarType t) const { return TensorOptions(t); }
  SYMCUTE_H TensorOptions device(Device) const { return *this; }
  SYMCUTE_H TensorOptions device(DeviceType, signed char = -1) const { return *this; }
  SYMCUTE_H TensorOptions requires_grad(bool = true) const { return *this; }
};
struct Tensor {
  int64_t symcute_rank, symcute_numel;
#define SYMCUTE_SIZES(i) int64_t size_##i, stride_##i;
  SYMCUTE_EIGHT(SYMCUTE_SIZES)
  // The same from the end: of dim -i.
#define SYMCUTE_LASTS(i) int64_t last_##i, last_stride_##i;
  SYMCUTE_FOUR(SYMCUTE_LASTS)
  ScalarType symcute_type;
  bool symcute_contiguous;
  void *symcute_held;
  SYMCUTE_H int64_t dim() const { return symcute_rank; }
  SYMCUTE_H int64_t ndimension() const { return symcute_rank; }
  SYMCUTE_H int64_t numel() const { return symcute_numel; }
#define SYMCUTE_OF_DIM(i, of, last) \
    if (i < -symcute_rank || i >= symcute_rank) throw c10::Error(); \
    if (i < 0) \
      return i == -1 ? last##1 : i == -2 ? last##2 : i == -3 ? last##3 : i == -4 ? last##4 : \
          symcute_any(); \
    return SYMCUTE_AT(i, of);
  SYMCUTE_H int64_t size(int64_t i) const { SYMCUTE_OF_DIM(i, size_, last_) }
  SYMCUTE_H int64_t stride(int64_t i) const { SYMCUTE_OF_DIM(i, stride_, last_stride_) }
  SYMCUTE_H IntArrayRef sizes() const {
    IntArrayRef r;
    r.symcute_rank = symcute_rank; r.symcute_numel = symcute_numel;
#define SYMCUTE_COPY_SIZE(i) r.size_##i = size_##i;
    SYMCUTE_EIGHT(SYMCUTE_COPY_SIZE)
#define SYMCUTE_COPY_LAST(i) r.last_##i = last_##i;
    SYMCUTE_FOUR(SYMCUTE_COPY_LAST)
    return r;
  }
  SYMCUTE_H IntArrayRef strides() const {
    IntArrayRef r;
    r.symcute_rank = symcute_rank; r.symcute_numel = symcute_any();
#define SYMCUTE_COPY_STEP(i) r.size_##i = stride_##i;
    SYMCUTE_EIGHT(SYMCUTE_COPY_STEP)
#define SYMCUTE_COPY_LAST_STEP(i) r.last_##i = last_stride_##i;
    SYMCUTE_FOUR(SYMCUTE_COPY_LAST_STEP)
    return r;
  }
  SYMCUTE_H ScalarType scalar_type() const { return symcute_type; }
  SYMCUTE_H ScalarType dtype() const { return symcute_type; }
  SYMCUTE_H ScalarType type() const { return symcute_type; }
  SYMCUTE_H TensorOptions options() const { return TensorOptions(symcute_type); }
  SYMCUTE_H size_t element_size() const { return elementSize(symcute_type); }
  SYMCUTE_H size_t itemsize() const { return elementSize(symcute_type); }
  SYMCUTE_H size_t nbytes() const { return symcute_numel * elementSize(symcute_type); }
  SYMCUTE_H bool is_contiguous() const { return symcute_contiguous; }
  SYMCUTE_H bool defined() const;
  SYMCUTE_H bool is_cuda() const;
  SYMCUTE_H bool is_cpu() const;
  SYMCUTE_H bool requires_grad() const;
  SYMCUTE_H bool is_floating_point() const;
  SYMCUTE_H Device device() const;
  SYMCUTE_H signed char get_device() const;
  SYMCUTE_H int get_device_index() const;
  template <class T> SYMCUTE_H T item() const;
  // One that is contiguous is itself; of another a copy is, which is as large and has other strides.
  SYMCUTE_H Tensor contiguous() const {
    Tensor t = *this;
#define SYMCUTE_STRIDE(i) t.stride_##i = symcute_contiguous ? stride_##i : symcute_any();
    SYMCUTE_EIGHT(SYMCUTE_STRIDE)
#define SYMCUTE_LAST_STRIDE(i) \
    t.last_stride_##i = symcute_contiguous ? last_stride_##i : symcute_any();
    SYMCUTE_FOUR(SYMCUTE_LAST_STRIDE)
    t.symcute_contiguous = true;
    symcute_repack(
        &t.symcute_held, symcute_held, symcute_numel * SYMCUTE_HELD(symcute_type));
    return t;
  }
  template <class T> SYMCUTE_H T *data_ptr() const {
    if (symcute_type != symcute_of::type<T>::value) throw c10::Error();
    return (T *)symcute_held;
  }
  template <class T> SYMCUTE_H T *data() const { return data_ptr<T>(); }
  template <class T> SYMCUTE_H T *mutable_data_ptr() const { return data_ptr<T>(); }
  template <class T> SYMCUTE_H const T *const_data_ptr() const { return data_ptr<T>(); }
  SYMCUTE_H void *data_ptr() const { return symcute_held; }
  SYMCUTE_H void *mutable_data_ptr() const { return symcute_held; }
  SYMCUTE_H const void *const_data_ptr() const { return symcute_held; }
  SYMCUTE_H const Tensor zero_() const { return *this; }
  SYMCUTE_H Tensor detach() const { return *this; }
  // The same elements in another shape. Whether one that is not contiguous has it hangs on its strides.
  SYMCUTE_H Tensor view(symcute_shape shape) const {
    if (!symcute_contiguous && symcute_any() != 0) throw c10::Error();
    return symcute_seen(shape);
  }
  SYMCUTE_H Tensor symcute_seen(symcute_shape shape) const {
    Tensor t = *this;
    IntArrayRef s = shape.of(symcute_numel);
    t.symcute_rank = s.symcute_rank;
#define SYMCUTE_SEEN(i) t.size_##i = s.size_##i; t.stride_##i = symcute_any();
    SYMCUTE_EIGHT(SYMCUTE_SEEN)
#define SYMCUTE_SEEN_LAST(i) t.last_##i = s.last_##i; t.last_stride_##i = symcute_any();
    SYMCUTE_FOUR(SYMCUTE_SEEN_LAST)
    t.symcute_contiguous = symcute_contiguous ? true : symcute_either();
    return t;
  }
  SYMCUTE_H Tensor view_as(const Tensor &o) const { return view(o.sizes()); }
  // Of one that is not contiguous it may be a copy.
  SYMCUTE_H Tensor reshape(symcute_shape shape) const {
    Tensor t = symcute_seen(shape);
    if (!symcute_contiguous) symcute_repack(&t.symcute_held, symcute_held, symcute_any());
    return t;
  }
  SYMCUTE_H Tensor flatten() const { return reshape(-1); }
  // Of what these make nothing is known, but that it may lie in the same memory, from its start on.
  SYMCUTE_H Tensor symcute_unknown() const;
  SYMCUTE_H Tensor symcute_beside() const {
    Tensor t = symcute_unknown();
    symcute_repack(&t.symcute_held, symcute_held, symcute_any());
    return t;
  }
#define SYMCUTE_OPAQUE(name, made) \
  template <class... A> SYMCUTE_H Tensor name(const A &...) const { return made(); } \
  SYMCUTE_H Tensor name(symcute_shape) const { return made(); }
#define SYMCUTE_BESIDE(name) SYMCUTE_OPAQUE(name, symcute_beside)
  SYMCUTE_BESIDE(to) SYMCUTE_BESIDE(cpu) SYMCUTE_BESIDE(cuda) SYMCUTE_BESIDE(transpose)
  SYMCUTE_BESIDE(permute) SYMCUTE_BESIDE(squeeze) SYMCUTE_BESIDE(unsqueeze) SYMCUTE_BESIDE(expand)
#define SYMCUTE_NEW(name) SYMCUTE_OPAQUE(name, symcute_unknown)
  SYMCUTE_NEW(clone) SYMCUTE_NEW(sum) SYMCUTE_NEW(mean) SYMCUTE_NEW(argsort) SYMCUTE_NEW(cumsum)
  SYMCUTE_NEW(index_select) SYMCUTE_NEW(repeat) SYMCUTE_NEW(new_empty) SYMCUTE_NEW(new_zeros)
};
SYMCUTE_H inline Tensor symcute_made(IntArrayRef s, ScalarType type) {
  Tensor t;
  t.symcute_rank = s.symcute_rank; t.symcute_numel = s.symcute_numel;
#define SYMCUTE_COPY(i) t.size_##i = s.size_##i;
  SYMCUTE_EIGHT(SYMCUTE_COPY)
#define SYMCUTE_COPY_END(i) t.last_##i = s.last_##i;
  SYMCUTE_FOUR(SYMCUTE_COPY_END)
  t.symcute_type = type; t.symcute_contiguous = true;
  symcute_allocate(&t.symcute_held, s.symcute_numel * SYMCUTE_HELD(type));
  return t;
}
// What is made like another keeps its strides, if its elements lie without gaps.
SYMCUTE_H inline Tensor symcute_like(const Tensor &x, ScalarType type) {
  Tensor t = symcute_made(x.sizes(), type);
  t.symcute_contiguous = x.symcute_contiguous ? true : symcute_either();
  return t;
}
#define SYMCUTE_MAKES(name) \
  SYMCUTE_H inline Tensor name(IntArrayRef s, TensorOptions o = TensorOptions()) { \
    return symcute_made(s, o.symcute_type); } \
  SYMCUTE_H inline Tensor name##_like(const Tensor &x) { \
    return symcute_like(x, x.symcute_type); } \
  SYMCUTE_H inline Tensor name##_like(const Tensor &x, TensorOptions o) { \
    return symcute_like(x, o.symcute_type); }
SYMCUTE_MAKES(empty) SYMCUTE_MAKES(zeros) SYMCUTE_MAKES(ones) SYMCUTE_MAKES(rand) SYMCUTE_MAKES(randn)
SYMCUTE_H inline Tensor full_like(const Tensor &x, double) { return empty_like(x); }

template <class T, bool = true> struct symcute_acc { typedef T type; };
template <bool B> struct symcute_acc<Half, B> { typedef float type; };
template <bool B> struct symcute_acc<BFloat16, B> { typedef float type; };
template <> struct symcute_acc<float, false> { typedef double type; };
template <class T, bool B> using acc_type = typename symcute_acc<T, B>::type;
template <class T> using opmath_type = typename symcute_acc<T>::type;
SYMCUTE_H Device device_of(const Tensor &);

namespace cuda {
struct CUDAStream {
  SYMCUTE_H operator cudaStream_t() const;
  SYMCUTE_H cudaStream_t stream() const;
};
SYMCUTE_H CUDAStream getCurrentCUDAStream(signed char = -1);
SYMCUTE_H CUDAStream getDefaultCUDAStream(signed char = -1);
SYMCUTE_H cudaDeviceProp *getCurrentDeviceProperties();
struct CUDAGuard { SYMCUTE_H CUDAGuard(Device); SYMCUTE_H CUDAGuard(signed char); };
struct OptionalCUDAGuard {
  SYMCUTE_H OptionalCUDAGuard(); SYMCUTE_H OptionalCUDAGuard(Device);
};
}
}  // namespace at
namespace c10 {
using at::IntArrayRef; using at::TensorOptions;
namespace cuda {
using at::cuda::CUDAGuard; using at::cuda::OptionalCUDAGuard; using at::cuda::CUDAStream;
using at::cuda::getCurrentCUDAStream;
}
}
namespace at { using std::optional; using std::nullopt; }
namespace torch {
using std::optional; using std::nullopt;
using at::Tensor; using at::TensorOptions; using at::IntArrayRef; using at::ScalarType; using at::Half;
using at::BFloat16; using at::Device; using at::kCPU; using at::kCUDA; using at::elementSize;
using at::empty; using at::empty_like; using at::zeros; using at::zeros_like; using at::ones;
using at::ones_like; using at::rand; using at::randn; using at::full_like;
SYMCUTE_KINDS
typedef ScalarType Dtype;
SYMCUTE_H inline TensorOptions dtype(ScalarType t) { return TensorOptions(t); }
SYMCUTE_H inline TensorOptions device(Device) { return TensorOptions(); }
}

#define SYMCUTE_CHECK(...) do { if (!(__VA_ARGS__)) throw ::c10::Error(); } while (0)
#define TORCH_CHECK(cond, ...) SYMCUTE_CHECK(cond)
#define TORCH_CHECK_EQ(a, b) SYMCUTE_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) SYMCUTE_CHECK((a) != (b))
#define TORCH_CHECK_LE(a, b) SYMCUTE_CHECK((a) <= (b))
#define TORCH_CHECK_LT(a, b) SYMCUTE_CHECK((a) < (b))
#define TORCH_CHECK_GE(a, b) SYMCUTE_CHECK((a) >= (b))
#define TORCH_CHECK_GT(a, b) SYMCUTE_CHECK((a) > (b))
#define TORCH_CHECK_TYPE(cond, ...) SYMCUTE_CHECK(cond)
#define TORCH_CHECK_VALUE(cond, ...) SYMCUTE_CHECK(cond)
#define TORCH_INTERNAL_ASSERT(cond, ...) SYMCUTE_CHECK(cond)
#define AT_ASSERTM(cond, ...) SYMCUTE_CHECK(cond)
#define AT_ASSERT(cond, ...) SYMCUTE_CHECK(cond)
#define AT_ERROR(...) throw ::c10::Error()
#define TORCH_WARN(...) do { } while (0)
#define TORCH_WARN_ONCE(...) do { } while (0)
#define C10_CUDA_CHECK(...) do { __VA_ARGS__; } while (0)
#define AT_CUDA_CHECK(...) do { __VA_ARGS__; } while (0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() do { } while (0)
#define TORCH_CUDA_KERNEL_LAUNCH_CHECK() do { } while (0)
#define C10_RESTRICT __restrict__
#define C10_LAUNCH_BOUNDS_1(a) __launch_bounds__(a)
#define C10_LAUNCH_BOUNDS_2(a, b) __launch_bounds__(a, b)
#define C10_WARP_SIZE 32
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_ALWAYS_INLINE inline

#define AT_PRIVATE_CASE_TYPE_USING_HINT(e, hint, ...) \
  case e: { using hint = typename ::at::symcute_of::kind<e>::type; return __VA_ARGS__(); }
namespace at { namespace symcute_of {
template <ScalarType> struct kind;
#define SYMCUTE_KIND(T, N) template <> struct kind<ScalarType::N> { typedef T type; };
SYMCUTE_KIND(unsigned char, Byte) SYMCUTE_KIND(signed char, Char) SYMCUTE_KIND(short, Short)
SYMCUTE_KIND(int, Int) SYMCUTE_KIND(long, Long) SYMCUTE_KIND(float, Float) SYMCUTE_KIND(double, Double)
SYMCUTE_KIND(bool, Bool) SYMCUTE_KIND(Half, Half) SYMCUTE_KIND(BFloat16, BFloat16)
SYMCUTE_KIND(unsigned short, UInt16) SYMCUTE_KIND(unsigned, UInt32) SYMCUTE_KIND(unsigned long, UInt64)
SYMCUTE_KIND(c10::Float8_e5m2, Float8_e5m2) SYMCUTE_KIND(c10::Float8_e4m3fn, Float8_e4m3fn)
SYMCUTE_KIND(c10::Float8_e5m2fnuz, Float8_e5m2fnuz) SYMCUTE_KIND(c10::Float8_e4m3fnuz, Float8_e4m3fnuz)
SYMCUTE_KIND(c10::Float8_e8m0fnu, Float8_e8m0fnu)
} }
#define AT_DISPATCH_CASE(e, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(e, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...) \
  [&] { switch (TYPE) { __VA_ARGS__ default: throw ::c10::Error(); } }()
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) \
  AT_DISPATCH_CASE(::at::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...) \
  AT_DISPATCH_CASE(::at::ScalarType::Byte, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::Char, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::Int, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::Long, __VA_ARGS__) \
  AT_DISPATCH_CASE(::at::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE(::at::ScalarType::Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(E, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE(E, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(E, F, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE(E, __VA_ARGS__) AT_DISPATCH_CASE(F, __VA_ARGS__))

#define AT_DISPATCH_ALL_TYPES_AND(E, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE(E, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(E, F, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE(E, __VA_ARGS__) AT_DISPATCH_CASE(F, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(E, F, G, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
                     AT_DISPATCH_CASE(E, __VA_ARGS__) AT_DISPATCH_CASE(F, __VA_ARGS__) \
                     AT_DISPATCH_CASE(G, __VA_ARGS__))

// What device code takes of PyTorch: exchanges of warps, atomic additions, the ends of types. Of types
// of one and two bytes that are integers it adds within the word around them: those are not here.
template <class T> SYMCUTE_D T WARP_SHFL_XOR(T v, int lane, int width = 32, unsigned mask = ~0u) {
  return __shfl_xor_sync(mask, v, lane, width);
}
template <class T> SYMCUTE_D T WARP_SHFL(T v, int lane, int width = 32, unsigned mask = ~0u) {
  return __shfl_sync(mask, v, lane, width);
}
template <class T> SYMCUTE_D T WARP_SHFL_UP(T v, unsigned by, int width = 32, unsigned mask = ~0u) {
  return __shfl_up_sync(mask, v, by, width);
}
template <class T> SYMCUTE_D T WARP_SHFL_DOWN(T v, unsigned by, int width = 32, unsigned mask = ~0u) {
  return __shfl_down_sync(mask, v, by, width);
}
SYMCUTE_D unsigned WARP_BALLOT(int test, unsigned mask = ~0u) { return __ballot_sync(mask, test); }
SYMCUTE_D int WARP_ANY(int test, unsigned mask = ~0u) { return __any_sync(mask, test); }
SYMCUTE_D void WARP_SYNC(unsigned mask = ~0u) { __syncwarp(mask); }
#define SYMCUTE_GPU_ADD(T, as) \
  SYMCUTE_D T gpuAtomicAdd(T *at, T v) { return atomicAdd((as *)at, v); } \
  SYMCUTE_D void gpuAtomicAddNoReturn(T *at, T v) { atomicAdd((as *)at, v); }
SYMCUTE_GPU_ADD(int, int) SYMCUTE_GPU_ADD(float, float) SYMCUTE_GPU_ADD(double, double)
SYMCUTE_GPU_ADD(at::Half, __half) SYMCUTE_GPU_ADD(at::BFloat16, __nv_bfloat16)
SYMCUTE_D void gpuAtomicAdd(int64_t *at, int64_t v) { atomicAdd((unsigned long long *)at, v); }
template <class T> SYMCUTE_D void gpuAtomicAdd(c10::complex<T> *at, c10::complex<T> v) {
  gpuAtomicAdd(&at->real_, v.real_); gpuAtomicAdd(&at->imag_, v.imag_);
}
namespace at {
template <class T> struct numeric_limits {
  static SYMCUTE_D T lowest() { return std::numeric_limits<T>::lowest(); }
  static SYMCUTE_D T max() { return std::numeric_limits<T>::max(); }
  // The ends of an order: of floating-point numbers, infinities.
  static SYMCUTE_D T lower_bound() {
    if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::lowest();
  }
  static SYMCUTE_D T upper_bound() {
    if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::max();
  }
};
}

// A tensor as kernels take it whose strides are anything: `IndexToOffset` has the offset of an
// element by its number, for as many dims as the tensor has or a template says.
namespace at { namespace cuda { namespace detail {
template <class T, class I> struct TensorInfo {
  T *data;
  I sizes[25], strides[25];
  int dims;
  SYMCUTE_E bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};
template <class T, class I, int Dims> struct IndexToOffset {
  static SYMCUTE_E I get(I number, const TensorInfo<T, I> &info) {
    I offset = 0;
    for (int i = (Dims < 0 ? info.dims : Dims) - 1; i > 0; --i) {
      offset += number % info.sizes[i] * info.strides[i];
      number /= info.sizes[i];
    }
    return offset + number * info.strides[0];
  }
};
SYMCUTE_H inline bool canUse32BitIndexMath(const Tensor &t, int64_t most = INT_MAX) {
  return t.symcute_numel < most && (t.symcute_contiguous || symcute_either());
}
} } }

// Python's bindings come to no launch by themselves.
namespace symcute_python {
struct module_ {
  template <class... A> SYMCUTE_H module_ &def(const char *, A...);
  template <class... A> SYMCUTE_H module_ &impl(const char *, A...);
};
}
namespace pybind11 { using symcute_python::module_; }
namespace py = pybind11;
#define PYBIND11_MODULE(name, m) SYMCUTE_H static void symcute_bindings(::symcute_python::module_ &m)
#define TORCH_LIBRARY(name, m) SYMCUTE_H static void symcute_library(::symcute_python::module_ &m)
#define TORCH_LIBRARY_IMPL(name, key, m) \
  SYMCUTE_H static void symcute_library_##key(::symcute_python::module_ &m)
#define TORCH_LIBRARY_FRAGMENT(name, m) \
  SYMCUTE_H static void symcute_fragment(::symcute_python::module_ &m)

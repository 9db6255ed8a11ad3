// Numbers of 16 bits and fewer, and words of several: what is computed of them is not looked at.
//
// Included by the shim behind `__half` and `__nv_bfloat16`. Every function here without a body gives a
// value made of its arguments.

// --- half precision and bfloat16, in pairs --------------------------------------------------------

#define SYMCUTE_PAIRS(H, P) \
  SYMCUTE_D P operator-(const P &a) { return P(-a.x, -a.y); } \
  SYMCUTE_D P &operator-=(P &a, const P &b) { a = a - b; return a; } \
  SYMCUTE_D P &operator/=(P &a, const P &b) { a = a / b; return a; } \
  SYMCUTE_E bool operator==(const P &, const P &); SYMCUTE_E bool operator!=(const P &, const P &); \
  SYMCUTE_E bool operator<(const P &, const P &); SYMCUTE_E bool operator>(const P &, const P &); \
  SYMCUTE_E H __hadd_rn(H, H); SYMCUTE_E H __hsub_rn(H, H); SYMCUTE_E H __hmul_rn(H, H); \
  SYMCUTE_E H __hadd_sat(H, H); SYMCUTE_E H __hsub_sat(H, H); SYMCUTE_E H __hmul_sat(H, H); \
  SYMCUTE_E H __hfma_relu(H, H, H); SYMCUTE_E H __hfma_sat(H, H, H); \
  SYMCUTE_E H __hmax_nan(H, H); SYMCUTE_E H __hmin_nan(H, H); SYMCUTE_E int __hisinf(H); \
  SYMCUTE_E H hexp2(H); SYMCUTE_E H hexp10(H); SYMCUTE_E H hlog2(H); SYMCUTE_E H hlog10(H); \
  SYMCUTE_E H htanh(H); SYMCUTE_E H hceil(H); SYMCUTE_E H htrunc(H); SYMCUTE_E H hrint(H); \
  SYMCUTE_E H htanh_approx(H); \
  SYMCUTE_E bool __hequ(H, H); SYMCUTE_E bool __hneu(H, H); SYMCUTE_E bool __hltu(H, H); \
  SYMCUTE_E bool __hleu(H, H); SYMCUTE_E bool __hgtu(H, H); SYMCUTE_E bool __hgeu(H, H); \
  SYMCUTE_E P __hadd2_rn(P, P); SYMCUTE_E P __hsub2_rn(P, P); SYMCUTE_E P __hmul2_rn(P, P); \
  SYMCUTE_E P __hadd2_sat(P, P); SYMCUTE_E P __hsub2_sat(P, P); SYMCUTE_E P __hmul2_sat(P, P); \
  SYMCUTE_E P __hfma2_relu(P, P, P); SYMCUTE_E P __hfma2_sat(P, P, P); SYMCUTE_E P __habs2(P); \
  SYMCUTE_E P __hmax2_nan(P, P); SYMCUTE_E P __hmin2_nan(P, P); SYMCUTE_E P __hcmadd(P, P, P); \
  SYMCUTE_E P h2exp2(P); SYMCUTE_E P h2exp10(P); SYMCUTE_E P h2log(P); SYMCUTE_E P h2log2(P); \
  SYMCUTE_E P h2sqrt(P); SYMCUTE_E P h2rsqrt(P); SYMCUTE_E P h2rcp(P); SYMCUTE_E P h2sin(P); \
  SYMCUTE_E P h2cos(P); SYMCUTE_E P h2tanh(P); SYMCUTE_E P h2floor(P); SYMCUTE_E P h2ceil(P); \
  SYMCUTE_E P h2trunc(P); SYMCUTE_E P h2rint(P); SYMCUTE_E P h2tanh_approx(P); \
  SYMCUTE_E P __heq2(P, P); SYMCUTE_E P __hne2(P, P); SYMCUTE_E P __hlt2(P, P); \
  SYMCUTE_E P __hle2(P, P); SYMCUTE_E P __hgt2(P, P); SYMCUTE_E P __hge2(P, P); \
  SYMCUTE_E P __hisnan2(P); \
  SYMCUTE_E bool __hbeq2(P, P); SYMCUTE_E bool __hbne2(P, P); SYMCUTE_E bool __hblt2(P, P); \
  SYMCUTE_E bool __hble2(P, P); SYMCUTE_E bool __hbgt2(P, P); SYMCUTE_E bool __hbge2(P, P); \
  SYMCUTE_E unsigned __heq2_mask(P, P); SYMCUTE_E unsigned __hne2_mask(P, P); \
  SYMCUTE_E unsigned __hlt2_mask(P, P); SYMCUTE_E unsigned __hle2_mask(P, P); \
  SYMCUTE_E unsigned __hgt2_mask(P, P); SYMCUTE_E unsigned __hge2_mask(P, P);
SYMCUTE_PAIRS(__half, __half2) SYMCUTE_PAIRS(__nv_bfloat16, __nv_bfloat162)

#define SYMCUTE_ROUNDINGS(f, T, U) \
  SYMCUTE_E T f##_rn(U); SYMCUTE_E T f##_rz(U); SYMCUTE_E T f##_ru(U); SYMCUTE_E T f##_rd(U);
#define SYMCUTE_HALVES(H, name) \
  SYMCUTE_ROUNDINGS(__##name##2int, int, H) SYMCUTE_ROUNDINGS(__##name##2uint, unsigned, H) \
  SYMCUTE_ROUNDINGS(__##name##2short, short, H) \
  SYMCUTE_ROUNDINGS(__##name##2ushort, unsigned short, H) \
  SYMCUTE_ROUNDINGS(__##name##2ll, long long, H) \
  SYMCUTE_ROUNDINGS(__##name##2ull, unsigned long long, H) \
  SYMCUTE_ROUNDINGS(__uint2##name, H, unsigned) SYMCUTE_ROUNDINGS(__short2##name, H, short) \
  SYMCUTE_ROUNDINGS(__ushort2##name, H, unsigned short) \
  SYMCUTE_ROUNDINGS(__ll2##name, H, long long) \
  SYMCUTE_ROUNDINGS(__ull2##name, H, unsigned long long) \
  SYMCUTE_E H __float2##name##_rz(float); SYMCUTE_E H __float2##name##_ru(float); \
  SYMCUTE_E H __float2##name##_rd(float); SYMCUTE_E H __short_as_##name(short); \
  SYMCUTE_E short __##name##_as_short(H);
// What the shim has already is not declared again.
#define __half2int_rn symcute_half2int_rn
SYMCUTE_HALVES(__half, half)
#undef __half2int_rn
SYMCUTE_HALVES(__nv_bfloat16, bfloat16)
SYMCUTE_E __half __int2half_rz(int); SYMCUTE_E __nv_bfloat16 __int2bfloat16_rn(int);
SYMCUTE_E __nv_bfloat16 __double2bfloat16(double);
SYMCUTE_E __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
SYMCUTE_E unsigned short __bfloat16_as_ushort(__nv_bfloat16);
SYMCUTE_E __half2 __low2half2(__half2); SYMCUTE_E __half2 __high2half2(__half2);
SYMCUTE_E __half2 __lows2half2(__half2, __half2); SYMCUTE_E __half2 __highs2half2(__half2, __half2);
SYMCUTE_E __half2 __lowhigh2highlow(__half2);
SYMCUTE_E __nv_bfloat162 __low2bfloat162(__nv_bfloat162);
SYMCUTE_E __nv_bfloat162 __high2bfloat162(__nv_bfloat162);
SYMCUTE_E __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162);
SYMCUTE_E __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
SYMCUTE_E __nv_bfloat162 __float22bfloat162_rn(float2);
SYMCUTE_E float __low2float(__nv_bfloat162); SYMCUTE_E float __high2float(__nv_bfloat162);
struct __attribute__((aligned(4))) __half2_raw { unsigned short x, y; };
struct __attribute__((aligned(4))) __nv_bfloat162_raw { unsigned short x, y; };

// --- eight bits and four --------------------------------------------------------------------------

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_fp4_interpretation_t { __NV_E2M1 };
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#define SYMCUTE_NARROW(N, Storage, bytes, ...) \
  struct __attribute__((aligned(bytes))) N { \
    Storage __x; \
    N() = default; \
    __VA_ARGS__ \
  };
#define SYMCUTE_FROM(N) \
  SYMCUTE_E explicit N(float); SYMCUTE_E explicit N(double); SYMCUTE_E explicit N(__half); \
  SYMCUTE_E explicit N(__nv_bfloat16); SYMCUTE_E explicit N(int); SYMCUTE_E explicit N(unsigned); \
  SYMCUTE_E explicit operator float() const; SYMCUTE_E explicit operator double() const; \
  SYMCUTE_E explicit operator __half() const; SYMCUTE_E explicit operator __nv_bfloat16() const; \
  SYMCUTE_E explicit operator int() const; SYMCUTE_E explicit operator bool() const;
#define SYMCUTE_FROM2(N) \
  SYMCUTE_E explicit N(float2); SYMCUTE_E explicit N(double2); SYMCUTE_E explicit N(__half2); \
  SYMCUTE_E explicit N(__nv_bfloat162); SYMCUTE_E explicit operator float2() const; \
  SYMCUTE_E explicit operator __half2() const;
#define SYMCUTE_FROM4(N) \
  SYMCUTE_E explicit N(float4); SYMCUTE_E explicit N(double4); \
  SYMCUTE_E explicit N(__half2, __half2); SYMCUTE_E explicit N(__nv_bfloat162, __nv_bfloat162); \
  SYMCUTE_E explicit operator float4() const;
#define SYMCUTE_NARROWS(one, two, four, S1, S2, S4, b2, b4) \
  SYMCUTE_NARROW(one, S1, 1, SYMCUTE_FROM(one)) \
  SYMCUTE_NARROW(two, S2, b2, SYMCUTE_FROM2(two)) SYMCUTE_NARROW(four, S4, b4, SYMCUTE_FROM4(four))
SYMCUTE_NARROWS(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, unsigned char, unsigned short,
    unsigned, 2, 4)
SYMCUTE_NARROWS(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, unsigned char, unsigned short,
    unsigned, 2, 4)
SYMCUTE_NARROWS(__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0, unsigned char, unsigned short,
    unsigned, 2, 4)
SYMCUTE_NARROWS(__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, unsigned char, unsigned char,
    unsigned short, 1, 2)
#define SYMCUTE_TO_NARROW(from, T, n, S) \
  SYMCUTE_E S __nv_cvt_##from##_to_fp8##n(T, __nv_saturation_t, __nv_fp8_interpretation_t);
SYMCUTE_TO_NARROW(float, float, , unsigned char) SYMCUTE_TO_NARROW(double, double, , unsigned char)
SYMCUTE_TO_NARROW(float2, float2, x2, unsigned short)
SYMCUTE_TO_NARROW(halfraw, __half_raw, , unsigned char)
SYMCUTE_TO_NARROW(halfraw2, __half2_raw, x2, unsigned short)
SYMCUTE_TO_NARROW(bfloat16raw, __nv_bfloat16_raw, , unsigned char)
SYMCUTE_TO_NARROW(bfloat16raw2, __nv_bfloat162_raw, x2, unsigned short)
SYMCUTE_E __half_raw __nv_cvt_fp8_to_halfraw(unsigned char, __nv_fp8_interpretation_t);
SYMCUTE_E __half2_raw __nv_cvt_fp8x2_to_halfraw2(unsigned short, __nv_fp8_interpretation_t);
SYMCUTE_E unsigned char __nv_cvt_float_to_fp4(float, __nv_fp4_interpretation_t, cudaRoundMode);
SYMCUTE_E unsigned char __nv_cvt_float2_to_fp4x2(float2, __nv_fp4_interpretation_t, cudaRoundMode);

// --- several numbers in a word --------------------------------------------------------------------

#define SYMCUTE_WORD1(f) SYMCUTE_E unsigned __v##f##2(unsigned); SYMCUTE_E unsigned __v##f##4(unsigned);
#define SYMCUTE_WORD2(f) \
  SYMCUTE_E unsigned __v##f##2(unsigned, unsigned); SYMCUTE_E unsigned __v##f##4(unsigned, unsigned);
SYMCUTE_WORD1(abs) SYMCUTE_WORD1(absss) SYMCUTE_WORD1(neg) SYMCUTE_WORD1(negss)
SYMCUTE_WORD2(add) SYMCUTE_WORD2(addss) SYMCUTE_WORD2(addus) SYMCUTE_WORD2(sub)
SYMCUTE_WORD2(subss) SYMCUTE_WORD2(subus) SYMCUTE_WORD2(absdiffs) SYMCUTE_WORD2(absdiffu)
SYMCUTE_WORD2(avgs) SYMCUTE_WORD2(avgu) SYMCUTE_WORD2(haddu) SYMCUTE_WORD2(maxs)
SYMCUTE_WORD2(maxu) SYMCUTE_WORD2(mins) SYMCUTE_WORD2(minu) SYMCUTE_WORD2(sads)
SYMCUTE_WORD2(sadu) SYMCUTE_WORD2(cmpeq) SYMCUTE_WORD2(cmpges) SYMCUTE_WORD2(cmpgeu)
SYMCUTE_WORD2(cmpgts) SYMCUTE_WORD2(cmpgtu) SYMCUTE_WORD2(cmples) SYMCUTE_WORD2(cmpleu)
SYMCUTE_WORD2(cmplts) SYMCUTE_WORD2(cmpltu) SYMCUTE_WORD2(cmpne) SYMCUTE_WORD2(seteq)
SYMCUTE_WORD2(setges) SYMCUTE_WORD2(setgeu) SYMCUTE_WORD2(setgts) SYMCUTE_WORD2(setgtu)
SYMCUTE_WORD2(setles) SYMCUTE_WORD2(setleu) SYMCUTE_WORD2(setlts) SYMCUTE_WORD2(setltu)
SYMCUTE_WORD2(setne)
SYMCUTE_E int __dp2a_lo(int, int, int); SYMCUTE_E unsigned __dp2a_lo(unsigned, unsigned, unsigned);
SYMCUTE_E int __dp2a_hi(int, int, int); SYMCUTE_E unsigned __dp2a_hi(unsigned, unsigned, unsigned);

// One kernel a line: of 64 threads two race in x (66 elements), in s or in what the line declares.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__device__ int g_v;
__device__ int g_a[64];
struct L { int *p; __device__ void lock() { while (atomicCAS(p, 0, 1)) { } } __device__ void unlock() { atomicExch(p, 0); } };
__device__ void sync_if(bool b) { if (b) __syncthreads(); }
template <bool B> __device__ void sync_t() { if (B) __syncthreads(); }
__device__ int twice(int *s, int i) { int v = s[i]; __syncthreads(); return v + s[63 - i]; }

/// x[0] = i;
/// x[i / 2] = i;
/// x[i & 31] = i;
/// x[i % 63] = i;
/// x[i * 2 % 64] = i;
/// x[i ^ (i & 1)] = i;
/// x[min(i, 62)] = i;
/// g_v = i;
/// g_a[i / 2] = i;
/// s[i] = i; x[i] = s[63 - i];
/// s[i] = i; __syncwarp(); x[i] = s[63 - i];
/// s[i] = i; __threadfence_block(); x[i] = s[63 - i];
/// s[i] = i; if (i < 32) __syncwarp(); x[i] = s[63 - i];
/// s[i] = i; __syncthreads(); x[i] = s[63 - i]; s[i] = 2;
/// for (int k = 0; k < 3; ++k) { s[i] = k; __syncthreads(); x[i] = s[63 - i]; }
/// for (int k = 0; k < 3; ++k) { __syncthreads(); s[i] = k; x[i] = s[63 - i]; }
/// s[i] = i; sync_t<false>(); x[i] = s[63 - i];
/// s[i] = i; x[i] = twice(s, i); s[i] = 0;
/// x[i] = twice(s, i); s[i] = 0;
/// s[i] = i; x[i] = __shfl_xor_sync(~0u, s[i], 1) + s[i ^ 1];
/// atomicAdd(&x[0], 1); x[1] = x[0];
/// if (i == 0) x[0] = 1; else atomicAdd(&x[0], 1);
/// atomicAdd(&x[i / 2], 1); x[i] = 0;
/// atomicAdd_block(&x[0], 1); x[0] = 3;
/// x[i] = x[(i + 1) % 64];
/// x[i] = x[63 - i];
/// int v = x[63 - i]; x[i] = v;
/// int v = x[63 - i]; __syncwarp(); x[i] = v;
/// volatile int *y = x; y[i] = y[63 - i];
/// ((char *)x)[i / 2] = 1;
/// ((short *)x)[i] = 1; ((char *)x)[2 * i + 2] = 1;
/// ((int2 *)x)[i / 2].x = i;
/// *(int4 *)&x[i / 4 * 4] = make_int4(i, i, i, i);
/// int *y = x + (i & ~1); *y = i;
/// int k = i; k /= 2; x[k] = i;
/// unsigned k = i; k >>= 1; x[k] = i;
/// unsigned char k = i * 4; x[k / 4 % 64 * 0] = i;
/// unsigned char k = i * 8; x[k / 8] = i;
/// auto b = cg::this_thread_block(); s[i] = i; if (0) b.sync(); x[i] = s[63 - i];
/// auto t = cg::tiled_partition<32>(cg::this_thread_block()); s[i] = i; t.sync(); x[i] = s[63 - i];
/// if (i < 32) { s[i] = i; __syncwarp(); } x[i] = s[i / 2];
/// s[i] = i; __syncthreads(); if (i < 32) s[i] += s[i + 32]; if (i < 16) s[i] += s[i + 16]; x[i] = 0;
/// s[i] = i; __syncthreads(); for (int h = 32; h > 0; h >>= 1) { if (i < h) s[i] += s[i + h]; } x[i] = 0;
/// s[i] = i; __syncthreads(); for (int h = 32; h > 0; h >>= 1) { if (i <= h && i + h < 64) s[i] += s[i + h]; __syncthreads(); } x[i] = 0;
/// s[i] = i; __syncthreads(); for (int h = 1; h < 64; h *= 2) { int v = i >= h ? s[i - h] : 0; s[i] += v; __syncthreads(); } x[i] = 0;
/// s[i] = i; __syncthreads(); for (int h = 1; h < 64; h *= 2) { int v = i >= h ? s[i - h] : 0; __syncthreads(); s[i] += v; } x[i] = 0;
/// if (i == 5) s[0] = 1; x[i] = s[0];
/// if (i == 5) s[0] = 1; __syncthreads(); if (i == 6) s[0] = 2; x[i] = s[0];
/// s[i % 32] = i; x[i] = 0;
/// s[i] = 0; s[(i + 1) % 64] = 1; x[i] = 0;
/// asm volatile("st.shared.u32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(s)), "r"(i)); x[i] = 0;
/// asm volatile("st.global.u32 [%0], %1;" :: "l"(x), "r"(i));
/// printf("%d", x[0]); x[i] = 1;
/// L l{x}; l.lock(); x[1] += i; x[2] = 0; l.unlock(); x[2] = i;
/// memset(x, 0, 8);
/// memcpy(x + i / 2, s, 4);
/// x[i] = 0; if (i) x[i - 1] = 1;
/// x[i] += x[i + 1 < 64 ? i + 1 : i];
/// __shared__ int c; if (i == 0) c = 0; __syncthreads(); x[c++] = i;
/// __shared__ int c; if (i == 0) c = 0; __syncthreads(); x[i] = 1; c = i;
/// __shared__ int c; if (i == 0) c = 0; int k = atomicAdd(&c, 1); x[k & 63] = i;
/// static int st; st = i; x[i] = 0;
/// __shared__ struct { int a, b; } c; c.a = i; x[i] = 0;
/// __shared__ struct { int a : 4, b : 4; } c; if (i == 0) c.a = 1; if (i == 1) c.b = 1; x[i] = 0;
/// half2 *h = (half2 *)x; ((half *)h)[i / 2] = half(1.0f);
/// int *p[2] = {x, x}; p[i & 1][i / 2] = 1;
/// goto a; a: x[i / 2] = 1;
/// switch (i & 1) { case 0: x[i] = 1; break; case 1: x[i - 1] = 2; }
/// for (int k = i; k < 64; k += 32) x[k] = 1;
/// for (int k = 0; k < 2; ++k) x[(i + k) % 64] = 1;
/// int k = 63 - i; do { x[k] = 1; } while (--k > 62 - i - 1 && k >= 0);
/// int k = __popc(i); x[k] = 1;
/// int k = __brev(i) >> 27; x[k & 63] = 1;
/// int k = __ballot_sync(~0u, i > 3) & 63; x[k] = 1;
/// int k = __shfl_sync(~0u, i, 0); x[k] = 1;
/// int k = threadIdx.x + threadIdx.y; x[k / 2] = 1;
/// int k = (i & 3) | ((i >> 3) << 2); x[k] = 1;
/// int k = i - i % 2; x[k] = 1;
/// int k = (int)(i * 0.5f); x[k] = 1;
/// int k = i & -2; x[k] = 1;
/// int k = (short)(i << 11) >> 11; x[k & 63] = 1;
/// int k = i * 33 % 32; x[k] = 1;
/// int k = i * 3 % 63; x[k] = 1;

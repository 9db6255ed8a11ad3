// How large things of libraries are, how they are aligned, how many elements they have; or that nobody knows.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <curand_kernel.h>
#include <mma.h>
#include <complex>
#include <string>
namespace wmma = nvcuda::wmma;

struct OfTheHost { std::string name; std::vector<int> values; };
void host(OfTheHost &h) { h.values.push_back(1); }

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 512
__global__ void operand_elements(half *y) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
  wmma::fill_fragment(f, (half)0.0f);
  for (int i = 0; i < f.num_elements; i++) y[threadIdx.x * f.num_elements + i] = f.x[i];
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 511
// verdict: in_bounds=refuted
__global__ void operand_elements_one_less(half *y) {
  wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> f;
  wmma::fill_fragment(f, (half)0.0f);
  for (int i = 0; i < f.num_elements; i++) y[threadIdx.x * f.num_elements + i] = f.x[i];
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 256
__global__ void sum_elements(float *y) {
  wmma::fragment<wmma::accumulator, 8, 32, 16, float> f;
  wmma::fill_fragment(f, 0.0f);
  for (int i = 0; i < f.num_elements; i++) y[threadIdx.x * f.num_elements + i] = f.x[i];
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 256
// verdict: in_bounds=refuted write_race_free=refuted
__global__ void nine_of_eight(float *y) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
  wmma::fill_fragment(f, 0.0f);
  for (int i = 0; i <= f.num_elements; i++) y[threadIdx.x * 8 + i] = 1.0f;
}

// There are no such fragments.
// symcute: launch grid=(1) block=(32)
// symcute: extent y = 256
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void operand_of_no_shape(half *y) {
  wmma::fragment<wmma::matrix_a, 16, 16, 32, half, wmma::row_major> f;
  y[threadIdx.x] = f.x[0];
}

// symcute: launch grid=(1) block=(32) shared=1536
// symcute: extent y = 32
__global__ void states_of_48_bytes(float *y) {
  extern __shared__ char memory[];
  curandState *s = (curandState *)memory;
  curand_init(1, threadIdx.x, 0, &s[threadIdx.x]);
  y[threadIdx.x] = curand_uniform(&s[threadIdx.x]);
}

// symcute: launch grid=(1) block=(32) shared=1535
// symcute: extent y = 32
// verdict: in_bounds=refuted
__global__ void states_of_a_byte_less(float *y) {
  extern __shared__ char memory[];
  curandStateMRG32k3a *s = (curandStateMRG32k3a *)memory;
  curand_init(1, threadIdx.x, 0, &s[threadIdx.x]);
  y[threadIdx.x] = curand_normal(&s[threadIdx.x]);
}

// symcute: launch grid=(1) block=(32) shared=2047
// verdict: in_bounds=refuted
__global__ void states_of_64_bytes() {
  extern __shared__ char memory[];
  curandStatePhilox4_32_10_t *s = (curandStatePhilox4_32_10_t *)memory;
  curand4(&s[threadIdx.x]);
}

// symcute: launch grid=(1) block=(32)
// symcute: extent s = 32
// symcute: align s = 16
__global__ void states_aligned(curandStatePhilox4_32_10_t *s) {
  curandStatePhilox4_32_10_t t = s[threadIdx.x];
  curand(&t);
  s[threadIdx.x] = t;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent s = 32
// symcute: align s = 8
// verdict: aligned=refuted
__global__ void states_aligned_to_8(curandStatePhilox4_32_10_t *s) {
  curandStatePhilox4_32_10_t t = s[threadIdx.x];
  curand(&t);
  s[threadIdx.x] = t;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void bytes_of_a_twister(float *y) {
  __shared__ char memory[sizeof(curandStateMtgp32)];
  memory[threadIdx.x] = 0;
  y[threadIdx.x] = 0;
}

// symcute: launch grid=(1) block=(32) shared=256
// symcute: extent x = 32
__global__ void complex_of_8_bytes(cuda::std::complex<float> *x) {
  extern __shared__ char memory[];
  cuda::std::complex<float> *s = (cuda::std::complex<float> *)memory;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x] * s[threadIdx.x];
}

// symcute: launch grid=(1) block=(32) shared=32
// symcute: extent x = 32
// verdict: in_bounds=refuted
__global__ void complex_in_a_byte(cuda::std::complex<float> *x) {
  extern __shared__ char memory[];
  cuda::std::complex<float> *s = (cuda::std::complex<float> *)memory;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x];
}

// That of the C++ library is aligned as a number of it is.
// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// symcute: align x = 4
__global__ void complex_of_the_host(std::complex<float> *x) { x[threadIdx.x] = 1.0f; }

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// symcute: align x = 4
// verdict: aligned=refuted
__global__ void complex_of_the_device(cuda::std::complex<float> *x) { x[threadIdx.x] = 1.0f; }

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 64
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void tuples(cuda::std::tuple<int, int> *x) { x[threadIdx.x] = x[0]; }

template <class T> __device__ int bytes() { return sizeof(T); }

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 64
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void tuples_far_away(int *x) { x[threadIdx.x] = bytes<std::tuple<int>>(); }

// symcute: launch grid=(1) block=(32)
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void shared_of_no_size() {
  __shared__ cuda::pipeline<cuda::thread_scope_block> p[8192];
}

// What else a library has.
// symcute: launch grid=(1) block=(32)
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void of_no_name() {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> p;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// verdict: write_race_free=unknown barrier_uniform=unknown
__global__ void barriers_that_count(int *x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 32);
  x[threadIdx.x] = 1;
  b.arrive_and_wait();
}

// symcute: launch grid=(1) block=(6144) shared=0
// verdict: launch_valid=refuted in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void too_many_threads() { __shared__ cuda::barrier<cuda::thread_scope_block> b[6145]; }

// symcute: launch grid=(1) block=(32)
// verdict: launch_valid=refuted
__global__ void barriers_too_many() {
  __shared__ cuda::barrier<cuda::thread_scope_block> b[6145];
  char *bytes = (char *)b;
  bytes[threadIdx.x] = 0;
}

struct Packed { unsigned long : 64; int held; };

// Bits without a name take room.
// symcute: launch grid=(1) block=(4)
// symcute: extent x = 3
// verdict: in_bounds=refuted
__global__ void room_without_a_name(Packed *x) { x[threadIdx.x].held = 1; }

// CuTe C++: layouts, tiles and partitions, right ones and false neighbours.

#include <cute/tensor.hpp>

using namespace cute;

// symcute: launch grid=(ceil_div(M,32),ceil_div(N,64)) block=(256)
// symcute: extent A = M*ld
// symcute: extent C = M*ld
// symcute: assume ld >= N
// symcute: assume M*ld <= 2**31-1
// symcute: assume ld <= 2**20
// symcute: assume M <= 2**20
// truth: all
template <int BM, int BN>
__global__ void doubled(float const *A, float *C, int M, int N, int ld) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(ld, Int<1>{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(ld, Int<1>{}));
  auto tile = Shape<Int<BM>, Int<BN>>{};
  auto at = make_coord(blockIdx.x, blockIdx.y);
  Tensor gA = local_tile(mA, tile, at);
  Tensor gC = local_tile(mC, tile, at);
  Tensor cC = local_tile(make_identity_tensor(make_shape(M, N)), tile, at);
  auto threads = make_layout(Shape<_8, _32>{}, LayoutRight{});
  Tensor tA = local_partition(gA, threads, threadIdx.x);
  Tensor tC = local_partition(gC, threads, threadIdx.x);
  Tensor tc = local_partition(cC, threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i)
    if (elem_less(tc(i), make_shape(M, N))) tC(i) = 2.f * tA(i);
}
template __global__ void doubled<32, 64>(float const *, float *, int, int, int);

// Without the test of the ends.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,64)) block=(256)
// symcute: extent A = M*ld
// symcute: extent C = M*ld
// symcute: assume ld >= N
// symcute: assume M*ld <= 2**31-1
// symcute: assume ld <= 2**20
// symcute: assume M <= 2**20
// truth: in_bounds=no write_race_free=no
template <int BM, int BN>
__global__ void doubled_to_the_end(float const *A, float *C, int M, int N, int ld) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(ld, Int<1>{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(ld, Int<1>{}));
  auto tile = Shape<Int<BM>, Int<BN>>{};
  auto at = make_coord(blockIdx.x, blockIdx.y);
  Tensor gA = local_tile(mA, tile, at);
  Tensor gC = local_tile(mC, tile, at);
  auto threads = make_layout(Shape<_8, _32>{}, LayoutRight{});
  Tensor tA = local_partition(gA, threads, threadIdx.x);
  Tensor tC = local_partition(gC, threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i) tC(i) = 2.f * tA(i);
}
template __global__ void doubled_to_the_end<32, 64>(float const *, float *, int, int, int);

// Through shared memory, tile by tile, all of which divide.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**20
// symcute: assume n <= 65535
// truth: all
__global__ void transposed(float const *A, float *C, int M, int N) {
  __shared__ float memory[32 * 33];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, Int<1>{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, Int<1>{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  Tensor s = make_tensor(make_smem_ptr(memory), Shape<_32, _32>{}, Stride<Int<33>, _1>{});
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor from = local_partition(gA, threads, threadIdx.x);
  Tensor in = local_partition(s, threads, threadIdx.x);
  for (int i = 0; i < size(from); ++i) in(i) = from(i);
  __syncthreads();
  Tensor back = make_tensor(make_smem_ptr(memory), Shape<_32, _32>{}, Stride<_1, Int<33>>{});
  Tensor to = local_partition(gC, threads, threadIdx.x);
  Tensor out = local_partition(back, threads, threadIdx.x);
  for (int i = 0; i < size(to); ++i) to(i) = out(i);
}

// Without the barrier.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**20
// symcute: assume n <= 65535
// truth: read_write_race_free=no
__global__ void transposed_at_once(float const *A, float *C, int M, int N) {
  __shared__ float memory[32 * 33];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, Int<1>{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, Int<1>{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  Tensor s = make_tensor(make_smem_ptr(memory), Shape<_32, _32>{}, Stride<Int<33>, _1>{});
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor from = local_partition(gA, threads, threadIdx.x);
  Tensor in = local_partition(s, threads, threadIdx.x);
  for (int i = 0; i < size(from); ++i) in(i) = from(i);
  Tensor back = make_tensor(make_smem_ptr(memory), Shape<_32, _32>{}, Stride<_1, Int<33>>{});
  Tensor to = local_partition(gC, threads, threadIdx.x);
  Tensor out = local_partition(back, threads, threadIdx.x);
  for (int i = 0; i < size(to); ++i) to(i) = out(i);
}

// Rows of 31 in shared memory that has rows of 32 read back: a thread too many meets another's.
// symcute: launch grid=(m) block=(256)
// symcute: arg M = 8*m
// symcute: extent C = 256*m
// symcute: assume m <= 2**20
// truth: write_race_free=no
__global__ void rows_too_near(float *C, int M) {
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, Int<32>{}), make_stride(Int<31>{}, Int<1>{}));
  Tensor gC = local_tile(mC, Shape<_8, _32>{}, make_coord(blockIdx.x, 0));
  Tensor tC = local_partition(gC, make_layout(Shape<_8, _32>{}, LayoutRight{}), threadIdx.x);
  tC(0) = 1.f;
}

// CuTe C++: copies, transposes, small products, slices and casts, right ones and false neighbours.
// What is true of each, executions by g++ with the same headers bear out.

#include <cute/tensor.hpp>

using namespace cute;

// Tiles with a test of the ends.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
__global__ void copied(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor cC = make_identity_tensor(make_shape(M, N));
  Tensor tc = local_partition(local_tile(cC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i)
    if (elem_less(tc(i), make_shape(M, N))) tC(i) = tA(i);
}

// The same without a test.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
// truth: in_bounds=no write_race_free=no
__global__ void copied_to_the_end(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  copy(tA, tC);
}

// Without a test, where tiles divide.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
__global__ void copied_whole(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  copy(tA, tC);
}

// The test has rows and columns the wrong way round.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
// truth: in_bounds=no write_race_free=no
// run: M=3 N=9
// run: M=40 N=3
__global__ void copied_other_ends(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor cC = make_identity_tensor(make_shape(M, N));
  Tensor tc = local_partition(local_tile(cC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i)
    if (elem_less(tc(i), make_shape(N, M))) tC(i) = tA(i);
}

// The test lets one row more through.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
// truth: in_bounds=no
__global__ void copied_one_more(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor cC = make_identity_tensor(make_shape(M, N));
  Tensor tc = local_partition(local_tile(cC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i)
    if (get<0>(tc(i)) <= M && get<1>(tc(i)) < N) tC(i) = tA(i);
}

// A tensor of predicates, and a copy that asks it.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
__global__ void copied_by_predicates(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor cC = make_identity_tensor(make_shape(M, N));
  Tensor tc = local_partition(local_tile(cC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor p = make_tensor<bool>(shape(tA));
  for (int i = 0; i < size(p); ++i) p(i) = elem_less(tc(i), make_shape(M, N));
  Tensor r = make_fragment_like(tA);
  copy_if(p, tA, r);
  copy_if(p, r, tC);
}

// Predicates that are computed where they are asked.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
__global__ void copied_lazily(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  auto ends = make_shape(M, N);
  Tensor p = lazy::transform(make_identity_tensor(ends), [&](auto c) { return elem_less(c, ends); });
  Tensor tp = local_partition(local_tile(p, Shape<_32, _32>{}, at), threads, threadIdx.x);
  copy_if(tp, tA, tC);
}

// Through shared memory in rows of 33.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
__global__ void transposed_in_rows(const float *A, float *C, int M, int N) {
  __shared__ float memory[32 * 33];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor s = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
  Tensor b = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<_1, Int<33>>>{});
  copy(local_partition(gA, threads, threadIdx.x), local_partition(s, threads, threadIdx.x));
  __syncthreads();
  copy(local_partition(b, threads, threadIdx.x), local_partition(gC, threads, threadIdx.x));
}

// Rows of 33 in memory of rows of 32.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
// truth: in_bounds=no
__global__ void transposed_too_small(const float *A, float *C, int M, int N) {
  __shared__ float memory[32 * 32];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor s = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
  Tensor b = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<_1, Int<33>>>{});
  copy(local_partition(gA, threads, threadIdx.x), local_partition(s, threads, threadIdx.x));
  __syncthreads();
  copy(local_partition(b, threads, threadIdx.x), local_partition(gC, threads, threadIdx.x));
}

// Without the barrier.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
// truth: read_write_race_free=no
__global__ void transposed_unsynchronized(const float *A, float *C, int M, int N) {
  __shared__ float memory[32 * 33];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor s = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
  Tensor b = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<_1, Int<33>>>{});
  copy(local_partition(gA, threads, threadIdx.x), local_partition(s, threads, threadIdx.x));
  copy(local_partition(b, threads, threadIdx.x), local_partition(gC, threads, threadIdx.x));
}

// Through a swizzle.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
__global__ void transposed_swizzled(const float *A, float *C, int M, int N) {
  __shared__ float memory[32 * 32];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor s = make_tensor(make_smem_ptr(memory), composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{}));
  Tensor b = make_tensor(make_smem_ptr(memory), composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_1, _32>>{}));
  copy(local_partition(gA, threads, threadIdx.x), local_partition(s, threads, threadIdx.x));
  __syncthreads();
  copy(local_partition(b, threads, threadIdx.x), local_partition(gC, threads, threadIdx.x));
}

// Rows of 31: the last column lies on the next row.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
// truth: write_race_free=no
__global__ void transposed_narrow(const float *A, float *C, int M, int N) {
  __shared__ float memory[32 * 32];
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(N, M), make_stride(M, _1{})),
                         Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor s = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<Int<31>, _1>>{});
  Tensor b = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _32>, Stride<_1, Int<31>>>{});
  copy(local_partition(gA, threads, threadIdx.x), local_partition(s, threads, threadIdx.x));
  __syncthreads();
  copy(local_partition(b, threads, threadIdx.x), local_partition(gC, threads, threadIdx.x));
}

// Four at once.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 64*m
// symcute: arg N = 32*n
// symcute: extent A = 2048*m*n
// symcute: extent C = 2048*m*n
// symcute: assume m*n <= 2**9
// symcute: align A = 16
// symcute: align C = 16
__global__ void vectors(const float *A, float *C, int M, int N) {
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                               Layout<Shape<_16, _8>>{}, Layout<Shape<_4, _1>>{});
  auto thread = tiled.get_slice(threadIdx.x);
  Tensor r = make_fragment_like(thread.partition_D(gC));
  copy(tiled, thread.partition_S(gA), r);
  copy(tiled, r, thread.partition_D(gC));
}

// Four at once, from where floats lie.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 64*m
// symcute: arg N = 32*n
// symcute: extent A = 2048*m*n
// symcute: extent C = 2048*m*n
// symcute: assume m*n <= 2**9
// symcute: align A = 4
// symcute: align C = 4
// truth: aligned=no
__global__ void vectors_anywhere(const float *A, float *C, int M, int N) {
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                               Layout<Shape<_16, _8>>{}, Layout<Shape<_4, _1>>{});
  auto thread = tiled.get_slice(threadIdx.x);
  Tensor r = make_fragment_like(thread.partition_D(gC));
  copy(tiled, thread.partition_S(gA), r);
  copy(tiled, r, thread.partition_D(gC));
}

// Four at once down columns whose length four does not divide.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 64*m+1
// symcute: arg N = 32*n
// symcute: extent A = 32*n*(64*m+1)
// symcute: extent C = 32*n*(64*m+1)
// symcute: assume m*n <= 2**9
// symcute: align A = 16
// symcute: align C = 16
// truth: aligned=no
__global__ void vectors_of_rows(const float *A, float *C, int M, int N) {
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                               Layout<Shape<_16, _8>>{}, Layout<Shape<_4, _1>>{});
  auto thread = tiled.get_slice(threadIdx.x);
  Tensor r = make_fragment_like(thread.partition_D(gC));
  copy(tiled, thread.partition_S(gA), r);
  copy(tiled, r, thread.partition_D(gC));
}

// Twice as many threads as the tile has places for.
// symcute: launch grid=(m,n) block=(256)
// symcute: arg M = 64*m
// symcute: arg N = 32*n
// symcute: extent A = 2048*m*n
// symcute: extent C = 2048*m*n
// symcute: assume m*n <= 2**9
// symcute: align A = 16
// symcute: align C = 16
// truth: in_bounds=no write_race_free=no
__global__ void vectors_twice(const float *A, float *C, int M, int N) {
  Tensor gA = local_tile(make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gC = local_tile(make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M)),
                         Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                               Layout<Shape<_16, _8>>{}, Layout<Shape<_4, _1>>{});
  auto thread = tiled.get_slice(threadIdx.x);
  Tensor r = make_fragment_like(thread.partition_D(gC));
  copy(tiled, thread.partition_S(gA), r);
  copy(tiled, r, thread.partition_D(gC));
}

// A product by way of shared memory.
// symcute: launch grid=(m,n) block=(64)
// symcute: arg M = 16*m
// symcute: arg N = 16*n
// symcute: arg K = 8*k
// symcute: extent A = 128*m*k
// symcute: extent B = 128*n*k
// symcute: extent C = 256*m*n
// symcute: assume m*n <= 2**10
// symcute: assume m*k <= 2**10
// symcute: assume n*k <= 2**10
// symcute: assume k >= 1
__global__ void multiplied(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float memA[16 * 8], memB[16 * 8];
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(_1{}, M));
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, N));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M));
  Tensor gA = local_tile(mA, Shape<_16, _8>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(mB, Shape<_16, _8>{}, make_coord(blockIdx.y, _));
  Tensor gC = local_tile(mC, Shape<_16, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor sA = make_tensor(make_smem_ptr(memA), Layout<Shape<_16, _8>>{});
  Tensor sB = make_tensor(make_smem_ptr(memB), Layout<Shape<_16, _8>>{});
  auto tAB = Layout<Shape<_16, _4>>{};
  auto tC = Layout<Shape<_8, _8>>{};
  Tensor tAgA = local_partition(gA, tAB, threadIdx.x);
  Tensor tAsA = local_partition(sA, tAB, threadIdx.x);
  Tensor tBgB = local_partition(gB, tAB, threadIdx.x);
  Tensor tBsB = local_partition(sB, tAB, threadIdx.x);
  Tensor tCsA = local_partition(sA, tC, threadIdx.x, Step<_1, X>{});
  Tensor tCsB = local_partition(sB, tC, threadIdx.x, Step<X, _1>{});
  Tensor tCgC = local_partition(gC, tC, threadIdx.x, Step<_1, _1>{});
  Tensor r = make_tensor_like(tCgC);
  clear(r);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(tAgA(_, _, k), tAsA);
    copy(tBgB(_, _, k), tBsB);
    __syncthreads();
    gemm(tCsA, tCsB, r);
    __syncthreads();
  }
  axpby(1.f, r, 0.f, tCgC);
}

// Without the barrier before it is read.
// symcute: launch grid=(m,n) block=(64)
// symcute: arg M = 16*m
// symcute: arg N = 16*n
// symcute: arg K = 8*k
// symcute: extent A = 128*m*k
// symcute: extent B = 128*n*k
// symcute: extent C = 256*m*n
// symcute: assume m*n <= 2**10
// symcute: assume m*k <= 2**10
// symcute: assume n*k <= 2**10
// symcute: assume k >= 1
// truth: read_write_race_free=no
__global__ void multiplied_read_too_early(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float memA[16 * 8], memB[16 * 8];
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(_1{}, M));
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, N));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M));
  Tensor gA = local_tile(mA, Shape<_16, _8>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(mB, Shape<_16, _8>{}, make_coord(blockIdx.y, _));
  Tensor gC = local_tile(mC, Shape<_16, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor sA = make_tensor(make_smem_ptr(memA), Layout<Shape<_16, _8>>{});
  Tensor sB = make_tensor(make_smem_ptr(memB), Layout<Shape<_16, _8>>{});
  auto tAB = Layout<Shape<_16, _4>>{};
  auto tC = Layout<Shape<_8, _8>>{};
  Tensor tAgA = local_partition(gA, tAB, threadIdx.x);
  Tensor tAsA = local_partition(sA, tAB, threadIdx.x);
  Tensor tBgB = local_partition(gB, tAB, threadIdx.x);
  Tensor tBsB = local_partition(sB, tAB, threadIdx.x);
  Tensor tCsA = local_partition(sA, tC, threadIdx.x, Step<_1, X>{});
  Tensor tCsB = local_partition(sB, tC, threadIdx.x, Step<X, _1>{});
  Tensor tCgC = local_partition(gC, tC, threadIdx.x, Step<_1, _1>{});
  Tensor r = make_tensor_like(tCgC);
  clear(r);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(tAgA(_, _, k), tAsA);
    copy(tBgB(_, _, k), tBsB);
    gemm(tCsA, tCsB, r);
    __syncthreads();
  }
  axpby(1.f, r, 0.f, tCgC);
}

// Without the barrier before the next tiles.
// symcute: launch grid=(m,n) block=(64)
// symcute: arg M = 16*m
// symcute: arg N = 16*n
// symcute: arg K = 8*k
// symcute: extent A = 128*m*k
// symcute: extent B = 128*n*k
// symcute: extent C = 256*m*n
// symcute: assume m*n <= 2**10
// symcute: assume m*k <= 2**10
// symcute: assume n*k <= 2**10
// symcute: assume k >= 1
// truth: read_write_race_free=no
__global__ void multiplied_overwritten(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float memA[16 * 8], memB[16 * 8];
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(_1{}, M));
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, N));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M));
  Tensor gA = local_tile(mA, Shape<_16, _8>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(mB, Shape<_16, _8>{}, make_coord(blockIdx.y, _));
  Tensor gC = local_tile(mC, Shape<_16, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor sA = make_tensor(make_smem_ptr(memA), Layout<Shape<_16, _8>>{});
  Tensor sB = make_tensor(make_smem_ptr(memB), Layout<Shape<_16, _8>>{});
  auto tAB = Layout<Shape<_16, _4>>{};
  auto tC = Layout<Shape<_8, _8>>{};
  Tensor tAgA = local_partition(gA, tAB, threadIdx.x);
  Tensor tAsA = local_partition(sA, tAB, threadIdx.x);
  Tensor tBgB = local_partition(gB, tAB, threadIdx.x);
  Tensor tBsB = local_partition(sB, tAB, threadIdx.x);
  Tensor tCsA = local_partition(sA, tC, threadIdx.x, Step<_1, X>{});
  Tensor tCsB = local_partition(sB, tC, threadIdx.x, Step<X, _1>{});
  Tensor tCgC = local_partition(gC, tC, threadIdx.x, Step<_1, _1>{});
  Tensor r = make_tensor_like(tCgC);
  clear(r);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(tAgA(_, _, k), tAsA);
    copy(tBgB(_, _, k), tBsB);
    __syncthreads();
    gemm(tCsA, tCsB, r);
  }
  axpby(1.f, r, 0.f, tCgC);
}

// Threads that meet on one place of C.
// symcute: launch grid=(m,n) block=(64)
// symcute: arg M = 16*m
// symcute: arg N = 16*n
// symcute: arg K = 8*k
// symcute: extent A = 128*m*k
// symcute: extent B = 128*n*k
// symcute: extent C = 256*m*n
// symcute: assume m*n <= 2**10
// symcute: assume m*k <= 2**10
// symcute: assume n*k <= 2**10
// symcute: assume k >= 1
// truth: write_race_free=no
__global__ void multiplied_of_fewer_threads(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float memA[16 * 8], memB[16 * 8];
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(_1{}, M));
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, N));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M));
  Tensor gA = local_tile(mA, Shape<_16, _8>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(mB, Shape<_16, _8>{}, make_coord(blockIdx.y, _));
  Tensor gC = local_tile(mC, Shape<_16, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor sA = make_tensor(make_smem_ptr(memA), Layout<Shape<_16, _8>>{});
  Tensor sB = make_tensor(make_smem_ptr(memB), Layout<Shape<_16, _8>>{});
  auto tAB = Layout<Shape<_16, _4>>{};
  auto tC = Layout<Shape<_8, _8>, Stride<_1, _4>>{};
  Tensor tAgA = local_partition(gA, tAB, threadIdx.x);
  Tensor tAsA = local_partition(sA, tAB, threadIdx.x);
  Tensor tBgB = local_partition(gB, tAB, threadIdx.x);
  Tensor tBsB = local_partition(sB, tAB, threadIdx.x);
  Tensor tCsA = local_partition(sA, tC, threadIdx.x, Step<_1, X>{});
  Tensor tCsB = local_partition(sB, tC, threadIdx.x, Step<X, _1>{});
  Tensor tCgC = local_partition(gC, tC, threadIdx.x, Step<_1, _1>{});
  Tensor r = make_tensor_like(tCgC);
  clear(r);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(tAgA(_, _, k), tAsA);
    copy(tBgB(_, _, k), tBsB);
    __syncthreads();
    gemm(tCsA, tCsB, r);
    __syncthreads();
  }
  axpby(1.f, r, 0.f, tCgC);
}

// Threads that meet in shared memory.
// symcute: launch grid=(m,n) block=(64)
// symcute: arg M = 16*m
// symcute: arg N = 16*n
// symcute: arg K = 8*k
// symcute: extent A = 128*m*k
// symcute: extent B = 128*n*k
// symcute: extent C = 256*m*n
// symcute: assume m*n <= 2**10
// symcute: assume m*k <= 2**10
// symcute: assume n*k <= 2**10
// symcute: assume k >= 1
// truth: write_race_free=no
__global__ void multiplied_loaded_twice(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float memA[16 * 8], memB[16 * 8];
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(_1{}, M));
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, N));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, M));
  Tensor gA = local_tile(mA, Shape<_16, _8>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(mB, Shape<_16, _8>{}, make_coord(blockIdx.y, _));
  Tensor gC = local_tile(mC, Shape<_16, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor sA = make_tensor(make_smem_ptr(memA), Layout<Shape<_16, _8>>{});
  Tensor sB = make_tensor(make_smem_ptr(memB), Layout<Shape<_16, _8>>{});
  auto tAB = Layout<Shape<_16, _4>, Stride<_1, _8>>{};
  auto tC = Layout<Shape<_8, _8>>{};
  Tensor tAgA = local_partition(gA, tAB, threadIdx.x);
  Tensor tAsA = local_partition(sA, tAB, threadIdx.x);
  Tensor tBgB = local_partition(gB, tAB, threadIdx.x);
  Tensor tBsB = local_partition(sB, tAB, threadIdx.x);
  Tensor tCsA = local_partition(sA, tC, threadIdx.x, Step<_1, X>{});
  Tensor tCsB = local_partition(sB, tC, threadIdx.x, Step<X, _1>{});
  Tensor tCgC = local_partition(gC, tC, threadIdx.x, Step<_1, _1>{});
  Tensor r = make_tensor_like(tCgC);
  clear(r);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(tAgA(_, _, k), tAsA);
    copy(tBgB(_, _, k), tBsB);
    __syncthreads();
    gemm(tCsA, tCsB, r);
    __syncthreads();
  }
  axpby(1.f, r, 0.f, tCgC);
}

// A row for each thread.
// symcute: launch grid=(ceil_div(M,128)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M
// symcute: assume M*N <= 2**20
__global__ void sums(const float *A, float *C, int M, int N) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M));
  if (m < size(mC)) {
    Tensor row = mA(m, _);
    float sum = 0;
    for (int n = 0; n < size(row); ++n) sum += row(n);
    mC(m) = sum;
  }
}

// Rows are taken for columns.
// symcute: launch grid=(ceil_div(M,128)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M
// symcute: assume M*N <= 2**20
// truth: in_bounds=no no_overflow=no
// run: M=1048576 N=1 blocks=8191 threads=127
__global__ void sums_of_columns(const float *A, float *C, int M, int N) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(N, M), make_stride(M, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M));
  if (m < size(mC)) {
    Tensor row = mA(m, _);
    float sum = 0;
    for (int n = 0; n < size(row); ++n) sum += row(n);
    mC(m) = sum;
  }
}

// A vector that is a matrix of stride 0.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M
// symcute: extent C = M*N
// symcute: assume M*N <= 2**20
__global__ void spread(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(_1{}, _0{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor cC = make_identity_tensor(make_shape(M, N));
  Tensor tc = local_partition(local_tile(cC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i)
    if (elem_less(tc(i), make_shape(M, N))) tC(i) = tA(i);
}

// A matrix of stride 0 that is written.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = M*N
// symcute: extent C = M
// symcute: assume M*N <= 2**20
// truth: write_race_free=no
__global__ void gathered(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(_1{}, _0{}));
  auto at = make_coord(blockIdx.x, blockIdx.y);
  auto threads = make_layout(Shape<_4, _32>{}, LayoutRight{});
  Tensor tA = local_partition(local_tile(mA, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor tC = local_partition(local_tile(mC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  Tensor cC = make_identity_tensor(make_shape(M, N));
  Tensor tc = local_partition(local_tile(cC, Shape<_32, _32>{}, at), threads, threadIdx.x);
  for (int i = 0; i < size(tA); ++i)
    if (elem_less(tc(i), make_shape(M, N))) tC(i) = tA(i);
}

// A block for each matrix of a batch.
// symcute: launch grid=(1,1,L) block=(64)
// symcute: extent A = M*N*L
// symcute: extent C = M*N*L
// symcute: assume M*N*L <= 2**20
// symcute: assume L <= 65535
__global__ void batches(const float *A, float *C, int M, int N, int L) {
  auto shape = make_shape(M, N, L);
  Tensor mA = make_tensor(make_gmem_ptr(A), shape, GenColMajor{});
  Tensor mC = make_tensor(make_gmem_ptr(C), shape, GenColMajor{});
  Tensor a = mA(_, _, blockIdx.z);
  Tensor c = mC(_, _, blockIdx.z);
  for (int i = threadIdx.x; i < size(c); i += blockDim.x) c(i) = a(i);
}

// The next one of the batch.
// symcute: launch grid=(1,1,L) block=(64)
// symcute: extent A = M*N*L
// symcute: extent C = M*N*L
// symcute: assume M*N*L <= 2**20
// symcute: assume L <= 65535
// truth: in_bounds=no
__global__ void batches_shifted(const float *A, float *C, int M, int N, int L) {
  auto shape = make_shape(M, N, L);
  Tensor mA = make_tensor(make_gmem_ptr(A), shape, GenColMajor{});
  Tensor mC = make_tensor(make_gmem_ptr(C), shape, GenColMajor{});
  Tensor a = mA(_, _, blockIdx.z + 1);
  Tensor c = mC(_, _, blockIdx.z + 1);
  for (int i = threadIdx.x; i < size(c); i += blockDim.x) c(i) = a(i);
}

// Tiles by division.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
__global__ void divided(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  Tensor a = zipped_divide(mA, Shape<_32, _32>{})(make_coord(_, _), make_coord(blockIdx.x, blockIdx.y));
  Tensor c = zipped_divide(mC, Shape<_32, _32>{})(make_coord(_, _), make_coord(blockIdx.x, blockIdx.y));
  for (int i = threadIdx.x; i < size(c); i += blockDim.x) c(i) = a(i);
}

// Tiles of the other coordinate.
// symcute: launch grid=(m,n) block=(128)
// symcute: arg M = 32*m
// symcute: arg N = 32*n
// symcute: extent A = 1024*m*n
// symcute: extent C = 1024*m*n
// symcute: assume m*n <= 2**10
// truth: in_bounds=no write_race_free=no
__global__ void divided_the_other_way(const float *A, float *C, int M, int N) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(N, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  Tensor a = zipped_divide(mA, Shape<_32, _32>{})(make_coord(_, _), make_coord(blockIdx.y, blockIdx.x));
  Tensor c = zipped_divide(mC, Shape<_32, _32>{})(make_coord(_, _), make_coord(blockIdx.y, blockIdx.x));
  for (int i = threadIdx.x; i < size(c); i += blockDim.x) c(i) = a(i);
}

// Bytes as words.
// symcute: launch grid=(n) block=(64)
// symcute: arg N = 256*n
// symcute: extent A = 256*n
// symcute: extent C = 256*n
// symcute: assume n <= 2**12
// symcute: align A = 4
// symcute: align C = 4
__global__ void bytes_by_four(const unsigned char *A, unsigned char *C, int N) {
  Tensor gA = make_tensor(make_gmem_ptr(A), make_shape(N));
  Tensor gC = make_tensor(make_gmem_ptr(C), make_shape(N));
  Tensor a = recast<const uint32_t>(local_tile(gA, Shape<Int<256>>{}, make_coord(blockIdx.x)));
  Tensor c = recast<uint32_t>(local_tile(gC, Shape<Int<256>>{}, make_coord(blockIdx.x)));
  c(threadIdx.x) = a(threadIdx.x);
}

// Words that begin at the second byte.
// symcute: launch grid=(n) block=(64)
// symcute: arg N = 256*n
// symcute: extent A = 256*n
// symcute: extent C = 256*n
// symcute: assume n <= 2**12
// symcute: align A = 4
// symcute: align C = 4
// truth: aligned=no in_bounds=no
__global__ void bytes_by_four_shifted(const unsigned char *A, unsigned char *C, int N) {
  Tensor gA = make_tensor(make_gmem_ptr(A + 1), make_shape(N));
  Tensor gC = make_tensor(make_gmem_ptr(C), make_shape(N));
  Tensor a = recast<const uint32_t>(local_tile(gA, Shape<Int<256>>{}, make_coord(blockIdx.x)));
  Tensor c = recast<uint32_t>(local_tile(gC, Shape<Int<256>>{}, make_coord(blockIdx.x)));
  c(threadIdx.x) = a(threadIdx.x);
}

// A frame around a matrix.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = (M+2)*(N+2)
// symcute: extent C = M*N
// symcute: assume (M+2)*(N+2) <= 2**20
__global__ void neighbours(const float *A, float *C, int M, int N) {
  Tensor wide = make_tensor(make_gmem_ptr(A), make_shape(M + 2, N + 2), make_stride(N + 2, _1{}));
  Tensor mA = domain_offset(make_coord(1, 1), wide);
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  int m = blockIdx.x * 32 + threadIdx.x / 4;
  for (int k = 0; k < 8; ++k) {
    int n = blockIdx.y * 32 + 4 * k + threadIdx.x % 4;
    if (elem_less(make_coord(m, n), shape(mC)))
      mC(m, n) = mA(m - 1, n) + mA(m + 1, n) + mA(m, n - 1) + mA(m, n + 1);
  }
}

// One row too far.
// symcute: launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(128)
// symcute: extent A = (M+2)*(N+2)
// symcute: extent C = M*N
// symcute: assume (M+2)*(N+2) <= 2**20
// truth: in_bounds=no
__global__ void neighbours_without_frame(const float *A, float *C, int M, int N) {
  Tensor wide = make_tensor(make_gmem_ptr(A), make_shape(M + 2, N + 2), make_stride(N + 2, _1{}));
  Tensor mA = domain_offset(make_coord(2, 1), wide);
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, _1{}));
  int m = blockIdx.x * 32 + threadIdx.x / 4;
  for (int k = 0; k < 8; ++k) {
    int n = blockIdx.y * 32 + 4 * k + threadIdx.x % 4;
    if (elem_less(make_coord(m, n), shape(mC)))
      mC(m, n) = mA(m - 1, n) + mA(m + 1, n) + mA(m, n - 1) + mA(m, n + 1);
  }
}

// Tiles in another order than their number: grouped, in triangles, along diagonals.

// Triton's grouped order of programs: every tile is somebody's.
// symcute: launch grid=(ceil_div(m,16)*ceil_div(n,16)) block=(16,16)
// symcute: extent c = m*n
// symcute: assume m*n <= 2**29
// symcute: assume m <= 2**20
// symcute: assume n <= 2**20
// symcute: assume g <= 64
__global__ void grouped_order(int m, int n, int g, float *c) {
  int pid = blockIdx.x;
  int tiles_m = (m + 15) / 16, tiles_n = (n + 15) / 16;
  int in_group = g * tiles_n;
  int group = pid / in_group;
  int first = group * g;
  int size = min(tiles_m - first, g);
  int tile_m = first + pid % in_group % size;
  int tile_n = pid % in_group / size;
  int row = tile_m * 16 + threadIdx.y, column = tile_n * 16 + threadIdx.x;
  if (row < m && column < n) c[row * n + column] = 0.0f;
}

// The last group is taken to be whole: its tiles lie below the matrix, others are written twice.
// symcute: launch grid=(tm*tn) block=(32)
// symcute: extent c = 32*tm*tn
// symcute: assume tm*tn <= 2**20
// symcute: assume g <= 8
// truth: in_bounds=no
__global__ void grouped_order_last_whole(int tm, int tn, int g, float *c) {
  int pid = blockIdx.x;
  int in_group = g * tn;
  int first = pid / in_group * g;
  int tile_m = first + pid % in_group % g;
  int tile_n = pid % in_group / g;
  c[(tile_m * tn + tile_n) * 32 + threadIdx.x] = 0.0f;
}

// symcute: launch grid=(tm*tn) block=(32)
// symcute: extent c = 32*tm*tn
// symcute: assume tm*tn <= 2**20
// symcute: assume g <= 8
// symcute: covers c
__global__ void grouped_tiles(int tm, int tn, int g, float *c) {
  int pid = blockIdx.x;
  int in_group = g * tn;
  int first = pid / in_group * g;
  int size = min(tm - first, g);
  int tile_m = first + pid % in_group % size;
  int tile_n = pid % in_group / size;
  c[(tile_m * tn + tile_n) * 32 + threadIdx.x] = 0.0f;
}

// Groups of eight that divide the rows of tiles.
// symcute: launch grid=(8*q*tn) block=(32)
// symcute: extent c = 256*q*tn
// symcute: assume q*tn <= 2**20
// symcute: covers c
__global__ void grouped_by_eight(int q, int tn, float *c) {
  int pid = blockIdx.x;
  int first = pid / (8 * tn) * 8;
  int tile_m = first + pid % 8;
  int tile_n = pid % (8 * tn) / 8;
  c[(tile_m * tn + tile_n) * 32 + threadIdx.x] = 0.0f;
}

// The remainder is by the number of columns.
// symcute: launch grid=(8*q*tn) block=(32)
// symcute: extent c = 256*q*tn
// symcute: assume q*tn <= 2**16
// symcute: assume tn <= 2**8
// run: q=1 tn=3
// run: q=1 tn=9
// truth: in_bounds=no write_race_free=no
__global__ void grouped_by_eight_wrong(int q, int tn, float *c) {
  int pid = blockIdx.x;
  int first = pid / (8 * tn) * 8;
  int tile_m = first + pid % tn;
  int tile_n = pid % (8 * tn) / 8;
  c[(tile_m * tn + tile_n) * 32 + threadIdx.x] = 0.0f;
}

// The group's tile in the wrong order: tile_m from the quotient.
// symcute: launch grid=(tm*tn) block=(32)
// symcute: extent c = 32*tm*tn
// symcute: assume tm*tn <= 2**16
// symcute: assume g <= 8
// run: tm=1 tn=65536 g=8 blocks=65535 threads=0
// truth: in_bounds=no write_race_free=no no_overflow=no
__global__ void grouped_exchanged(int tm, int tn, int g, float *c) {
  int pid = blockIdx.x;
  int in_group = g * tn;
  int first = pid / in_group * g;
  int size = min(tm - first, g);
  int tile_n = pid % in_group % size;
  int tile_m = first + pid % in_group / size;
  c[(tile_m * tn + tile_n) * 32 + threadIdx.x] = 0.0f;
}

// CUTLASS's swizzle of threadblocks: 2**l columns side by side.
// symcute: launch grid=(4*tm,tn) block=(32)
// symcute: extent c = 128*tm*tn
// symcute: assume tn <= 65535
// symcute: assume tm*tn <= 2**20
// symcute: covers c
__global__ void swizzled_by_four(int tm, int tn, float *c) {
  int row = blockIdx.x >> 2;
  int column = (blockIdx.y << 2) + (blockIdx.x & 3);
  c[(row * 4 * tn + column) * 32 + threadIdx.x] = 0.0f;
}

// A shift too few.
// symcute: launch grid=(4*tm,tn) block=(32)
// symcute: extent c = 128*tm*tn
// symcute: assume tn <= 65535
// symcute: assume tm*tn <= 2**20
// truth: in_bounds=no
__global__ void swizzled_by_four_short(int tm, int tn, float *c) {
  int row = blockIdx.x >> 1;
  int column = (blockIdx.y << 2) + (blockIdx.x & 3);
  c[(row * 4 * tn + column) * 32 + threadIdx.x] = 0.0f;
}

// Batches, rows and columns of tiles in one number.
// symcute: launch grid=(b*tm*tn) block=(64)
// symcute: extent c = 64*b*tm*tn
// symcute: assume b*tm*tn <= 2**20
// symcute: covers c
__global__ void batched_tiles(int b, int tm, int tn, float *c) {
  int pid = blockIdx.x;
  int batch = pid / (tm * tn), row = pid / tn % tm, column = pid % tn;
  c[((row * tn + column) * b + batch) * 64 + threadIdx.x] = 0.0f;
}

// Batches by the wrong product.
// symcute: launch grid=(b*tm*tn) block=(64)
// symcute: extent c = 64*b*tm*tn
// symcute: assume b*tm*tn <= 2**16
// symcute: assume b*tm*tn*tm*tn <= 2**22
// truth: in_bounds=no write_race_free=no
__global__ void batched_tiles_wrong(int b, int tm, int tn, float *c) {
  int pid = blockIdx.x;
  int batch = pid / tn, row = pid / tn % tm, column = pid % tn;
  c[((row * tn + column) * b + batch) * 64 + threadIdx.x] = 0.0f;
}

// Back and forth: every second row of tiles from the right.
// symcute: launch grid=(tm*tn) block=(32)
// symcute: extent c = 32*tm*tn
// symcute: assume tm*tn <= 2**20
// symcute: covers c
__global__ void back_and_forth(int tm, int tn, float *c) {
  int row = blockIdx.x / tn, column = blockIdx.x % tn;
  if (row & 1) column = tn - 1 - column;
  c[(row * tn + column) * 32 + threadIdx.x] = 0.0f;
}

// The one from the right starts outside.
// symcute: launch grid=(tm*tn) block=(32)
// symcute: extent c = 32*tm*tn
// symcute: assume tm*tn <= 2**20
// truth: write_race_free=no in_bounds=no
__global__ void back_and_forth_off_by_one(int tm, int tn, float *c) {
  int row = blockIdx.x / tn, column = blockIdx.x % tn;
  if (row & 1) column = tn - column;
  c[(row * tn + column) * 32 + threadIdx.x] = 0.0f;
}

// Along diagonals, as the transpose of CUDA's samples: no two blocks in one column at a time.
// symcute: launch grid=(t,t) block=(16,16)
// symcute: extent x = 256*t*t
// symcute: extent y = 256*t*t
// symcute: assume t <= 1024
// symcute: covers y
__global__ void along_diagonals(int t, const float *x, float *y) {
  int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % t;
  int row = by * 16 + threadIdx.y, column = bx * 16 + threadIdx.x;
  y[row * 16 * t + column] = x[column * 16 * t + row];
}

// Without the remainder.
// symcute: launch grid=(t,t) block=(16,16)
// symcute: extent x = 256*t*t
// symcute: extent y = 256*t*t
// symcute: assume t <= 1024
// run: t=2
// truth: in_bounds=no
__global__ void along_diagonals_no_remainder(int t, const float *x, float *y) {
  int by = blockIdx.x, bx = blockIdx.x + blockIdx.y;
  int row = by * 16 + threadIdx.y, column = bx * 16 + threadIdx.x;
  y[row * 16 * t + column] = x[row * 16 * t + column];
}

// One block a row of a packed lower triangle.
// symcute: launch grid=(n) block=(128)
// symcute: extent x = n*n
// symcute: extent packed = n*(n + 1)/2
// symcute: assume n <= 2**15
__global__ void pack_triangle(int n, const float *x, float *packed) {
  int r = blockIdx.x;
  for (int c = threadIdx.x; c <= r; c += blockDim.x) packed[r * (r + 1) / 2 + c] = x[r * n + c];
}

// The base of a row is that of the row before it, and one more.
// symcute: launch grid=(n) block=(128)
// symcute: extent x = n*n
// symcute: extent packed = n*(n + 1)/2
// symcute: assume n <= 2**15
// truth: write_race_free=no
__global__ void pack_triangle_off_by_one(int n, const float *x, float *packed) {
  int r = blockIdx.x;
  for (int c = threadIdx.x; c <= r; c += blockDim.x) packed[r * (r - 1) / 2 + c] = x[r * n + c];
}

// The strict triangle takes the diagonal with it.
// symcute: launch grid=(n) block=(128)
// symcute: extent x = n*n
// symcute: extent packed = n*(n - 1)/2
// symcute: assume 2 <= n
// symcute: assume n <= 2**15
// truth: in_bounds=no write_race_free=no
__global__ void pack_strict_with_diagonal(int n, const float *x, float *packed) {
  int r = blockIdx.x;
  for (int c = threadIdx.x; c <= r; c += blockDim.x) packed[r * (r - 1) / 2 + c] = x[r * n + c];
}

// The upper triangle by rows: the length of the rows before.
// symcute: launch grid=(n) block=(64)
// symcute: extent x = n*n
// symcute: extent packed = n*(n + 1)/2
// symcute: assume n <= 2**14
__global__ void pack_upper(int n, const float *x, float *packed) {
  int r = blockIdx.x;
  int base = r * n - r * (r - 1) / 2;
  for (int c = r + threadIdx.x; c < n; c += blockDim.x) packed[base + c - r] = x[r * n + c];
}

// The column counts from 0, not from the diagonal.
// symcute: launch grid=(n) block=(64)
// symcute: extent x = n*n
// symcute: extent packed = n*(n + 1)/2
// symcute: assume n <= 2**14
// truth: in_bounds=no
__global__ void pack_upper_from_zero(int n, const float *x, float *packed) {
  int r = blockIdx.x;
  int base = r * n - r * (r - 1) / 2;
  for (int c = r + threadIdx.x; c < n; c += blockDim.x) packed[base + c] = x[r * n + c];
}

// The row of a triangle is found by counting down.
// symcute: launch grid=(t*(t+1)/2) block=(32)
// symcute: extent y = 32*t*t
// symcute: assume t <= 256
__global__ void triangle_by_search(int t, float *y) {
  int i = blockIdx.x, r = 0;
  while (i > r) {
    i -= r + 1;
    ++r;
  }
  if (r < t) y[(r * t + i) * 32 + threadIdx.x] = 0.0f;
}

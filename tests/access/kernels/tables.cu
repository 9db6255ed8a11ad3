// Tables of indices that are given: sparse rows, pages, sequences of different lengths, experts.

// Rows of a CSR matrix, one thread a row.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent start = m + 1
// symcute: extent column = nnz
// symcute: extent value = nnz
// symcute: extent x = n
// symcute: extent y = m
// symcute: contents start in [0, nnz]
// symcute: contents column in [0, n)
// symcute: assume m <= 2**30
// symcute: assume n <= 2**30
// symcute: assume nnz <= 2**30
// symcute: covers y
__global__ void csr_row_a_thread(int m, const int *start, const int *column, const float *value,
                                 const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = start[row]; j < start[row + 1]; ++j) sum += value[j] * x[column[j]];
  y[row] = sum;
}

// The end of a row is taken for its last element.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent start = m + 1
// symcute: extent column = nnz
// symcute: extent value = nnz
// symcute: extent x = n
// symcute: extent y = m
// symcute: contents start in [0, nnz]
// symcute: contents column in [0, n)
// symcute: assume m <= 2**30
// symcute: assume n <= 2**30
// symcute: assume nnz <= 2**30
// run: m=1 n=4 nnz=4 start[0]=0 start[1]=4
// truth: in_bounds=no
__global__ void csr_row_end_included(int m, const int *start, const int *column,
                                     const float *value, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = start[row]; j <= start[row + 1]; ++j) sum += value[j] * x[column[j]];
  y[row] = sum;
}

// There are as many starts as rows: the last row has no end.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent start = m
// symcute: extent column = nnz
// symcute: extent value = nnz
// symcute: extent x = n
// symcute: extent y = m
// symcute: contents start in [0, nnz]
// symcute: contents column in [0, n)
// symcute: assume m <= 2**30
// symcute: assume n <= 2**30
// symcute: assume nnz <= 2**30
// truth: in_bounds=no
__global__ void csr_row_no_last_end(int m, const int *start, const int *column, const float *value,
                                    const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = start[row]; j < start[row + 1]; ++j) sum += value[j] * x[column[j]];
  y[row] = sum;
}

// A warp a row: lanes take every 32nd element.
// symcute: launch grid=(ceil_div(m,4)) block=(128)
// symcute: extent start = m + 1
// symcute: extent column = nnz
// symcute: extent value = nnz
// symcute: extent x = n
// symcute: extent y = m
// symcute: contents start in [0, nnz]
// symcute: contents column in [0, n)
// symcute: assume m <= 2**24
// symcute: assume n <= 2**30
// symcute: assume nnz <= 2**30
__global__ void csr_row_a_warp(int m, const int *start, const int *column, const float *value,
                               const float *x, float *y) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = start[row] + lane; j < start[row + 1]; j += 32) sum += value[j] * x[column[j]];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

// Every lane writes the sum.
// symcute: launch grid=(ceil_div(m,4)) block=(128)
// symcute: extent start = m + 1
// symcute: extent value = nnz
// symcute: extent y = m
// symcute: contents start in [0, nnz]
// symcute: assume m <= 2**24
// symcute: assume nnz <= 2**30
// truth: write_race_free=no
__global__ void csr_row_every_lane(int m, const int *start, const float *value, float *y) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = start[row] + lane; j < start[row + 1]; j += 32) sum += value[j];
  y[row] = sum;
}

// Coordinates of nonzero elements: sums by atomics.
// symcute: launch grid=(ceil_div(nnz,256)) block=(256)
// symcute: extent row = nnz
// symcute: extent column = nnz
// symcute: extent value = nnz
// symcute: extent x = n
// symcute: extent y = m
// symcute: contents row in [0, m)
// symcute: contents column in [0, n)
// symcute: assume m <= 2**30
// symcute: assume n <= 2**30
// symcute: assume nnz <= 2**30
__global__ void coo_atomics(int nnz, const int *row, const int *column, const float *value,
                            const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nnz) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}

// Rows and columns change their places.
// symcute: launch grid=(ceil_div(nnz,256)) block=(256)
// symcute: extent row = nnz
// symcute: extent column = nnz
// symcute: extent value = nnz
// symcute: extent x = n
// symcute: extent y = m
// symcute: contents row in [0, m)
// symcute: contents column in [0, n)
// symcute: assume m <= 2**30
// symcute: assume n <= 2**30
// symcute: assume nnz <= 2**30
// run: nnz=2 n=1 m=8 row[1]=7
// truth: in_bounds=no
__global__ void coo_exchanged(int nnz, const int *row, const int *column, const float *value,
                              const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nnz) atomicAdd(&y[column[i]], value[i] * x[row[i]]);
}

// A paged cache: the page of a token by a table, the place in it by the remainder.
// symcute: launch grid=(b,h) block=(64)
// symcute: extent table = b*most
// symcute: extent length = b
// symcute: extent cache = pages*h*16*64
// symcute: extent y = b*h*64
// symcute: contents table in [0, pages)
// symcute: contents length in [0, 16*most]
// symcute: assume h <= 1024
// symcute: assume b*most <= 2**20
// symcute: assume b*h <= 2**20
// symcute: assume most <= 2**20
// symcute: assume pages*h <= 2**20
// symcute: covers y
__global__ void paged_read(int h, int most, const int *table, const int *length,
                           const float *cache, float *y) {
  int b = blockIdx.x, head = blockIdx.y, t = threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < length[b]; ++j) {
    int page = table[b * most + j / 16];
    sum += cache[((page * h + head) * 16 + j % 16) * 64 + t];
  }
  y[(b * h + head) * 64 + t] = sum;
}

// Pages of 8 tokens, where there is a table for those of 16.
// symcute: launch grid=(b,h) block=(64)
// symcute: extent table = b*most
// symcute: extent length = b
// symcute: extent cache = pages*h*16*64
// symcute: extent y = b*h*64
// symcute: contents table in [0, pages)
// symcute: contents length in [0, 16*most]
// symcute: assume h <= 1024
// symcute: assume b*most <= 2**20
// symcute: assume b*h <= 2**20
// symcute: assume most <= 2**20
// symcute: assume pages*h <= 2**20
// run: b=1 h=1 most=1 pages=1 length[0]=16
// truth: in_bounds=no
__global__ void paged_read_wrong_page(int h, int most, const int *table, const int *length,
                                      const float *cache, float *y) {
  int b = blockIdx.x, head = blockIdx.y, t = threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < length[b]; ++j) {
    int page = table[b * most + j / 8];
    sum += cache[((page * h + head) * 16 + j % 8) * 64 + t];
  }
  y[(b * h + head) * 64 + t] = sum;
}

// The place in a page is not a remainder.
// symcute: launch grid=(b,h) block=(64)
// symcute: extent table = b*most
// symcute: extent length = b
// symcute: extent cache = pages*h*16*64
// symcute: extent y = b*h*64
// symcute: contents table in [0, pages)
// symcute: contents length in [0, 16*most]
// symcute: assume h <= 1024
// symcute: assume b*most <= 2**14
// symcute: assume b*h <= 2**20
// symcute: assume most <= 2**14
// symcute: assume pages*h <= 2**14
// run: b=1 h=1 most=2 pages=1 length[0]=32
// truth: in_bounds=no
__global__ void paged_read_no_remainder(int h, int most, const int *table, const int *length,
                                        const float *cache, float *y) {
  int b = blockIdx.x, head = blockIdx.y, t = threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < length[b]; ++j) {
    int page = table[b * most + j / 16];
    sum += cache[((page * h + head) * 16 + j) * 64 + t];
  }
  y[(b * h + head) * 64 + t] = sum;
}

// vLLM's reshape_and_cache: a slot a token, -1 for padding.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent key = tokens*h*d
// symcute: extent slot = tokens
// symcute: extent cache = nb*16*h*d
// symcute: contents slot in [-1, 16*nb)
// symcute: assume tokens*h*d <= 2**30
// symcute: assume nb*16*h*d <= 2**30
// run: tokens=2 h=1 d=2 nb=1 slot[0]=3 slot[1]=3
// truth: write_race_free=no
__global__ void cache_by_slots(int h, int d, const float *key, const int *slot, float *cache) {
  int token = blockIdx.x, s = slot[token];
  if (s < 0) return;
  int block = s / 16, at = s % 16;
  for (int i = threadIdx.x; i < h * d; i += blockDim.x) {
    int head = i / d, e = i % d;
    cache[((block * h + head) * 16 + at) * d + e] = key[token * h * d + i];
  }
}

// Padding is not left out.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent key = tokens*h*d
// symcute: extent slot = tokens
// symcute: extent cache = nb*16*h*d
// symcute: contents slot in [-1, 16*nb)
// symcute: assume tokens*h*d <= 2**28
// symcute: assume nb*16*h*d <= 2**28
// run: tokens=2 h=1 d=2 nb=1 slot[0]=3 slot[1]=3
// run: tokens=1 h=1 d=2 nb=1 slot[0]=-1
// truth: in_bounds=no write_race_free=no
__global__ void cache_by_slots_padding(int h, int d, const float *key, const int *slot,
                                       float *cache) {
  int token = blockIdx.x, s = slot[token];
  int block = s / 16, at = s % 16;
  for (int i = threadIdx.x; i < h * d; i += blockDim.x) {
    int head = i / d, e = i % d;
    cache[((block * h + head) * 16 + at) * d + e] = key[token * h * d + i];
  }
}

// Sequences of different lengths in one array, by their starts.
// symcute: launch grid=(b,ceil_div(longest,64)) block=(64)
// symcute: extent start = b + 1
// symcute: extent x = total
// symcute: extent y = total
// symcute: contents start in [0, total]
// symcute: assume longest <= 2**20
// symcute: assume b <= 2**20
// symcute: assume total <= 2**30
// run: b=2 longest=4 total=8 start[0]=0 start[1]=4 start[2]=0
// run: b=3 longest=4 total=8 start[0]=0 start[1]=4 start[2]=0 start[3]=4
// truth: write_race_free=no
__global__ void varlen_copy(const int *start, const float *x, float *y) {
  int first = start[blockIdx.x], end = start[blockIdx.x + 1];
  int i = blockIdx.y * 64 + threadIdx.x;
  if (first + i < end) y[first + i] = 2.0f * x[first + i];
}

// The length is compared with the place in the whole array.
// symcute: launch grid=(b,ceil_div(longest,64)) block=(64)
// symcute: extent start = b + 1
// symcute: extent x = total
// symcute: extent y = longest*b
// symcute: contents start in [0, total]
// symcute: assume longest*b <= 2**20
// symcute: assume longest <= 2**20
// symcute: assume total <= 2**30
// run: b=1 longest=1 total=8 start[0]=0 start[1]=8
// run: b=2 longest=2 total=8 start[0]=0 start[1]=4 start[2]=8
// truth: in_bounds=no write_race_free=no
__global__ void varlen_pad_unbounded(int longest, const int *start, const float *x, float *y) {
  int first = start[blockIdx.x], length = start[blockIdx.x + 1] - first;
  int i = blockIdx.y * 64 + threadIdx.x;
  if (i < length) y[blockIdx.x * longest + i] = x[first + i];
}

// Cut to the longest, zeros behind the end.
// symcute: launch grid=(b,ceil_div(longest,64)) block=(64)
// symcute: extent start = b + 1
// symcute: extent x = total
// symcute: extent y = longest*b
// symcute: contents start in [0, total]
// symcute: assume longest*b <= 2**28
// symcute: assume longest <= 2**20
// symcute: assume total <= 2**30
// symcute: covers y
__global__ void varlen_pad(int longest, const int *start, const float *x, float *y) {
  int first = start[blockIdx.x], length = start[blockIdx.x + 1] - first;
  int i = blockIdx.y * 64 + threadIdx.x;
  if (i < longest) y[blockIdx.x * longest + i] = i < length ? x[first + i] : 0.0f;
}

// Tokens by their experts: what lies behind the last token is padding.
// symcute: launch grid=(ceil_div(slots,16),ceil_div(n,64)) block=(64)
// symcute: extent token = slots
// symcute: extent expert = ceil_div(slots,16)
// symcute: extent w = e*n
// symcute: extent x = t
// symcute: extent y = slots*n
// symcute: contents token in [0, t]
// symcute: contents expert in [0, e)
// symcute: assume n <= 2**20
// symcute: assume e*n <= 2**30
// symcute: assume t <= 2**30
// symcute: assume slots <= 2**20
// symcute: assume slots*n <= 2**30
// symcute: covers y
__global__ void moe_tiles(int slots, int t, int n, const int *token, const int *expert,
                          const float *w, const float *x, float *y) {
  int column = blockIdx.y * 64 + threadIdx.x;
  if (column >= n) return;
  float scale = w[expert[blockIdx.x] * n + column];
  for (int k = 0; k < 16; ++k) {
    int s = blockIdx.x * 16 + k;
    if (s >= slots) break;
    int id = token[s];
    y[s * n + column] = id < t ? x[id] * scale : 0.0f;
  }
}

// Padding tokens are read.
// symcute: launch grid=(ceil_div(slots,16)) block=(64)
// symcute: extent token = slots
// symcute: extent x = t
// symcute: extent y = slots
// symcute: contents token in [0, t]
// symcute: assume t <= 2**30
// symcute: assume slots <= 2**20
// run: slots=1 t=4 token[0]=4
// truth: in_bounds=no
__global__ void moe_padding_read(int slots, int t, const int *token, const float *x, float *y) {
  int s = blockIdx.x * 16 + threadIdx.x;
  if (threadIdx.x < 16 && s < slots) y[s] = x[token[s]];
}

// The slots of the last tile are not tested.
// symcute: launch grid=(ceil_div(slots,16)) block=(64)
// symcute: extent token = slots
// symcute: extent x = t
// symcute: extent y = slots
// symcute: contents token in [0, t)
// symcute: assume t <= 2**30
// symcute: assume slots <= 2**20
// truth: in_bounds=no
__global__ void moe_last_tile(int slots, int t, const int *token, const float *x, float *y) {
  int s = blockIdx.x * 16 + threadIdx.x;
  if (threadIdx.x < 16) y[s] = x[token[s]];
}

// Rows of an embedding, and its backward pass by atomics.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent id = tokens
// symcute: extent weight = v*d
// symcute: extent y = tokens*d
// symcute: contents id in [0, v)
// symcute: assume tokens*d <= 2**30
// symcute: assume v*d <= 2**30
// symcute: covers y
__global__ void embedding(int d, const int *id, const float *weight, float *y) {
  int row = id[blockIdx.x];
  for (int k = threadIdx.x; k < d; k += blockDim.x) y[blockIdx.x * d + k] = weight[row * d + k];
}

// Adds without an atomic: tokens may be the same.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent id = tokens
// symcute: extent weight = v*d
// symcute: extent g = tokens*d
// symcute: contents id in [0, v)
// symcute: assume tokens*d <= 2**30
// symcute: assume v*d <= 2**30
// run: tokens=2 d=1 v=1
// truth: write_race_free=no read_write_race_free=no
__global__ void embedding_backward_plain(int d, const int *id, const float *g, float *weight) {
  int row = id[blockIdx.x];
  for (int k = threadIdx.x; k < d; k += blockDim.x) weight[row * d + k] += g[blockIdx.x * d + k];
}

// One-based ids.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent id = tokens
// symcute: extent weight = v*d
// symcute: extent y = tokens*d
// symcute: contents id in [1, v]
// symcute: assume tokens*d <= 2**29
// symcute: assume v*d <= 2**29
// run: tokens=1 d=1 v=1
// truth: in_bounds=no
__global__ void embedding_one_based(int d, const int *id, const float *weight, float *y) {
  int row = id[blockIdx.x];
  for (int k = threadIdx.x; k < d; k += blockDim.x) y[blockIdx.x * d + k] = weight[row * d + k];
}

// A histogram of bins in shared memory, which blocks add together.
// symcute: launch grid=(g) block=(256) shared=4*bins
// symcute: extent x = n
// symcute: extent count = bins
// symcute: contents x in [0, bins)
// symcute: assume n <= 2**30
// symcute: assume g <= 2**14
// symcute: assume bins <= 4096
__global__ void bins_of_a_block(int n, int bins, const int *x, int *count) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[x[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&count[i], s[i]);
}

// Counted before all is set to 0.
// symcute: launch grid=(g) block=(256) shared=4*bins
// symcute: extent x = n
// symcute: extent count = bins
// symcute: contents x in [0, bins)
// symcute: assume n <= 2**30
// symcute: assume g <= 2**14
// symcute: assume bins <= 4096
// truth: write_race_free=no
__global__ void bins_not_waited_for(int n, int bins, const int *x, int *count) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) s[i] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[x[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&count[i], s[i]);
}

// Tables of which more is given than a range: permutations, starts of rows, inverses.

// Experts' tokens, scattered to their slots: no two of them have one slot.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent slot = tokens
// symcute: extent x = tokens*d
// symcute: extent y = slots*d
// symcute: contents slot distinct in [0, slots)
// symcute: assume tokens*d <= 2**30
// symcute: assume slots*d <= 2**30
__global__ void moe_scatter(int d, const int *slot, const float *x, float *y) {
  int token = blockIdx.x, s = slot[token];
  for (int k = threadIdx.x; k < d; k += blockDim.x) y[s * d + k] = x[token * d + k];
}

// The same of slots that are in range only.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent slot = tokens
// symcute: extent x = tokens*d
// symcute: extent y = slots*d
// symcute: contents slot in [0, slots)
// symcute: assume tokens*d <= 2**30
// symcute: assume slots*d <= 2**30
// run: tokens=2 d=1 slots=1
// truth: write_race_free=no
__global__ void moe_scatter_not_distinct(int d, const int *slot, const float *x, float *y) {
  int token = blockIdx.x, s = slot[token];
  for (int k = threadIdx.x; k < d; k += blockDim.x) y[s * d + k] = x[token * d + k];
}

// There is a slot more than there are rows.
// symcute: launch grid=(tokens) block=(128)
// symcute: extent slot = tokens
// symcute: extent x = tokens*d
// symcute: extent y = slots*d
// symcute: contents slot distinct in [0, slots]
// symcute: assume tokens*d <= 2**30
// symcute: assume slots*d <= 2**28
// run: tokens=2 d=1 slots=1
// truth: in_bounds=no
__global__ void moe_scatter_slot_too_large(int d, const int *slot, const float *x, float *y) {
  int token = blockIdx.x, s = slot[token];
  for (int k = threadIdx.x; k < d; k += blockDim.x) y[s * d + k] = x[token * d + k];
}

// An element of a thread, by a permutation.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent x = n
// symcute: extent y = n
// symcute: contents perm distinct in [0, n)
// symcute: assume n <= 2**30
__global__ void scatter_by_permutation(int n, const int *perm, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[perm[i]] = x[i];
}

// Halves of the numbers: two of them are the same.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent x = n
// symcute: extent y = n
// symcute: contents perm distinct in [0, n)
// symcute: assume n <= 2**30
// truth: write_race_free=no
__global__ void scatter_by_half_of_it(int n, const int *perm, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[perm[i] / 2] = x[i];
}

// The index is halved, not what is found there.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent x = n
// symcute: extent y = n
// symcute: contents perm distinct in [0, n)
// symcute: assume n <= 2**30
// truth: write_race_free=no
__global__ void scatter_by_half_the_index(int n, const int *perm, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[perm[i / 2]] = x[i];
}

// Gathered and scattered in place: each thread has an element of its own.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent x = n
// symcute: contents perm distinct in [0, n)
// symcute: assume n <= 2**30
__global__ void scale_by_permutation(int n, const int *perm, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[perm[i]] = 2.0f * x[perm[i]];
}

// What is read is another thread's.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent x = n
// symcute: contents perm distinct in [0, n)
// symcute: assume n <= 2**30
// truth: read_write_race_free=no
__global__ void move_by_permutation(int n, const int *perm, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[perm[i]] = 2.0f * x[i];
}

// A permutation undone: the thread of a token reads where it was put, and writes where it is.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent back = n
// symcute: extent x = n
// symcute: contents perm distinct in [0, n)
// symcute: contents back inverse of perm
// symcute: assume n <= 2**30
__global__ void gather_and_back(int n, const int *perm, const int *back, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[perm[back[i]]] = 2.0f * x[i];
}

// Two permutations, one after the other, are one.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent more = n
// symcute: extent x = n
// symcute: contents perm distinct in [0, n)
// symcute: contents more distinct in [0, n)
// symcute: assume n <= 2**30
__global__ void scale_by_two_permutations(int n, const int *perm, const int *more, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[perm[more[i]]] *= 2.0f;
}

// The second is in range only.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent more = n
// symcute: extent x = n
// symcute: contents perm distinct in [0, n)
// symcute: contents more in [0, n)
// symcute: assume n <= 2**30
// run: n=2 perm[0]=1 perm[1]=0 more[0]=0 more[1]=0
// truth: write_race_free=no read_write_race_free=no
__global__ void scale_by_one_permutation(int n, const int *perm, const int *more, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[perm[more[i]]] *= 2.0f;
}

// Of another permutation, nothing is undone.
// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent perm = n
// symcute: extent back = n
// symcute: extent x = n
// symcute: contents perm distinct in [0, n)
// symcute: contents back distinct in [0, n)
// symcute: assume n <= 2**30
// run: n=3 perm[0]=0 perm[1]=1 perm[2]=2 back[0]=1 back[1]=2 back[2]=0
// truth: read_write_race_free=no
__global__ void gather_and_not_back(int n, const int *perm, const int *back, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[perm[back[i]]] = 2.0f * x[i];
}

// Sequences of different lengths, by their starts in order.
// symcute: launch grid=(b,ceil_div(longest,64)) block=(64)
// symcute: extent start = b + 1
// symcute: extent x = total
// symcute: extent y = total
// symcute: contents start increasing from 0 to total
// symcute: assume longest <= 2**20
// symcute: assume b <= 2**20
// symcute: assume total <= 2**30
__global__ void varlen_in_order(const int *start, const float *x, float *y) {
  int first = start[blockIdx.x], end = start[blockIdx.x + 1];
  int i = blockIdx.y * 64 + threadIdx.x;
  if (first + i < end) y[first + i] = 2.0f * x[first + i];
}

// The end of a sequence is written too.
// symcute: launch grid=(b,ceil_div(longest,64)) block=(64)
// symcute: extent start = b + 1
// symcute: extent x = total + 1
// symcute: extent y = total + 1
// symcute: contents start increasing from 0 to total
// symcute: assume longest <= 2**20
// symcute: assume b <= 2**20
// symcute: assume total <= 2**30
// run: b=2 longest=64 total=8 start[0]=0 start[1]=4 start[2]=8
// truth: write_race_free=no
__global__ void varlen_end_included(const int *start, const float *x, float *y) {
  int first = start[blockIdx.x], end = start[blockIdx.x + 1];
  int i = blockIdx.y * 64 + threadIdx.x;
  if (first + i <= end) y[first + i] = 2.0f * x[first + i];
}

// Rows of a CSR matrix are scaled, one block a row: no element is in two rows.
// symcute: launch grid=(m) block=(128)
// symcute: extent start = m + 1
// symcute: extent value = nnz
// symcute: contents start increasing from 0 to nnz
// symcute: assume m <= 2**20
// symcute: assume nnz <= 2**30
__global__ void csr_scale_rows(const int *start, float *value) {
  int row = blockIdx.x;
  for (int j = start[row] + threadIdx.x; j < start[row + 1]; j += 128) value[j] *= 2.0f;
}

// Starts in any order.
// symcute: launch grid=(m) block=(128)
// symcute: extent start = m + 1
// symcute: extent value = nnz
// symcute: contents start in [0, nnz]
// symcute: assume m <= 2**20
// symcute: assume nnz <= 2**30
// run: m=3 nnz=4 start[0]=0 start[1]=4 start[2]=0 start[3]=4
// truth: write_race_free=no read_write_race_free=no
__global__ void csr_scale_rows_any_order(const int *start, float *value) {
  int row = blockIdx.x;
  for (int j = start[row] + threadIdx.x; j < start[row + 1]; j += 128) value[j] *= 2.0f;
}

// From the row before it.
// symcute: launch grid=(m) block=(128)
// symcute: extent start = m + 2
// symcute: extent value = nnz
// symcute: contents start increasing from 0 to nnz
// symcute: assume m <= 2**20
// symcute: assume nnz <= 2**30
// run: m=2 nnz=8 start[0]=0 start[1]=2 start[2]=5 start[3]=8
// truth: write_race_free=no read_write_race_free=no
__global__ void csr_scale_two_rows(const int *start, float *value) {
  int row = blockIdx.x;
  for (int j = start[row] + threadIdx.x; j < start[row + 2]; j += 128) value[j] *= 2.0f;
}

// The length of a row is never negative, and all of them together are those of the array.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent start = m + 1
// symcute: extent room = nnz + 1
// symcute: contents start increasing from 0 to nnz
// symcute: assume m <= 2**30
// symcute: assume nnz <= 2**30
__global__ void csr_lengths(int m, const int *start, int *room) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) atomicAdd(&room[start[row + 1] - start[row]], 1);
}

// The other way round they are.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent start = m + 1
// symcute: extent room = nnz + 1
// symcute: contents start increasing from 0 to nnz
// symcute: assume m <= 2**30
// symcute: assume nnz <= 2**30
// truth: in_bounds=no
__global__ void csr_lengths_negative(int m, const int *start, int *room) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) atomicAdd(&room[start[row] - start[row + 1]], 1);
}

// A paged cache is written: pages of a table are distinct, a token of each sequence at a time.
// symcute: launch grid=(b) block=(64)
// symcute: extent page = b
// symcute: extent at = b
// symcute: extent key = b*64
// symcute: extent cache = pages*16*64
// symcute: contents page distinct in [0, pages)
// symcute: contents at in [0, 16)
// symcute: assume b <= 2**20
// symcute: assume pages <= 2**20
__global__ void paged_append(const int *page, const int *at, const float *key, float *cache) {
  int b = blockIdx.x, t = threadIdx.x;
  cache[(page[b] * 16 + at[b]) * 64 + t] = key[b * 64 + t];
}

// The place in the page may be that of the next page.
// symcute: launch grid=(b) block=(64)
// symcute: extent page = b
// symcute: extent at = b
// symcute: extent key = b*64
// symcute: extent cache = (pages + 1)*16*64
// symcute: contents page distinct in [0, pages)
// symcute: contents at in [0, 16]
// symcute: assume b <= 2**20
// symcute: assume pages <= 2**20
// run: b=2 pages=2 page[0]=0 page[1]=1 at[0]=16 at[1]=0
// truth: write_race_free=no
__global__ void paged_append_too_far(const int *page, const int *at, const float *key,
                                     float *cache) {
  int b = blockIdx.x, t = threadIdx.x;
  cache[(page[b] * 16 + at[b]) * 64 + t] = key[b * 64 + t];
}

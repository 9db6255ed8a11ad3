// Tables: arrays of numbers that the source fills, wherever they lie, and that nothing changes.

const __device__ int on_device[4] = {3, 2, 1, 0};
constexpr __device__ int by_constexpr[4] = {3, 2, 1};
__constant__ const int of_two[2][2] = {{3, 2}, {1, 0}};
__constant__ const int flat_of_two[2][2] = {3, 2, 1};
__constant__ int of_the_host[4] = {3, 2, 1, 0};
__constant__ const unsigned char text[] = "abc";
__constant__ const int named[4] = {[2] = 3};
__constant__ const volatile int changing[4] = {3, 2, 1, 0};
struct Holder { static constexpr int held[3] = {2, 0, 1}; };

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void table_on_device(float *y) { y[on_device[threadIdx.x]] = 1; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 3
// verdict: in_bounds=refuted
__global__ void table_on_device_of_three(float *y) { y[on_device[threadIdx.x]] = 1; }

// What is left out is 0.
// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void table_by_constexpr(float *y) { y[by_constexpr[threadIdx.x]] = 1; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void table_of_two_dimensions(float *y) {
  y[of_two[threadIdx.x >> 1][threadIdx.x & 1]] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void table_without_inner_braces(float *y) {
  y[flat_of_two[threadIdx.x >> 1][threadIdx.x & 1]] = 1;
}

// The host may put other numbers there before a launch; nobody says that it does.
// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
// verdict: in_bounds=unknown write_race_free=unknown
__global__ void table_of_the_host(float *y) { y[of_the_host[threadIdx.x]] = 1; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
// verdict: in_bounds=unknown write_race_free=unknown
__global__ void table_that_changes(float *y) { y[changing[threadIdx.x]] = 1; }

// The last one is the 0 at its end.
// symcute: launch grid=(1) block=(4)
// symcute: extent y = 100
__global__ void table_of_letters(float *y) { y[text[threadIdx.x]] = 1; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 99
// verdict: in_bounds=refuted
__global__ void table_of_letters_less(float *y) { y[text[threadIdx.x]] = 1; }

// symcute: launch grid=(1) block=(3)
// symcute: extent y = 3
__global__ void table_of_a_class(float *y) { y[Holder::held[threadIdx.x]] = 1; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void local_table(float *y) {
  const int t[4] = {0, 1, 2, 3};
  y[t[threadIdx.x]] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
// verdict: write_race_free=refuted
__global__ void local_table_with_two_alike(float *y) {
  const int t[4] = {0, 1, 1, 3};
  y[t[threadIdx.x]] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void local_table_by_pointer(float *y) {
  static const int t[4] = {0, 1, 2, 3};
  const int *p = t;
  y[p[threadIdx.x]] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void local_array_that_nobody_writes(float *y) {
  int t[4] = {0, 1, 2, 3};
  y[t[threadIdx.x]] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 5
// verdict: in_bounds=refuted write_race_free=refuted
__global__ void local_array_that_is_written(float *y) {
  int t[4] = {0, 1, 2, 3};
  t[threadIdx.x] = 5;
  y[t[threadIdx.x]] = 1;
}

__device__ void set(int *p) { *p = 9; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 9
// verdict: in_bounds=refuted write_race_free=refuted
__global__ void local_array_written_elsewhere(float *y) {
  int t[4] = {0, 1, 2, 3};
  set(t + threadIdx.x);
  y[t[threadIdx.x]] = 1;
}

// symcute: launch grid=(1) block=(5)
// symcute: extent y = 4
// verdict: in_bounds=refuted write_race_free=unknown
__global__ void behind_the_table(float *y) {
  const int t[4] = {0, 1, 2, 3};
  y[t[threadIdx.x]] = 1;
}

// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: assume n <= 2**20
// symcute: extent y = 3*n
__global__ void offsets_of_neighbours(float *y, int n) {
  constexpr int by[3] = {0, 1, 2};
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 3; k++) y[3 * i + by[k]] = 1;
}

// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: assume n <= 2**20
// symcute: extent y = 3*n
// verdict: in_bounds=refuted write_race_free=refuted
__global__ void offsets_too_far(float *y, int n) {
  constexpr int by[3] = {0, 1, 3};
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 3; k++) y[3 * i + by[k]] = 1;
}

// What these hold is fixed, and not read: none of it is any number.
// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
// verdict: in_bounds=unknown write_race_free=unknown
__global__ void table_by_names(float *y) { y[named[threadIdx.x]] = 1; }

__constant__ const int2 pairs[2] = {{0, 1}, {2, 3}};

// symcute: launch grid=(1) block=(2)
// symcute: extent y = 4
// verdict: in_bounds=unknown write_race_free=unknown
__global__ void table_of_pairs(float *y) { y[pairs[threadIdx.x].x] = 1; }

extern const __device__ int elsewhere[4];

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
// verdict: in_bounds=unknown write_race_free=unknown
__global__ void table_from_elsewhere(float *y) { y[elsewhere[threadIdx.x]] = 1; }

// Numbers that are not all that their type has: bit-fields, enums, and what functions of bits give.

enum Op { AVG, MAX, COUNT };
enum Signed { BELOW = -1, ABOVE = 2 };
enum Answer { NO, YES };
enum Byte : unsigned char { FIRST, LAST };
struct Packed { unsigned low : 3; int some : 4; unsigned flag : 1; Op op : 2; bool given : 1; };

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// verdict: no_overflow=refuted in_bounds=unknown write_race_free=unknown
__global__ void three_bits(int *y) {
  Packed s;
  s.low = threadIdx.x;
  if (s.low == threadIdx.x) y[threadIdx.x & 7] = 1;
}

// symcute: launch grid=(1) block=(8)
// symcute: extent y = 8
__global__ void three_bits_of_eight(int *y) {
  Packed s;
  s.low = threadIdx.x;
  y[s.low] = 1;
}

// symcute: launch grid=(1) block=(9)
// symcute: extent y = 9
// verdict: in_bounds=unknown no_overflow=refuted write_race_free=refuted
__global__ void three_bits_of_nine(int *y) {
  Packed s;
  s.low = threadIdx.x;
  y[s.low] = 1;
}

// What an assignment gives is what is left.
// symcute: launch grid=(1) block=(1)
// symcute: extent y = 7
// verdict: in_bounds=refuted
__global__ void what_is_assigned(int *y) {
  Packed s;
  int k = (s.low = 15);
  y[k] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
__global__ void one_bit(int *y) {
  Packed s;
  s.flag = threadIdx.x;
  y[2 * (threadIdx.x >> 1) + s.flag] = 1;
}

// A number of one bit with a sign is 0 or -1.
// symcute: launch grid=(1) block=(2)
// symcute: extent y = 2
// verdict: in_bounds=refuted
__global__ void one_bit_below_zero(int *y) {
  struct { int bit : 1; } s;
  s.bit = threadIdx.x;
  y[s.bit] = 1;
}

// symcute: launch grid=(1) block=(8)
// symcute: extent p = 8
__global__ void bits_in_memory(Packed *p) {
  p[threadIdx.x].low = threadIdx.x;
  p[threadIdx.x].given = threadIdx.x > 2;
}

// symcute: launch grid=(1) block=(9)
// symcute: extent p = 9
// verdict: no_overflow=refuted
__global__ void bits_in_memory_of_nine(Packed *p) { p[threadIdx.x].low = threadIdx.x; }

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 8
__global__ void bits_handed_over(int *y, Packed p) {
  y[p.low] = 1;
  y[p.op] = 1;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 7
// verdict: in_bounds=refuted
__global__ void bits_handed_over_of_seven(int *y, Packed p) { y[p.low] = 1; }

// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: assume n <= 2**30
// symcute: extent x = n
__global__ void by_enum(float *x, int n, const Op op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = 0;
  switch (op) {
    case AVG: r = 1; break;
    case MAX: r = 2; break;
    default: break;
  }
  x[i] = r;
}

// An enum of 0, 1 and 2 has two bits.
// symcute: launch grid=(1) block=(1)
// symcute: extent y = 4
__global__ void enum_of_two_bits(int *y, Op op) { y[op] = 1; }

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 3
// verdict: in_bounds=refuted
__global__ void enum_of_three_values(int *y, Op op) { y[op] = 1; }

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 8
__global__ void enum_with_a_sign(int *y, Signed s) { y[s + 4] = 1; }

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 2
__global__ void enum_of_one_bit(int *y, Answer a) { y[a] = 1; }

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 2
// verdict: in_bounds=refuted
__global__ void enum_of_a_byte(int *y, Byte b) { y[b] = 1; }

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// symcute: extent ops = 32
__global__ void enums_in_memory(int *y, const Op *ops) {
  if (ops[threadIdx.x] == MAX) y[threadIdx.x] = 1;
}

// What is written as a cast may be any number.
// symcute: launch grid=(1) block=(8)
// symcute: extent y = 4
// verdict: in_bounds=refuted
__global__ void cast_to_an_enum(int *y) {
  Op op = (Op)threadIdx.x;
  y[op] = 1;
}

// symcute: launch grid=(G) block=(256)
// symcute: assume G <= 2**16
// symcute: assume n >= 0
// symcute: extent x = 256*G
__global__ void product_of_24_bits(int *x, int n) {
  int v = __mul24(n, 0);
  x[__mul24(blockIdx.x, 256) + threadIdx.x + v] = 1;
}

// symcute: launch grid=(G) block=(256)
// symcute: assume G <= 2**16
// symcute: extent x = 256*G - 1
// verdict: in_bounds=refuted
__global__ void product_of_24_bits_one_less(int *x) {
  x[__mul24(blockIdx.x, 256) + threadIdx.x] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 8
// verdict: in_bounds=refuted
__global__ void first_bit_of_none(float *y, unsigned v) {
  if (threadIdx.x == 0) y[__ffs(v & 0xff) - 1] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 8
__global__ void first_bit_of_some(float *y, unsigned v) {
  if (threadIdx.x == 0 && (v & 0xff) != 0) y[__ffs(v & 0xff) - 1] = 1;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
// verdict: write_race_free=unknown read_write_race_free=unknown
__global__ void first_lane(int *y) {
  unsigned votes = __ballot_sync(0xffffffff, y[threadIdx.x] > 0);
  if (votes != 0 && threadIdx.x == __ffs(votes) - 1) y[__popc(votes) - 1] = 1;
}

// All bits of a number may be set.
// symcute: launch grid=(1) block=(1)
// symcute: extent y = 32
// verdict: in_bounds=refuted
__global__ void as_many_as_bits(float *y, unsigned v) { y[__popc(v)] = 0; }

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 33
__global__ void as_many_as_bits_and_none(float *y, unsigned v) { y[__popc(v)] = 0; }

union Either { int whole; unsigned low : 3; };

// What is not initialised is not converted.
// symcute: launch grid=(1) block=(1)
// symcute: extent y = 8
__global__ void bits_of_a_union(int *y) {
  Either e;
  e.whole = threadIdx.x;
  y[e.low] = 1;
}

// Braces fill the first member, and leave the rest of a union to itself.
union Pair { struct { int low, high; }; long long both; };
union Wide { unsigned char first; unsigned all; };

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 8
__global__ void braces_of_a_union(int *y) {
  Pair p = {int(threadIdx.x), 4}, q[2] = {1, 2, {{3, 4}}};
  y[p.low + p.high + q[1].low - q[0].high - 1] = 1;
}

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 7
// verdict: in_bounds=refuted
__global__ void braces_of_a_union_and_less(int *y) {
  Pair p = {int(threadIdx.x), 4};
  y[p.low + p.high] = 1;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 4
// verdict: in_bounds=unknown
__global__ void beside_braces_of_a_union(int *y) {
  Wide w = {3};
  y[w.all] = 1;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent y = 1
// verdict: no_overflow=refuted
__global__ void bits_stepped(int *y) {
  Packed s;
  s.low = 7;
  y[++s.low] = 1;
}

// Numbers that go on in other steps from some round on.
// symcute: launch grid=(1) block=(32)

// The next tile is the last one in the rounds that only empty a pipeline.
// truth: write_race_free=no
// symcute: assume k <= 1000
// symcute: extent x = k
__global__ void next_tile(int k, float *x) {
  int count = k, next = 0;
  for (int p = 0; p < 2; ++p) {
    x[next] = 1;
    --count;
    if (count > 0) ++next;
  }
  while (count > -2) {
    x[next] = 1;
    --count;
    if (count > 0) ++next;
  }
}

// One tile too many.
// truth: in_bounds=no write_race_free=no
// symcute: assume k <= 1000
// symcute: extent x = k
__global__ void next_tile_too_late(int k, float *x) {
  int count = k, next = 0;
  while (count > -2) {
    x[next] = 1;
    --count;
    if (count >= 0) ++next;
  }
}

// truth: write_race_free=no
// symcute: assume k <= 1000
// symcute: extent x = k
__global__ void begins_late(int k, float *x) {
  int next = 0;
  for (int j = 0; j < 2 * k; ++j) {
    x[next] = 1;
    if (j > k) ++next;
  }
}

// truth: in_bounds=no write_race_free=no
// symcute: assume k <= 1000
// symcute: extent x = k
__global__ void begins_late_and_fast(int k, float *x) {
  int next = 0;
  for (int j = 0; j < 2 * k; ++j) {
    x[next] = 1;
    if (j >= k) next += 2;
  }
}

// Down from the end, and then more slowly.
// symcute: extent x = 3*k
// truth: write_race_free=no
// symcute: assume k <= 1000
__global__ void two_speeds_down(int k, float *x) {
  int next = 3 * k - 1;
  for (int j = 0; j < 2 * k; ++j) {
    x[next] = 1;
    if (j < k) next -= 2;
    else next -= 1;
  }
}

// symcute: extent x = 3*k
// truth: in_bounds=no write_race_free=no
// symcute: assume k <= 1000
__global__ void two_speeds_down_too_far(int k, float *x) {
  int next = 3 * k - 1;
  for (int j = 0; j < 2 * k + 1; ++j) {
    x[next] = 1;
    if (j <= k) next -= 2;
    else next -= 1;
  }
}

// Forth and back again: where it turns it has left the array.
// truth: in_bounds=no write_race_free=no
// symcute: assume k <= 1000
// symcute: extent x = k
__global__ void there_and_back(int k, float *x) {
  int next = 0;
  for (int j = 0; j <= 2 * k; ++j) {
    if (j % 2 == 0 || next == k) x[next] = 1;
    if (j < k) ++next;
    else --next;
  }
}

// The test changes more than once.
// truth: in_bounds=no write_race_free=no
// symcute: assume k <= 1000
// symcute: extent x = k
__global__ void now_and_then(int k, float *x) {
  int next = 0;
  for (int j = 0; j < 2 * k; ++j) {
    x[next] = 1;
    if (j % 3 != 1) ++next;
  }
}

// Each thread turns where it is itself.
// symcute: extent y = 32
__global__ void own_turn(float *y) {
  int at = 0;
  for (int j = 0; j < 40; ++j)
    if (j < threadIdx.x) ++at;
  y[at] = 1;
}

// Two threads turn in the same round.
// truth: write_race_free=no
// symcute: extent y = 32
__global__ void shared_turn(float *y) {
  int at = 0;
  for (int j = 0; j < 40; ++j)
    if (j < threadIdx.x / 2) ++at;
  y[at] = 1;
}

// Set again in every round to what it was.
// symcute: extent y = 32
__global__ void set_again(int n, float *y) {
  int at = 31 - threadIdx.x;
  for (int j = 0; j < n; ++j) {
    y[at] = j;
    at = 31 - threadIdx.x;
  }
}

// symcute: extent y = 32
// truth: write_race_free=no
__global__ void set_to_something_else(int n, float *y) {
  int at = 31 - threadIdx.x;
  for (int j = 0; j < n; ++j) {
    y[at] = j;
    at = threadIdx.x;
  }
}

// It turns where a byte does, and again where the byte has wrapped.
// truth: in_bounds=no write_race_free=no
// symcute: assume n <= 600
// symcute: extent x = 11
// run: n=300
__global__ void turns_as_a_byte_wraps(int n, float *x) {
  unsigned char j = 0;
  int next = 0;
  for (int i = 0; i < n; ++i) {
    x[next] = 1;
    if (j < 10) ++next;
    j = (unsigned char)(j + 1);
  }
}

// truth: write_race_free=no
// symcute: extent x = 11
__global__ void turns_before_a_byte_wraps(float *x) {
  int next = 0;
  for (unsigned char j = 0; j < 250; j = (unsigned char)(j + 1)) {
    x[next] = 1;
    if (j < 10) ++next;
  }
}

// A test of what wraps ends no loop for good: 65532 is followed by 0.
// truth: in_bounds=no
// symcute: launch grid=(1) block=(1)
// symcute: assume n <= 20000
// symcute: extent x = 1
// run: n=18000
__global__ void goes_on_as_a_number_wraps(int n, float *x) {
  unsigned short j = 0;
  int i = 0;
  for (; j < 65535 && i < n; ++i) j = (unsigned short)(j + 4);
  x[i > 17000 ? 1 : 0] = 1;
}

// symcute: launch grid=(1) block=(1)
// symcute: assume n <= 20000
// symcute: extent x = 1
__global__ void ends_before_a_number_wraps(int n, float *x) {
  unsigned short j = 0;
  int i = 0;
  for (; j < 65530 && i < n; ++i) j = (unsigned short)(j + 4);
  x[i > 17000 ? 1 : 0] = 1;
}

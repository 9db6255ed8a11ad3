// Memory that is no array of numbers in global memory: surfaces, constants, what is printed, what is handed over.

// symcute: launch grid=(1) block=(32)
// verdict: in_bounds=unknown no_overflow=unknown aligned=unknown write_race_free=unknown
// verdict: read_write_race_free=unknown
__global__ void a_surface(cudaSurfaceObject_t s) {
  surf2Dwrite((float)threadIdx.x, s, 0, 0);
}

// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
__global__ void a_texture(cudaTextureObject_t t, float *y) {
  y[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0);
}

__constant__ int table[4];

// symcute: launch grid=(1) block=(4)
// verdict: write_race_free=refuted
__global__ void constants_written() { table[0] = threadIdx.x; }

// symcute: launch grid=(2) block=(4)
// verdict: write_race_free=refuted
__global__ void constants_written_by_blocks() { table[threadIdx.x] = blockIdx.x; }

// symcute: launch grid=(1) block=(4)
__global__ void constants_written_apart() { table[threadIdx.x] = threadIdx.x; }

// symcute: launch grid=(1) block=(4)
// symcute: extent y = 4
// verdict: read_write_race_free=refuted
__global__ void constants_written_and_read(int *y) {
  table[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = table[3 - threadIdx.x];
}

// symcute: launch grid=(2) block=(4)
// symcute: extent y = 8
__global__ void constants_read(int *y) {
  y[4 * blockIdx.x + threadIdx.x] = table[threadIdx.x];
}

// The buffer of what is printed is one in which all take turns.
// symcute: launch grid=(2) block=(32)
// symcute: extent x = 64
__global__ void prints(const int *x) { printf("%d\n", x[32 * blockIdx.x + threadIdx.x]); }

// How long a text is, is not known.
// symcute: launch grid=(1) block=(32)
// symcute: extent text = 8
// verdict: in_bounds=unknown no_overflow=unknown aligned=unknown write_race_free=unknown
// verdict: read_write_race_free=unknown
__global__ void prints_text(const char *text) { printf("%s\n", text); }

struct Handed { int n; int a[4]; };

// symcute: launch grid=(2) block=(4)
// symcute: extent y = 8
__global__ void handed_over(int *y, Handed h) { y[4 * blockIdx.x + threadIdx.x] = h.a[threadIdx.x]; }

// Each thread has a copy of its own, which is not followed.
// symcute: launch grid=(2) block=(4)
// symcute: extent y = 8
// verdict: in_bounds=unknown no_overflow=unknown aligned=unknown write_race_free=unknown
// verdict: read_write_race_free=unknown
__global__ void handed_over_and_written(int *y, Handed h) {
  h.a[0] = threadIdx.x;
  y[4 * blockIdx.x + threadIdx.x] = h.a[0];
}

// What is given back may not be read.
// symcute: launch grid=(1) block=(1)
// symcute: extent x = 4
// verdict: in_bounds=unknown no_overflow=unknown aligned=unknown write_race_free=unknown
// verdict: read_write_race_free=unknown
__global__ void given_back(int *x) {
  free(x);
  x[0] = 1;
}

// An operator that is written in a macro is not one of clang's.
#define DOUBLED(S) \
  struct S { \
    int held; \
    __device__ S &operator=(const S &other) { held = 2 * other.held; return *this; } \
  };
DOUBLED(Doubled)

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// verdict: in_bounds=refuted
__global__ void assigned_by_a_macro(int *x) {
  Doubled one, two;
  one.held = threadIdx.x;
  two = one;
  x[two.held] = 1;
}

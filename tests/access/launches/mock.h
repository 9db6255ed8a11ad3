// CUDA's launches and memory on the CPU, for host code alone: a launch says what it was given.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
typedef int cudaError_t;
typedef void *cudaStream_t;
enum { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

struct Room { unsigned long start, bytes; bool freed; };
inline std::vector<Room> &rooms() { static std::vector<Room> all; return all; }
// Addresses that nobody reads: each array has a piece of them to itself.
inline unsigned long place(unsigned long bytes) {
  unsigned long start = (rooms().size() + 1) << 44;
  rooms().push_back({start, bytes, false});
  return start;
}
template <class T> cudaError_t cudaMalloc(T **p, size_t bytes) {
  if (bytes > (1ul << 40)) exit(0);
  *p = (T *)place(bytes);
  return 0;
}
template <class T> cudaError_t cudaMallocManaged(T **p, size_t n) { return cudaMalloc(p, n); }
inline cudaError_t cudaFree(void *p) {
  for (Room &r : rooms()) r.freed = r.freed || r.start == (unsigned long)p;
  return 0;
}
inline cudaError_t cudaDeviceSynchronize() { return 0; }
inline cudaError_t cudaGetLastError() { return 0; }
inline cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind) { return 0; }

template <class T> void say(T *p) {
  unsigned long at = (unsigned long)p;
  for (size_t n = 0; n < rooms().size(); n++) {
    const Room &r = rooms()[n];
    if (r.start >> 44 == at >> 44) {
      printf(" p %zu %ld %ld", n, (long)(at - r.start), r.freed ? -1 : (long)r.bytes);
      return;
    }
  }
  printf(" p -1 0 -1");
}
inline void say(float) { printf(" f"); }
inline void say(double) { printf(" f"); }
template <class T> void say(T n) { printf(" i %lld", (long long)n); }
struct Launched {
  template <class... A> void operator()(A... a) const { (say(a), ...); printf("\n"); }
};
inline Launched launched(int line, dim3 g, dim3 b, size_t shared = 0, cudaStream_t = 0) {
  printf("%d %u %u %u %u %u %u %zu", line, g.x, g.y, g.z, b.x, b.y, b.z, shared);
  return {};
}

template <class... A, size_t... I>
void launched_by_name(int line, dim3 g, dim3 b, void **args, size_t shared, std::index_sequence<I...>) {
  launched(line, g, b, shared)(*(A *)args[I]...);
}
template <class... A>
cudaError_t cudaLaunchKernel(void (*)(A...), dim3 g, dim3 b, void **args, size_t shared = 0,
                             cudaStream_t = 0, int line = __builtin_LINE()) {
  launched_by_name<A...>(line, g, b, args, shared, std::index_sequence_for<A...>());
  return 0;
}

// What the headers hold that symcute is not given.
inline void unseen_set(int &n) { n = n / 2 + 1; }
inline int unseen_half(int n) { return n / 2; }
inline int *&unseen_kept() { static int *kept = nullptr; return kept; }
inline void unseen_keep(int &n) { unseen_kept() = &n; }
inline void unseen_change() { if (unseen_kept()) *unseen_kept() = 3; }
inline std::function<void()> &unseen_function() { static std::function<void()> f; return f; }
inline void unseen_later(std::function<void()> f) { unseen_function() = f; }
inline void unseen_call() { if (unseen_function()) unseen_function()(); }
typedef long unseen_long;
#define UNSEEN_ADD(x) (x) += 7

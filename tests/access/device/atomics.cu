// Who is atomic to whom: scopes, widths, and accesses that are not atomic.
#include <cuda/atomic>

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
__global__ void of_the_device(int *c) { atomicAdd(c, 1); }

// Threads of two blocks.
// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void of_the_block(int *c) { atomicAdd_block(c, 1); }

// symcute: launch grid=(1) block=(32)
// symcute: extent c = 1
__global__ void of_the_only_block(int *c) { atomicAdd_block(c, 1); }

// Each block has a counter of its own.
// symcute: launch grid=(G) block=(256)
// symcute: assume G <= 2**16
// symcute: extent c = G
__global__ void a_counter_a_block(int *c) { atomicAdd_block(&c[blockIdx.x], 1); }

// symcute: launch grid=(G) block=(256)
// symcute: assume 2 <= G <= 2**16
// symcute: extent c = G
// verdict: write_race_free=refuted
__global__ void a_counter_two_blocks(int *c) { atomicAdd_block(&c[blockIdx.x / 2], 1); }

// symcute: launch grid=(2) block=(32)
__global__ void shared_by_a_block() {
  __shared__ int c;
  atomicMax_block(&c, threadIdx.x);
}

// One scope is not enough.
// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void block_beside_device(int *c) {
  if (blockIdx.x == 0) atomicAdd_block(c, 1);
  else atomicAdd_system(c, 1);
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
__global__ void device_beside_system(int *c) {
  if (blockIdx.x == 0) atomicAdd(c, 1);
  else atomicAdd_system(c, 1);
}

// symcute: launch grid=(1) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void of_the_thread(int *c) {
  cuda::atomic_ref<int, cuda::thread_scope_thread> r(c[0]);
  r.fetch_add(1, cuda::memory_order_relaxed);
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
__global__ void by_reference(unsigned long long *c) {
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> r(*c);
  r.fetch_max(threadIdx.x);
  r.store(r.load(cuda::std::memory_order_acquire) | 1);
  ++r;
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void by_reference_in_a_block(int *c) {
  cuda::atomic_ref<int, cuda::thread_scope_block> r(*c);
  int seen = 0;
  r.compare_exchange_strong(seen, 1);
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 2
__global__ void by_objects(cuda::atomic<int, cuda::thread_scope_device> *c) {
  c[0]++;
  c[1] = c[0].exchange(threadIdx.x);
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 2
// verdict: write_race_free=refuted
__global__ void by_objects_of_a_block(cuda::atomic<int, cuda::thread_scope_block> *c) { c[1] -= 2; }

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
__global__ void built_in(int *c) {
  __nv_atomic_add(c, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  int seen = __nv_atomic_load_n(c, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(c, seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void built_in_for_a_block(int *c) {
  __nv_atomic_fetch_or(c, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}

// Which blocks are in a cluster is not known.
// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: in_bounds=unknown no_overflow=unknown aligned=unknown write_race_free=unknown
// verdict: read_write_race_free=unknown barrier_uniform=unknown
__global__ void built_in_for_a_cluster(int *c) {
  __nv_atomic_fetch_or(c, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
}

// symcute: launch grid=(1) block=(2)
// symcute: extent c = 2
// verdict: write_race_free=refuted
__global__ void of_two_widths(int *c) {
  if (threadIdx.x == 0) atomicAdd(c + 1, 1);
  else atomicAdd((unsigned long long *)c, 1ull);
}

// symcute: launch grid=(1) block=(2)
// symcute: extent c = 3
// symcute: align c = 8
__global__ void of_two_widths_apart(int *c) {
  if (threadIdx.x == 0) atomicAdd(c + 2, 1);
  else atomicAdd((unsigned long long *)c, 1ull);
}

// symcute: launch grid=(1) block=(64)
// symcute: extent c = 2
// verdict: write_race_free=refuted
__global__ void short_in_a_word(unsigned *c) {
  unsigned short *half = (unsigned short *)c;
  if (threadIdx.x == 0) atomicCAS(half + 1, (unsigned short)0, (unsigned short)1);
  else atomicAdd(c, 1u);
}

// Eight bytes at once beside the same eight bytes, four bytes further.
// symcute: launch grid=(1) block=(2)
// symcute: extent c = 4
// verdict: write_race_free=refuted aligned=refuted
__global__ void one_width_shifted(int *c) {
  atomicAdd((unsigned long long *)(c + threadIdx.x), 1ull);
}

// Of a vector each element is added to on its own.
// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
__global__ void vector_beside_element(float2 *c) {
  if (threadIdx.x & 1) atomicAdd(c, make_float2(1, 2));
  else atomicAdd(&c->y, 1.f);
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void vector_beside_both(float2 *c) {
  if (threadIdx.x & 1) atomicAdd(c, make_float2(1, 2));
  else atomicAdd((double *)c, 1.0);
}

// symcute: launch grid=(1) block=(2)
// symcute: extent c = 1
// verdict: read_write_race_free=refuted
__global__ void read_beside(int *c) {
  int seen = 0;
  if (threadIdx.x == 0) atomicAdd(c, 1);
  else seen = *c;
  __shared__ int s[2];
  s[threadIdx.x] = seen;
}

// symcute: launch grid=(1) block=(2)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void write_beside(int *c) {
  if (threadIdx.x == 0) atomicAdd(c, 1);
  else *c = 0;
}

// What is loaded atomically, and read besides, is only read.
// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
__global__ void loads_only(int *c) {
  cuda::atomic_ref<int, cuda::thread_scope_block> r(*c);
  __shared__ int s[32];
  s[threadIdx.x] = r.load() + *c;
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: read_write_race_free=refuted
__global__ void load_of_a_block(int *c) {
  cuda::atomic_ref<int, cuda::thread_scope_block> r(*c);
  if (threadIdx.x == 0) atomicExch(c, 1);
  else r.load();
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// verdict: write_race_free=refuted
__global__ void store_of_a_block(int *c) {
  cuda::atomic_ref<int, cuda::thread_scope_block> r(*c);
  r.store(threadIdx.x);
}

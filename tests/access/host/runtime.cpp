// The machine: runs a kernel thread by thread, each as a fibre, and writes down what it touches.
//
// It stands in for the run-time libraries of -fsanitize=thread and -fsanitize=undefined, whose calls the
// compiler has put before every access and around every signed operation.
#include "machine.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <vector>

namespace {
constexpr size_t SLOT = size_t(1) << 36;  // bytes reserved for one array, which lies in the middle
constexpr size_t SLOTS = 16, STACK = 128 << 10, DYNAMIC = 1 << 20;
constexpr long MICROSECONDS = 5000000;  // that one launch may take

struct Record { uint64_t address; uint32_t place, block, thread, epoch, warp, grid, width, kind; };
struct Event { uint32_t kind, line, column, block, thread, place; };
enum Kind { SIGNED_OVERFLOW = 1, SHIFT, DIVISION, INDEX, EXITED, ELSEWHERE };
enum Status { DONE, LIMIT, WILD, TIME };

struct Fibre {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(STACK);
  Here at;
  unsigned block, epoch, warp, grid;
  int scope;     // what it waits for, 0 while it runs
  void *place;   // of the barrier at which it waits
  bool ended;
};

char *region;
std::vector<char> dynamic_memory(DYNAMIC);
std::vector<Fibre *> pool;
std::vector<Record> records;
std::vector<Event> events;
std::vector<Fibre *> crew;  // the threads that live now
Fibre *running;
ucontext_t scheduler;
sigjmp_buf give_up;
size_t most;
unsigned long long lanes[64][32];
int votes[2];
const Entry *entry;
struct Words : Arguments {
  std::vector<long long> numbers;
  std::vector<std::vector<char>> structs;
  size_t next_number, next_struct;
  long long number() override { return numbers.at(next_number++); }
  void *bytes(size_t size) override {
    auto &found = structs.at(next_struct++);
    if (found.size() != size) { std::fprintf(stderr, "a struct has %zu bytes\n", size); std::exit(3); }
    return found.data();
  }
} &words = *new Words;  // not among the static variables of kernels

void touch(int kind, const void *address, size_t width, void *place) {
  if (!running) return;
  if (records.size() >= most) siglongjmp(give_up, LIMIT);
  records.push_back({(uint64_t)address, (uint32_t)(uintptr_t)place, running->block, running->at.linear,
                     running->epoch, running->warp, running->grid, (uint32_t)width, (uint32_t)kind});
}
// Static variables of kernels are shared or constant memory; each is alone in its 64 KiB.
std::vector<std::pair<const char *, const char *>> statics;
bool kept(const void *address) {
  const char *p = (const char *)address;
  if (p == (const char *)&here) return false;  // how a thread finds its own number
  if (p >= region && p < region + SLOT * SLOTS) return true;
  if (p >= dynamic_memory.data() && p < dynamic_memory.data() + DYNAMIC) return true;
  for (auto &[from, to] : statics) if (p >= from && p < to) return true;
  return false;
}
void event(uint32_t kind, uint32_t line, uint32_t column, void *place = nullptr) {
  if (running && events.size() < most)
    events.push_back({kind, line, column, running->block, running->at.linear,
                      (uint32_t)(uintptr_t)place});
}
void body() {
  words.next_number = words.next_struct = 0;
  entry->run(words);
  running->ended = true;
  running->scope = 0;
  swapcontext(&running->context, &scheduler);
}
Fibre *fibre(size_t k) {
  while (pool.size() <= k) pool.push_back(new Fibre);
  return pool[k];
}
void resume(Fibre *f) {
  running = f;
  here = &f->at;
  f->scope = 0;
  swapcontext(&scheduler, &f->context);
  running = nullptr;
}
// Let those go on who wait for the same, and write down who of the block will not come.
void release(const std::vector<Fibre *> &those, int scope, const std::vector<Fibre *> &others) {
  void *place = those[0]->place;
  running = those[0];
  bool said = false;
  for (Fibre *f : others)
    if (!said && (f->ended || f->place != place)) {
      event(f->ended ? EXITED : ELSEWHERE, scope, 0, place);
      said = true;
    }
  running = nullptr;
  for (Fibre *f : those) {
    if (scope == BLOCK || scope == GRID) ++f->epoch;
    if (scope == GRID) ++f->grid;
    if (scope == WARP) ++f->warp;
  }
}
// Run the threads that live until all have ended.
void run_crew() {
  std::vector<Fibre *> ready = crew;
  while (!ready.empty()) {
    for (Fibre *f : ready) resume(f);
    ready.clear();
    std::vector<Fibre *> waiting;
    for (Fibre *f : crew) if (!f->ended) waiting.push_back(f);
    if (waiting.empty()) break;
    for (int scope : {QUIET, WARP, BLOCK, GRID}) {
      if (!ready.empty()) break;
      // By warps, blocks, or all.
      size_t start = 0;
      auto key = [&](Fibre *f) {
        return scope == GRID ? 0ul : scope == BLOCK ? (unsigned long)f->block
                                                    : f->block * 64ul + f->at.linear / 32;
      };
      while (start < crew.size()) {
        std::vector<Fibre *> those, others;
        size_t end = start;
        for (; end < crew.size() && key(crew[end]) == key(crew[start]); ++end) {
          if (!crew[end]->ended && crew[end]->scope == scope) those.push_back(crew[end]);
          if (scope == WARP || scope == QUIET ? !crew[end]->ended : true) others.push_back(crew[end]);
        }
        start = end;
        if (those.empty()) continue;
        if (scope != QUIET) release(those, scope, others);
        ready.insert(ready.end(), those.begin(), those.end());
      }
    }
  }
}
void on_signal(int number) { siglongjmp(give_up, number == SIGALRM ? TIME : WILD); }
long long word() {
  long long value;
  if (std::scanf("%lld", &value) != 1) std::exit(0);
  return value;
}
dim3 extents() {
  unsigned x = (unsigned)word(), y = (unsigned)word(), z = (unsigned)word();
  return dim3(x, y, z);
}
std::vector<uint3> chosen(dim3 all) {
  std::vector<uint3> found;
  long long count = word();
  for (long long k = 0; k < count; ++k) {
    dim3 at = extents();
    found.push_back({at.x, at.y, at.z});
  }
  if (count < 0)
    for (unsigned z = 0; z < all.z; ++z)
      for (unsigned y = 0; y < all.y; ++y)
        for (unsigned x = 0; x < all.x; ++x) found.push_back({x, y, z});
  return found;
}
}  // namespace

Here *here;

extern "C" {
void host_wait(int scope, void *place) {
  Fibre *f = running;
  f->scope = scope;
  f->place = place;
  swapcontext(&f->context, &scheduler);
}
void host_touch(int kind, const void *address, int width, void *place) {
  if (kept(address)) touch(kind, address, (size_t)width, place);
}
unsigned long long *host_lanes() { return lanes[here->linear / 32 % 64]; }
int *host_votes() { return votes; }
char *host_dynamic() { return dynamic_memory.data() + DYNAMIC / 2; }
unsigned host_warp_mask() {
  unsigned mask = 0;
  for (Fibre *f : crew)
    if (!f->ended && f->block == running->block && f->at.linear / 32 == here->linear / 32)
      mask |= 1u << f->at.linear % 32;
  return mask;
}

#define PLACE __builtin_return_address(0)
#define TOUCH(kind, name, width)                                                     \
  void __tsan_##name##width(void *p) { if (kept(p)) touch(kind, p, width, PLACE); }
#define WIDTHS(kind, name) \
  TOUCH(kind, name, 1) TOUCH(kind, name, 2) TOUCH(kind, name, 4) TOUCH(kind, name, 8) TOUCH(kind, name, 16)
WIDTHS(0, read) WIDTHS(1, write) WIDTHS(0, unaligned_read) WIDTHS(1, unaligned_write)
WIDTHS(0, volatile_read) WIDTHS(1, volatile_write)
void __tsan_read_range(void *p, size_t n) { if (kept(p)) touch(0, p, n, PLACE); }
void __tsan_write_range(void *p, size_t n) { if (kept(p)) touch(1, p, n, PLACE); }
void __tsan_vptr_update(void **, void *) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_init() {}

// What the compiler says of an operation begins with its place.
struct Source { const char *file; uint32_t line, column; };
#define UNDEFINED(name, kind, ...) \
  void __ubsan_handle_##name(Source *at, ##__VA_ARGS__) { event(kind, at->line, at->column); }
UNDEFINED(add_overflow, SIGNED_OVERFLOW, void *, void *)
UNDEFINED(sub_overflow, SIGNED_OVERFLOW, void *, void *)
UNDEFINED(mul_overflow, SIGNED_OVERFLOW, void *, void *)
UNDEFINED(negate_overflow, SIGNED_OVERFLOW, void *)
void __ubsan_handle_divrem_overflow(Source *at, void *, void *divisor) {
  event(divisor ? SIGNED_OVERFLOW : DIVISION, at->line, at->column);
  if (!divisor) siglongjmp(give_up, WILD);  // the processor stops here
}
UNDEFINED(shift_out_of_bounds, SHIFT, void *, void *)
UNDEFINED(out_of_bounds, INDEX, void *)
}

int main() {
  region = (char *)mmap(nullptr, SLOT * SLOTS, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) { std::perror("mmap"); return 3; }
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigaction(number, &action, nullptr);
  }
  uint64_t header[4] = {(uint64_t)region, SLOT, (uint64_t)dynamic_memory.data(), DYNAMIC};
  std::fwrite(header, sizeof header, 1, stdout);
  for (long long k = 0, count = word(); k < count; ++k) {
    const char *p = (const char *)word();
    statics.push_back({p, p + (((size_t)word() + 65535) >> 16 << 16)});
  }
  for (;;) {
    std::fflush(stdout);
    entry = &entries[word()];
    dim3 blocks = extents(), threads = extents();
    most = (size_t)word();
    bool together = word() != 0;  // all blocks at once, for barriers of the grid
    records.clear();
    events.clear();
    madvise(region, SLOT * SLOTS, MADV_DONTNEED);
    for (long long a = 0, arrays = word(); a < arrays; ++a) {
      char *p = region + (size_t)a * SLOT + SLOT / 2;
      long long element = word(), is_float = word(), count = word();
      for (long long k = 0; k < count; ++k, p += element) {
        long long value = word();
        if (is_float && element == 4) { float f = (float)value; std::memcpy(p, &f, 4); }
        else if (is_float && element == 8) { double f = (double)value; std::memcpy(p, &f, 8); }
        else std::memcpy(p, &value, (size_t)element);
      }
    }
    words.numbers.clear();
    words.structs.clear();
    for (long long k = 0, count = word(); k < count; ++k) {
      long long kind = word();  // 0 a number, 1 an array, 2 a struct
      if (kind == 2) {
        std::vector<char> bytes((size_t)word());
        for (long long f = 0, fields = word(); f < fields; ++f) {
          long long offset = word(), size = word(), is_array = word(), value = word();
          if (is_array) value = (long long)(region + (size_t)value * SLOT + SLOT / 2);
          std::memcpy(bytes.data() + offset, &value, (size_t)size);
        }
        words.structs.push_back(bytes);
      } else {
        long long value = word();
        words.numbers.push_back(kind ? (long long)(region + (size_t)value * SLOT + SLOT / 2) : value);
      }
    }
    std::vector<std::pair<char *, size_t>> shared;
    for (long long k = 0, count = word(); k < count; ++k) {
      char *p = (char *)word();
      shared.push_back({p, (size_t)word()});
    }
    std::vector<uint3> which_blocks = chosen(blocks), which_threads = chosen(threads);
    itimerval timer = {{0, 0}, {MICROSECONDS / 1000000, MICROSECONDS % 1000000}}, off = {};
    setitimer(ITIMER_REAL, &timer, nullptr);
    int status = sigsetjmp(give_up, 1);
    if (!status) {
      crew.clear();
      size_t used = 0;
      for (size_t b = 0; b < which_blocks.size(); ++b) {
        if (!together) { crew.clear(); used = 0; }
        if (!together || b == 0) {
          for (auto &[p, size] : shared) std::memset(p, 0, size);
          std::memset(dynamic_memory.data(), 0, DYNAMIC);
          votes[0] = votes[1] = 0;
        }
        for (uint3 t : which_threads) {
          Fibre *f = fibre(used++);
          uint3 at = which_blocks[b];
          f->at = {t, at, threads, blocks, t.x + threads.x * (t.y + threads.y * t.z)};
          f->block = at.x + blocks.x * (at.y + blocks.y * at.z);
          f->epoch = f->warp = f->grid = 0;
          f->ended = false;
          f->scope = 0;
          getcontext(&f->context);
          f->context.uc_stack.ss_sp = f->stack.data();
          f->context.uc_stack.ss_size = STACK;
          f->context.uc_link = &scheduler;
          makecontext(&f->context, body, 0);
          crew.push_back(f);
        }
        if (!together || b + 1 == which_blocks.size()) run_crew();
      }
    }
    running = nullptr;
    setitimer(ITIMER_REAL, &off, nullptr);
    uint64_t sizes[3] = {(uint64_t)status, records.size(), events.size()};
    std::fwrite(sizes, sizeof sizes, 1, stdout);
    std::fwrite(records.data(), sizeof(Record), records.size(), stdout);
    std::fwrite(events.data(), sizeof(Event), events.size(), stdout);
  }
}

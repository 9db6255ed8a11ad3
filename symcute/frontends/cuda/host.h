// What host code expects to find, as declarations: enough to follow it to its launches.
//
// A function without a body gives a value of which no more is known than its type, and changes
// nothing but what it is handed the address of. Those that allocate, free, launch or end are known
// by their names (host/calls.py).
#pragma once

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define CLOCKS_PER_SEC 1000000l
#define SYMCUTE_H __attribute__((host))

struct symcute_file;
typedef symcute_file FILE;
extern FILE *stdin, *stdout, *stderr;
SYMCUTE_H int fprintf(FILE *, const char *, ...);
SYMCUTE_H int sprintf(char *, const char *, ...);
SYMCUTE_H int snprintf(char *, size_t, const char *, ...);
SYMCUTE_H int puts(const char *);
SYMCUTE_H int putchar(int);
SYMCUTE_H int fflush(FILE *);
SYMCUTE_H FILE *fopen(const char *, const char *);
SYMCUTE_H int fclose(FILE *);
SYMCUTE_H size_t fread(void *, size_t, size_t, FILE *);
SYMCUTE_H size_t fwrite(const void *, size_t, size_t, FILE *);
SYMCUTE_H int fscanf(FILE *, const char *, ...);
SYMCUTE_H int scanf(const char *, ...);
SYMCUTE_H int sscanf(const char *, const char *, ...);
SYMCUTE_H int atoi(const char *);
SYMCUTE_H long atol(const char *);
SYMCUTE_H long long atoll(const char *);
SYMCUTE_H double atof(const char *);
SYMCUTE_H float strtof(const char *, char **);
SYMCUTE_H double strtod(const char *, char **);
SYMCUTE_H long strtol(const char *, char **, int);
SYMCUTE_H unsigned long strtoul(const char *, char **, int);
SYMCUTE_H void *calloc(size_t, size_t);
SYMCUTE_H void *realloc(void *, size_t);
SYMCUTE_H void *aligned_alloc(size_t, size_t);
SYMCUTE_H int posix_memalign(void **, size_t, size_t);
SYMCUTE_H long time(long *);
SYMCUTE_H int strcmp(const char *, const char *);
SYMCUTE_H int strncmp(const char *, const char *, size_t);
SYMCUTE_H char *getenv(const char *);
SYMCUTE_H int gettimeofday(struct timeval *, void *);
struct timeval { long tv_sec, tv_usec; };
struct timespec { long tv_sec, tv_nsec; };
SYMCUTE_H int clock_gettime(int, timespec *);
#define CLOCK_MONOTONIC 1

// --- the CUDA runtime ----------------------------------------------------------------------------

enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10, cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrCooperativeLaunch = 95
};
#define cudaMemAttachGlobal 1
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventDisableTiming 2
// As CUDA 12 has it; what nobody asks for is room.
struct cudaDeviceProp {
  char name[256], symcute_ids[28];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
  int computeMode, symcute_textures[40];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int symcute_rest[76];
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
SYMCUTE_H cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);
template <class T> SYMCUTE_H cudaError_t cudaMalloc(T **, size_t);
template <class T> SYMCUTE_H cudaError_t cudaMallocManaged(T **, size_t, unsigned = 1);
template <class T> SYMCUTE_H cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <class T> SYMCUTE_H cudaError_t cudaHostAlloc(T **, size_t, unsigned);
template <class T> SYMCUTE_H cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T> SYMCUTE_H cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
SYMCUTE_H cudaError_t cudaFree(void *);
SYMCUTE_H cudaError_t cudaFreeHost(void *);
SYMCUTE_H cudaError_t cudaFreeAsync(void *, cudaStream_t);
SYMCUTE_H cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
SYMCUTE_H cudaError_t cudaMemcpyAsync(
    void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
SYMCUTE_H cudaError_t cudaMemcpy2D(
    void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
template <class T> SYMCUTE_H cudaError_t cudaMemcpyToSymbol(
    const T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> SYMCUTE_H cudaError_t cudaMemcpyFromSymbol(
    void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
SYMCUTE_H cudaError_t cudaMemset(void *, int, size_t);
SYMCUTE_H cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
SYMCUTE_H cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
SYMCUTE_H cudaError_t cudaMemGetInfo(size_t *, size_t *);
SYMCUTE_H cudaError_t cudaDeviceSynchronize();
SYMCUTE_H cudaError_t cudaThreadSynchronize();
SYMCUTE_H cudaError_t cudaDeviceReset();
SYMCUTE_H cudaError_t cudaSetDevice(int);
SYMCUTE_H cudaError_t cudaGetDevice(int *);
SYMCUTE_H cudaError_t cudaGetDeviceCount(int *);
SYMCUTE_H cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
SYMCUTE_H cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
SYMCUTE_H cudaError_t cudaGetLastError();
SYMCUTE_H cudaError_t cudaPeekAtLastError();
SYMCUTE_H const char *cudaGetErrorString(cudaError_t);
SYMCUTE_H const char *cudaGetErrorName(cudaError_t);
SYMCUTE_H cudaError_t cudaEventCreate(cudaEvent_t *);
SYMCUTE_H cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
SYMCUTE_H cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
SYMCUTE_H cudaError_t cudaEventSynchronize(cudaEvent_t);
SYMCUTE_H cudaError_t cudaEventQuery(cudaEvent_t);
SYMCUTE_H cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
SYMCUTE_H cudaError_t cudaEventDestroy(cudaEvent_t);
SYMCUTE_H cudaError_t cudaStreamCreate(cudaStream_t *);
SYMCUTE_H cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
SYMCUTE_H cudaError_t cudaStreamSynchronize(cudaStream_t);
SYMCUTE_H cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
SYMCUTE_H cudaError_t cudaStreamDestroy(cudaStream_t);
template <class F> SYMCUTE_H cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int);
template <class F> SYMCUTE_H cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache);
template <class F> SYMCUTE_H cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *, F, int, size_t);
template <class F> SYMCUTE_H cudaError_t cudaOccupancyMaxPotentialBlockSize(
    int *, int *, F, size_t = 0, int = 0);
template <class F> SYMCUTE_H cudaError_t cudaLaunchKernel(
    F, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class F> SYMCUTE_H cudaError_t cudaLaunchCooperativeKernel(
    F, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
// The one attribute that leaves the launch what it is: blocks may start before those of the launch
// before have ended. Others, as that of clusters, are not here, and what sets them is not followed.
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  alignas(8) union { int programmaticStreamSerializationAllowed; char symcute_room[64]; } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
SYMCUTE_H cudaError_t symcute_launched();
template <class... P, class... A> SYMCUTE_H cudaError_t cudaLaunchKernelEx(
    const cudaLaunchConfig_t *how, void (*kernel)(P...), A &&...given) {
  kernel<<<how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream>>>(given...);
  return symcute_launched();
}
// NVIDIA's samples check with these; their header is beside them only.
template <class T> SYMCUTE_H void checkCudaErrors(T) {}
SYMCUTE_H inline void getLastCudaError(const char *) {}
SYMCUTE_H int findCudaDevice(int, const char **);
SYMCUTE_H cudaError_t cudaProfilerStart();
SYMCUTE_H cudaError_t cudaProfilerStop();

// --- the C++ library -----------------------------------------------------------------------------

namespace std {
using ::fprintf; using ::atoi; using ::atol; using ::atoll; using ::atof; using ::exit; using ::malloc; using ::free;
using ::rand; using ::srand; using ::time; using ::strcmp; using ::getenv; using ::FILE;
struct ostream;
struct symcute_manipulator;
extern symcute_manipulator endl, fixed, flush, scientific, left, right, boolalpha;
SYMCUTE_H symcute_manipulator &setw(int);
SYMCUTE_H symcute_manipulator &setprecision(int);
// What is printed is looked at, and that is all.
template <class T> SYMCUTE_H ostream &operator<<(ostream &, const T &);
#define SYMCUTE_THROWN(N) \
  struct N { \
    void *symcute_held[2]; \
    template <class S> SYMCUTE_H explicit N(const S &); \
    SYMCUTE_H const char *what() const; \
  };
SYMCUTE_THROWN(runtime_error) SYMCUTE_THROWN(logic_error) SYMCUTE_THROWN(invalid_argument)
SYMCUTE_THROWN(out_of_range)
struct nullopt_t {};
inline constexpr nullopt_t nullopt{};
struct bad_optional_access { void *symcute_held; };
template <class T> struct optional<T> {
  bool symcute_has;
  T symcute_value;
  SYMCUTE_H optional() : symcute_has(false) {}
  SYMCUTE_H optional(nullopt_t) : symcute_has(false) {}
  SYMCUTE_H optional(const T &v) : symcute_has(true), symcute_value(v) {}
  SYMCUTE_H bool has_value() const { return symcute_has; }
  SYMCUTE_H explicit operator bool() const { return symcute_has; }
  SYMCUTE_H const T &value() const {
    if (!symcute_has) throw bad_optional_access();
    return symcute_value;
  }
  SYMCUTE_H const T &operator*() const { return symcute_value; }
  SYMCUTE_H const T *operator->() const { return &symcute_value; }
  SYMCUTE_H T value_or(const T &v) const { return symcute_has ? symcute_value : v; }
};
template <class T, class... A> struct vector<T, A...> {
  size_t symcute_size;
  T *symcute_held;
  void *symcute_room;
  SYMCUTE_H vector() : symcute_size(0) {}
  SYMCUTE_H explicit vector(size_t n) : symcute_size(n) {}
  SYMCUTE_H vector(size_t n, const T &) : symcute_size(n) {}
  SYMCUTE_H vector(initializer_list<T>);
  SYMCUTE_H size_t size() const { return symcute_size; }
  SYMCUTE_H bool empty() const { return symcute_size == 0; }
  SYMCUTE_H void resize(size_t n) { symcute_size = n; }
  SYMCUTE_H void resize(size_t n, const T &) { symcute_size = n; }
  SYMCUTE_H void reserve(size_t) {}
  SYMCUTE_H void clear() { symcute_size = 0; }
  SYMCUTE_H void push_back(const T &) { symcute_size = symcute_size + 1; }
  SYMCUTE_H void pop_back() { symcute_size = symcute_size - 1; }
  SYMCUTE_H T *data() { return symcute_held; }
  SYMCUTE_H const T *data() const { return symcute_held; }
  SYMCUTE_H T *begin() { return symcute_held; }
  SYMCUTE_H T *end() { return symcute_held + symcute_size; }
  SYMCUTE_H const T *begin() const { return symcute_held; }
  SYMCUTE_H const T *end() const { return symcute_held + symcute_size; }
  SYMCUTE_H T &operator[](size_t i) { return symcute_held[i]; }
  SYMCUTE_H const T &operator[](size_t i) const { return symcute_held[i]; }
};
// Of text its length may be asked; what it says, and what it is compared with, is not looked at.
template <class C> struct basic_string<C> {
  size_t symcute_size;
  void *symcute_held[3];
  SYMCUTE_H basic_string();
  SYMCUTE_H basic_string(const C *);
  SYMCUTE_H size_t size() const { return symcute_size; }
  SYMCUTE_H size_t length() const { return symcute_size; }
  SYMCUTE_H bool empty() const { return symcute_size == 0; }
  SYMCUTE_H const C *c_str() const;
};
// One comparison says something of another: a number that nobody knows stands for each.
namespace symcute_text { SYMCUTE_H int symcute_any(); }
#define SYMCUTE_STRING template <class C> SYMCUTE_H
#define SYMCUTE_COMPARE(op, A, B) \
  SYMCUTE_STRING bool operator op(A, B) { return symcute_text::symcute_any() != 0; }
#define SYMCUTE_COMPARED(op) \
  SYMCUTE_COMPARE(op, const basic_string<C> &, const basic_string<C> &) \
  SYMCUTE_COMPARE(op, const basic_string<C> &, const C *) \
  SYMCUTE_COMPARE(op, const C *, const basic_string<C> &)
SYMCUTE_COMPARED(==) SYMCUTE_COMPARED(!=)
SYMCUTE_STRING basic_string<C> operator+(const basic_string<C> &, const basic_string<C> &);
SYMCUTE_STRING basic_string<C> operator+(const basic_string<C> &, const C *);
SYMCUTE_STRING basic_string<C> operator+(const C *, const basic_string<C> &);
template <class T> SYMCUTE_H string to_string(T);
template <class T, class... A> struct deque<T, A...> {
  size_t symcute_size;
  void *symcute_held[9];
  SYMCUTE_H deque();
  SYMCUTE_H size_t size() const { return symcute_size; }
  SYMCUTE_H bool empty() const { return symcute_size == 0; }
  SYMCUTE_H void resize(size_t n) { symcute_size = n; }
  SYMCUTE_H T &operator[](size_t);
};
struct once_flag { int symcute_done; };
template <class F, class... A> SYMCUTE_H void call_once(once_flag &, F, A...);
// A table by a key: what is in it is not known, and whoever asks it is not understood.
template <class K, class V, class... A> struct map<K, V, A...> {
  struct symcute_entry { template <class L, class R> SYMCUTE_H symcute_entry(const L &, const R &); };
  SYMCUTE_H map();
  SYMCUTE_H map(initializer_list<symcute_entry>);
  size_t symcute_tree[6];
};
}  // namespace std

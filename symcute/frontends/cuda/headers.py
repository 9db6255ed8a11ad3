"""The headers that kernels see: one of our own, and names of headers that lead to nothing more."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["ROOT", "SHIM", "headers", "is_of_host", "is_ours"]

#: A folder that need not exist: its files are handed to clang as text.
ROOT = "/symcute-cuda"
SHIM = f"{ROOT}/symcute_cuda.h"

#: Headers of CUDA and of the C and C++ libraries; what kernels use of them is in the shim.
_NAMES = """
assert.h ctype.h errno.h float.h inttypes.h limits.h math.h math_constants.h memory.h stdarg.h
stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h time.h sys/time.h sys/types.h
sys/stat.h unistd.h pthread.h fcntl.h sys/mman.h sys/utsname.h sys/wait.h sys/socket.h sys/un.h
arpa/inet.h netinet/in.h netdb.h getopt.h sys/resource.h fenv.h glob.h cfenv dirent.h dlfcn.h
malloc.h sched.h signal.h windows.h algorithm array atomic cassert cctype cerrno cfloat chrono
cinttypes climits cmath complex cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque
exception fstream functional iomanip ios iostream istream iterator limits list map memory mutex
new numeric optional ostream queue random set sstream stack stdexcept streambuf string string_view
thread tuple type_traits typeinfo unordered_map unordered_set utility variant vector
initializer_list cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h
device_launch_parameters.h device_functions.h device_types.h device_atomic_functions.h
sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_35_intrinsics.h math_functions.h
driver_types.h vector_types.h vector_functions.h builtin_types.h host_defines.h host_config.h
common_functions.h texture_types.h texture_fetch_functions.h surface_types.h surface_functions.h
cuda_texture_types.h texture_indirect_functions.h channel_descriptor.h cuComplex.h cuda_fp16.h
cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp cuda_fp8.h cuda_profiler_api.h cuda_pipeline.h
cuda_awbarrier.h cooperative_groups.h cooperative_groups/reduce.h
cooperative_groups/memcpy_async.h cooperative_groups/scan.h mma.h crt/host_defines.h crt/mma.h
nvrtc.h cuda_gl_interop.h cuda_occupancy.h library_types.h curand.h curand_kernel.h cublas.h
cublas_v2.h cublasLt.h cufft.h cufftXt.h cusparse.h cusolverDn.h cudnn.h nccl.h cuda/pipeline
cuda/barrier cuda/atomic cuda/std/atomic cuda/std/cstdint cuda/std/limits cuda/std/functional
cuda/std/utility cuda/std/type_traits cuda/std/cassert cuda/std/cstddef cuda/std/array
cuda/std/complex nvToolsExt.h nvtx3/nvToolsExt.h omp.h mpi.h
"""

#: Libraries of the host: what of them kernels need is missed where it is used.
_LIBRARIES = (
    "thrust/",
    "cub/",
    "GL/",
    "EGL/",
    "nv/",
    "cuda/",
    "boost/",
    "opencv2/",
    "X11/",
    "GLES2/",
    "GLES3/",
    "GLFW/",
)


def is_of_host(name: str) -> bool:
    """Is this a header of a library that host code uses?"""
    return name.startswith(_LIBRARIES)


@cache
def headers() -> dict[str, str]:
    """Return the text of each header by its path."""
    shim = (files("symcute.frontends.cuda") / "shim.h").read_text(encoding="utf-8")
    return {SHIM: shim, **{f"{ROOT}/{name}": "" for name in _NAMES.split()}}


def is_ours(path: str) -> bool:
    """Is this one of our headers?"""
    return path.startswith(ROOT)

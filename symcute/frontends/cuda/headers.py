"""The headers that kernels see: ours, and names of headers that lead to nothing more."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["HOST", "ROOT", "SEARCHED", "SHIM", "TORCH", "headers", "is_ours", "part_of"]

#: A folder that need not exist: its files are handed to clang as text.
ROOT = "/symcute-cuda"
SHIM = f"{ROOT}/symcute_cuda.h"
HOST = f"{ROOT}/symcute_host.h"
TORCH = f"{ROOT}/symcute_torch.h"
#: Variables by which clang would read what nobody asked for.
SEARCHED = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")
#: The headers that have a text, and the files of this package that it is in.
_TEXTS = {
    SHIM: "shim.h",
    HOST: "host.h",
    f"{ROOT}/symcute_narrow.h": "narrow.h",
    TORCH: "torch.h",
    f"{ROOT}/symcute_stable.h": "stable.h",
    f"{ROOT}/symcute_cub.h": "cub.h",
}
#: Folders of headers of which a part is in one of ours: that is seen where they are not found.
#: Of a folder in another the first counts.
_PARTS = {
    **dict.fromkeys(("torch/csrc/", "torch/headeronly/"), "symcute_stable.h"),
    **dict.fromkeys(("torch/", "ATen/", "c10/"), "symcute_torch.h"),
    "cub/": "symcute_cub.h",
}

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
cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp cuda_fp8.h cuda_fp8.hpp cuda_fp6.h cuda_fp4.h
cuda_profiler_api.h cuda_pipeline.h cuda_pipeline_primitives.h cuda_pipeline_helpers.h
cudaTypedefs.h filesystem bit concepts numbers ranges span regex future condition_variable
shared_mutex ratio
typeindex any source_location stdfloat charconv locale
cuda_awbarrier.h cooperative_groups.h cooperative_groups/reduce.h
cooperative_groups/memcpy_async.h cooperative_groups/scan.h mma.h crt/host_defines.h crt/mma.h
nvrtc.h cuda_gl_interop.h cuda_occupancy.h library_types.h curand.h curand_kernel.h cublas.h
cublas_v2.h cublasLt.h cufft.h cufftXt.h cusparse.h cusolverDn.h cudnn.h nccl.h cuda/pipeline
cuda/barrier cuda/atomic cuda/cmath cuda/functional cuda/std/atomic cuda/std/cmath cuda/std/bit
cuda/std/tuple cuda/std/initializer_list cuda/std/climits cuda/std/cfloat cuda/std/cstdint
cuda/std/limits cuda/std/functional cuda/std/utility cuda/std/type_traits cuda/std/cassert
cuda/std/cstddef cuda/std/array
cuda/std/complex nvToolsExt.h nvtx3/nvToolsExt.h omp.h mpi.h
"""


@cache
def headers() -> dict[str, str]:
    """Return the text of each header by its path."""
    ours = files("symcute.frontends.cuda")
    texts = {place: (ours / name).read_text(encoding="utf-8") for place, name in _TEXTS.items()}
    return texts | {f"{ROOT}/{name}": "" for name in _NAMES.split()}


def part_of(header: str) -> str:
    """Return what is seen of a header that was not found: nothing, or what is known of it.

    >>> part_of("torch/extension.h")
    '#include "/symcute-cuda/symcute_torch.h"\\n'
    """
    known = next((ours for folder, ours in _PARTS.items() if header.startswith(folder)), "")
    return f'#include "{ROOT}/{known}"\n' if known else ""


def is_ours(path: str) -> bool:
    """Is this one of our headers?"""
    return path.startswith(ROOT)

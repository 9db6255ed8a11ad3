// What host code of kernels names of cuBLAS, where its own headers are not there: nothing of it is
// for a device.
#pragma once
#include <library_types.h>

typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);
#define SYMCUTE_OF_ANY(name) template <class... T> cublasStatus_t name(T...);
SYMCUTE_OF_ANY(cublasSgemm) SYMCUTE_OF_ANY(cublasDgemm) SYMCUTE_OF_ANY(cublasHgemm)
SYMCUTE_OF_ANY(cublasGemmEx) SYMCUTE_OF_ANY(cublasSgemmEx) SYMCUTE_OF_ANY(cublasSgemv)
SYMCUTE_OF_ANY(cublasSgemmBatched) SYMCUTE_OF_ANY(cublasSgemmStridedBatched)
SYMCUTE_OF_ANY(cublasGemmBatchedEx) SYMCUTE_OF_ANY(cublasGemmStridedBatchedEx)
SYMCUTE_OF_ANY(cublasStrsm) SYMCUTE_OF_ANY(cublasStrsmBatched)
#undef SYMCUTE_OF_ANY

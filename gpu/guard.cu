// Kernels for `symcute.guard`: right ones, and ones that must not be launched as they are.

// symcute: launch grid=(ceil_div(n,256)) block=(256)
// symcute: extent x = n
// symcute: extent y = n
// symcute: assume n <= 2**30
extern "C" __global__ void saxpy(const float* x, float* y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

// One element too many.
extern "C" __global__ void saxpy_too_far(const float* x, float* y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] += a * x[i];
}

// Sums of blocks of 256 elements.
extern "C" __global__ void block_sums(const int* x, int* sums, int n)
{
    __shared__ int part[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int width = 128; width > 0; width >>= 1) {
        if (t < width) part[t] += part[t + width];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

// The same without the barrier in the loop.
extern "C" __global__ void block_sums_racy(const int* x, int* sums, int n)
{
    __shared__ int part[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int width = 128; width > 0; width >>= 1) {
        if (t < width) part[t] += part[t + width];
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

// Each element takes the value of its neighbour, which another thread may have moved already.
extern "C" __global__ void shift_racy(int* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) x[i] = x[i + 1];
}

extern "C" __global__ void shift(const int* x, int* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) y[i] = x[i + 1];
}

// cupy/cupy#7539: with 429498 x 5000 elements the index is beyond an int.
extern "C" __global__ void residuals(float* residuals, int x_dim, int y_dim)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < x_dim && y < y_dim) residuals[x * y_dim + y] = 1.f;
}

extern "C" __global__ void residuals_wide(float* residuals, int x_dim, int y_dim)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < x_dim && y < y_dim) residuals[(size_t)x * y_dim + y] = 1.f;
}

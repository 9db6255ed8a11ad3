/* Images from NCHW to NHWC, and back. to_nhwc and to_nchw come from nhwc.py: the place of an element,
   counted in one order, in the other. The tiled kernel moves 32 x 32 channels and pixels through
   shared memory, so that both sides are read and written along their rows. */

extern "C" __global__ void nchw_to_nhwc(const float *in, float *out, int B, int C, int H, int W)
{
    const long long n = (long long)B * C * H * W;
    for (long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x; x < n;
         x += (long long)gridDim.x * blockDim.x)
        out[to_nhwc(x, B, C, H, W)] = in[x];
}

extern "C" __global__ void nhwc_to_nchw(const float *in, float *out, int B, int C, int H, int W)
{
    const long long n = (long long)B * C * H * W;
    for (long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x; x < n;
         x += (long long)gridDim.x * blockDim.x)
        out[to_nchw(x, B, C, H, W)] = in[x];
}

extern "C" __global__ void nchw_to_nhwc_tiled(const float *in, float *out, int C, int P)
{
    __shared__ float tile[TILE_FLOATS];
    const long long image = (long long)blockIdx.z * C * P;
    int pixel = blockIdx.x * 32 + threadIdx.x, channel = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (channel + k < C && pixel < P)
            tile[tile_at(threadIdx.y + k, threadIdx.x)] = in[image + (long long)(channel + k) * P + pixel];
    __syncthreads();
    pixel = blockIdx.x * 32 + threadIdx.y, channel = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8)
        if (channel < C && pixel + k < P)
            out[image + (long long)(pixel + k) * C + channel] = tile[tile_at(threadIdx.x, threadIdx.y + k)];
}

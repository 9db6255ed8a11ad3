/* The patches of B images (C x H x W each) under an R x S window as the rows of a matrix:
   (B P Q) x (C R S) with P = H-R+1, Q = W-S+1. patch_of comes from im2col.py: (patch, element) to
   the offset in the images. */

extern "C" __global__ void im2col(const float *images, float *matrix, long long rows,
                                  long long columns, int B, int C, int H, int P, int Q, int R, int S, int W)
{
    const long long n = rows * columns;
    for (long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x; x < n;
         x += (long long)gridDim.x * blockDim.x)
        matrix[x] = images[patch_of(x / columns, x % columns, B, C, H, P, Q, R, S, W)];
}

// Convolutions as gathers: im2col, col2im, pooling, whose threads take a number apart.

// One thread a channel and output pixel, as Caffe has it: pointers advance over the window.
// symcute: launch grid=(ceil_div(c*oh*ow,256)) block=(256)
// symcute: arg n = c*oh*ow
// symcute: arg h = oh + kh - 1
// symcute: arg w = ow + kw - 1
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**30
// symcute: assume c*kh*kw*oh*ow <= 2**30
__global__ void im2col_caffe(int n, int c, int h, int w, int kh, int kw, int oh, int ow,
                             const float *im, float *col) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n) return;
  int rest = index / ow;
  int x = index % ow;
  int y = rest % oh;
  int channel = rest / oh;
  float *to = col + (channel * kh * kw * oh + y) * ow + x;
  const float *from = im + (channel * h + y) * w + x;
  for (int i = 0; i < kh; ++i)
    for (int j = 0; j < kw; ++j) {
      *to = from[i * w + j];
      to += oh * ow;
    }
}

// The rows of the image are as long as those of the output.
// symcute: launch grid=(ceil_div(c*oh*ow,256)) block=(256)
// symcute: arg n = c*oh*ow
// symcute: arg h = oh + kh - 1
// symcute: extent im = c*(oh + kh - 1)*ow
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**30
// symcute: assume c*kh*kw*oh*ow <= 2**30
// truth: in_bounds=no
__global__ void im2col_caffe_no_border(int n, int c, int h, int kh, int kw, int oh, int ow,
                                       const float *im, float *col) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n) return;
  int rest = index / ow;
  int x = index % ow;
  int y = rest % oh;
  int channel = rest / oh;
  float *to = col + (channel * kh * kw * oh + y) * ow + x;
  const float *from = im + (channel * h + y) * ow + x;
  for (int i = 0; i < kh; ++i)
    for (int j = 0; j < kw; ++j) {
      *to = from[i * ow + j];
      to += oh * ow;
    }
}

// The window is stepped over by rows of the image and not of the output.
// symcute: launch grid=(ceil_div(c*oh*ow,256)) block=(256)
// symcute: arg n = c*oh*ow
// symcute: arg h = oh + kh - 1
// symcute: arg w = ow + kw - 1
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**20
// symcute: assume c*kh*kw*oh*ow <= 2**20
// truth: in_bounds=no write_race_free=no
// run: c=2 oh=2 ow=2 kh=3 kw=3
__global__ void im2col_caffe_wrong_step(int n, int c, int h, int w, int kh, int kw, int oh, int ow,
                                        const float *im, float *col) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n) return;
  int rest = index / ow;
  int x = index % ow;
  int y = rest % oh;
  int channel = rest / oh;
  float *to = col + (channel * kh * kw * oh + y) * ow + x;
  const float *from = im + (channel * h + y) * w + x;
  for (int i = 0; i < kh; ++i)
    for (int j = 0; j < kw; ++j) {
      *to = from[i * w + j];
      to += oh * w;
    }
}

// One thread an element of the matrix, 5 digits, padded by zeros.
// symcute: launch grid=(ceil_div(c*kh*kw*oh*ow,256)) block=(256)
// symcute: extent im = c*h*w
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*kh*kw*oh*ow <= 2**30
// symcute: assume c*h*w <= 2**30
// symcute: assume pad <= 1024
// symcute: covers col
__global__ void im2col_zero_padded(int c, int h, int w, int kh, int kw, int oh, int ow, int pad,
                              const float *im, float *col) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * kh * kw * oh * ow) return;
  int x = i % ow;
  int y = i / ow % oh;
  int kx = i / (ow * oh) % kw;
  int ky = i / (ow * oh * kw) % kh;
  int ch = i / (ow * oh * kw * kh);
  int iy = y + ky - pad, ix = x + kx - pad;
  float v = 0.0f;
  if (iy >= 0 && iy < h && ix >= 0 && ix < w) v = im[(ch * h + iy) * w + ix];
  col[i] = v;
}

// The lower border is not tested.
// symcute: launch grid=(ceil_div(c*kh*kw*oh*ow,256)) block=(256)
// symcute: extent im = c*h*w
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*kh*kw*oh*ow <= 2**30
// symcute: assume c*h*w <= 2**30
// symcute: assume pad <= 1024
// run: c=1 h=1 w=1073741824 kh=1 kw=1 oh=1 ow=1 pad=1024
// truth: in_bounds=no no_overflow=no
__global__ void im2col_padded_no_lower(int c, int h, int w, int kh, int kw, int oh, int ow, int pad,
                                       const float *im, float *col) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * kh * kw * oh * ow) return;
  int x = i % ow;
  int y = i / ow % oh;
  int kx = i / (ow * oh) % kw;
  int ky = i / (ow * oh * kw) % kh;
  int ch = i / (ow * oh * kw * kh);
  int iy = y + ky - pad, ix = x + kx - pad;
  float v = 0.0f;
  if (iy < h && ix < w) v = im[(ch * h + iy) * w + ix];
  col[i] = v;
}

// The remainder by the height is forgotten, so that rows run into the next window.
// symcute: launch grid=(ceil_div(c*kh*kw*oh*ow,256)) block=(256)
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*kh*kw*oh*ow <= 2**20
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**20
// run: c=1 kh=2 kw=2048 oh=256 ow=1 blocks=4095 threads=255
// truth: in_bounds=no no_overflow=no
__global__ void im2col_dropped_remainder(int c, int kh, int kw, int oh, int ow, const float *im,
                                         float *col) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * kh * kw * oh * ow) return;
  int x = i % ow;
  int y = i / ow;
  int kx = i / (ow * oh) % kw;
  int ky = i / (ow * oh * kw) % kh;
  int ch = i / (ow * oh * kw * kh);
  col[i] = im[(ch * (oh + kh - 1) + y + ky) * (ow + kw - 1) + x + kx];
}

// Digits by subtraction, written into the transposed matrix.
// symcute: launch grid=(ceil_div(c*kh*kw*oh*ow,128)) block=(128)
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*kh*kw*oh*ow <= 2**30
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**30
__global__ void im2row_by_subtraction(int c, int kh, int kw, int oh, int ow, const float *im,
                                      float *col) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * kh * kw * oh * ow) return;
  int pixels = oh * ow;
  int k = i / pixels;
  int p = i - k * pixels;
  int y = p / ow;
  int x = p - y * ow;
  int ch = k / (kh * kw);
  int q = k - ch * (kh * kw);
  int ky = q / kw;
  int kx = q - ky * kw;
  col[p * (c * kh * kw) + k] = im[(ch * (oh + kh - 1) + y + ky) * (ow + kw - 1) + x + kx];
}

// Columns are as far apart as there are pixels, and rows too.
// symcute: launch grid=(ceil_div(c*kh*kw*oh*ow,128)) block=(128)
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*kh*kw*oh*ow <= 2**20
// symcute: assume oh*ow*oh*ow <= 2**30
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**20
// truth: in_bounds=no write_race_free=no
__global__ void im2row_wrong_pitch(int c, int kh, int kw, int oh, int ow, const float *im,
                                   float *col) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * kh * kw * oh * ow) return;
  int pixels = oh * ow;
  int k = i / pixels;
  int p = i - k * pixels;
  int y = p / ow;
  int x = p - y * ow;
  int ch = k / (kh * kw);
  int q = k - ch * (kh * kw);
  int ky = q / kw;
  int kx = q - ky * kw;
  col[p * pixels + k] = im[(ch * (oh + kh - 1) + y + ky) * (ow + kw - 1) + x + kx];
}

// A fixed window of 3 by 3.
// symcute: launch grid=(ceil_div(9*oh*ow,256)) block=(256)
// symcute: extent im = (oh + 2)*(ow + 2)
// symcute: extent col = 9*oh*ow
// symcute: assume (oh + 2)*(ow + 2) <= 2**26
// symcute: covers col
__global__ void im2col_three_by_three(unsigned oh, unsigned ow, const float *im, float *col) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 9 * oh * ow) return;
  unsigned k = i / (oh * ow);
  unsigned y = i / ow % oh;
  unsigned x = i % ow;
  col[i] = im[(y + k / 3) * (ow + 2) + x + k % 3];
}

// A window of 3 by 3 of an image that has one row less around it.
// symcute: launch grid=(ceil_div(9*oh*ow,256)) block=(256)
// symcute: extent im = (oh + 1)*(ow + 2)
// symcute: extent col = 9*oh*ow
// symcute: assume (oh + 2)*(ow + 2) <= 2**26
// truth: in_bounds=no
__global__ void im2col_one_row_less(unsigned oh, unsigned ow, const float *im, float *col) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 9 * oh * ow) return;
  unsigned k = i / (oh * ow);
  unsigned y = i / ow % oh;
  unsigned x = i % ow;
  col[i] = im[(y + k / 3) * (ow + 2) + x + k % 3];
}

// A column of the matrix a thread of the y axis, strided windows.
// symcute: launch grid=(ceil_div(ow,32),oh,c) block=(32)
// symcute: extent im = c*(s*oh + k)*(s*ow + k)
// symcute: extent col = c*k*k*oh*ow
// symcute: assume oh <= 65535
// symcute: assume c <= 65535
// symcute: assume c*k*k*oh*ow <= 2**30
// symcute: assume c*(s*oh + k)*(s*ow + k) <= 2**30
// symcute: assume s*(ow + 32) <= 2**30
__global__ void im2col_strided(int k, int s, int oh, int ow, const float *im, float *col) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y, ch = blockIdx.z;
  int h = s * oh + k, w = s * ow + k;
  if (x < ow)
    for (int ky = 0; ky < k; ++ky)
      for (int kx = 0; kx < k; ++kx)
        col[(((ch * k + ky) * k + kx) * oh + y) * ow + x] =
            im[(ch * h + y * s + ky) * w + x * s + kx];
}

// Sums of the columns that hold a pixel, as PyTorch's col2im for a stride of 1.
// symcute: launch grid=(ceil_div(c*(oh+kh-1)*(ow+kw-1),256)) block=(256)
// symcute: arg h = oh + kh - 1
// symcute: arg w = ow + kw - 1
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**30
// symcute: assume c*kh*kw*oh*ow <= 2**30
// symcute: covers im
__global__ void col2im_by_pixels(int c, int h, int w, int kh, int kw, int oh, int ow,
                                 const float *col, float *im) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * h * w) return;
  int x = i % w, y = i / w % h, ch = i / (w * h);
  int x_first = x < kw ? 0 : x - kw + 1, x_last = min(x + 1, ow);
  int y_first = y < kh ? 0 : y - kh + 1, y_last = min(y + 1, oh);
  float sum = 0.0f;
  for (int oy = y_first; oy < y_last; ++oy)
    for (int ox = x_first; ox < x_last; ++ox)
      sum += col[(((ch * kh + y - oy) * kw + x - ox) * oh + oy) * ow + ox];
  im[i] = sum;
}

// The first window begins one pixel too early.
// symcute: launch grid=(ceil_div(c*(oh+kh-1)*(ow+kw-1),256)) block=(256)
// symcute: arg h = oh + kh - 1
// symcute: arg w = ow + kw - 1
// symcute: extent im = c*(oh + kh - 1)*(ow + kw - 1)
// symcute: extent col = c*kh*kw*oh*ow
// symcute: assume c*(oh + kh)*(ow + kw) <= 2**26
// symcute: assume c*kh*kw*oh*ow <= 2**26
// truth: in_bounds=no
__global__ void col2im_one_early(int c, int h, int w, int kh, int kw, int oh, int ow,
                                 const float *col, float *im) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * h * w) return;
  int x = i % w, y = i / w % h, ch = i / (w * h);
  int x_first = x < kw ? 0 : x - kw, x_last = min(x + 1, ow);
  int y_first = y < kh ? 0 : y - kh, y_last = min(y + 1, oh);
  float sum = 0.0f;
  for (int oy = y_first; oy < y_last; ++oy)
    for (int ox = x_first; ox < x_last; ++ox)
      sum += col[(((ch * kh + y - oy) * kw + x - ox) * oh + oy) * ow + ox];
  im[i] = sum;
}

// Windows side by side, the last one cut off.
// symcute: launch grid=(ceil_div(c*ceil_div(h,k)*ceil_div(w,k),256)) block=(256)
// symcute: extent x = c*h*w
// symcute: extent y = c*ceil_div(h,k)*ceil_div(w,k)
// symcute: assume c*h*w <= 2**28
// symcute: assume k <= 1024
// symcute: assume h <= 2**20
// symcute: assume w <= 2**20
__global__ void pool_rounded_up(int c, int h, int w, int k, const float *x, float *y) {
  int oh = (h + k - 1) / k, ow = (w + k - 1) / k;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * oh * ow) return;
  int px = i % ow, py = i / ow % oh, ch = i / ow / oh;
  int y_end = min(py * k + k, h), x_end = min(px * k + k, w);
  float best = -1e30f;
  for (int a = py * k; a < y_end; ++a)
    for (int b = px * k; b < x_end; ++b) best = fmaxf(best, x[(ch * h + a) * w + b]);
  y[i] = best;
}

// The last window is not cut off, which shows where k does not divide h.
// symcute: launch grid=(ceil_div(c*ceil_div(h,k)*ceil_div(w,k),256)) block=(256)
// symcute: extent x = c*h*w
// symcute: extent y = c*ceil_div(h,k)*ceil_div(w,k)
// symcute: assume c*h*w <= 2**28
// symcute: assume k <= 1024
// symcute: assume h <= 2**10
// symcute: assume w <= 2**10
// truth: in_bounds=no
__global__ void pool_rounded_up_not_cut(int c, int h, int w, int k, const float *x, float *y) {
  int oh = (h + k - 1) / k, ow = (w + k - 1) / k;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * oh * ow) return;
  int px = i % ow, py = i / ow % oh, ch = i / ow / oh;
  float best = -1e30f;
  for (int a = 0; a < k; ++a)
    for (int b = 0; b < k; ++b)
      best = fmaxf(best, x[(ch * h + py * k + a) * w + px * k + b]);
  y[i] = best;
}

// Whole windows alone: what is left over is dropped.
// symcute: launch grid=(ceil_div(c*(h//k)*(w//k),256)) block=(256)
// symcute: extent x = c*h*w
// symcute: extent y = c*(h // k)*(w // k)
// symcute: assume c*h*w <= 2**28
// symcute: assume k <= h
// symcute: assume k <= w
__global__ void pool_rounded_down(int c, int h, int w, int k, const float *x, float *y) {
  int oh = h / k, ow = w / k;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * oh * ow) return;
  int px = i % ow, py = i / ow % oh, ch = i / ow / oh;
  float best = -1e30f;
  for (int a = 0; a < k; ++a)
    for (int b = 0; b < k; ++b)
      best = fmaxf(best, x[(ch * h + py * k + a) * w + px * k + b]);
  y[i] = best;
}

// Pooling by two with a backward pass that scatters: windows do not meet.
// symcute: launch grid=(ceil_div(c*oh*ow,128)) block=(128)
// symcute: extent g = c*oh*ow
// symcute: extent dx = 4*c*oh*ow
// symcute: assume c*oh*ow <= 2**26
__global__ void unpool_two(int c, int oh, int ow, const float *g, float *dx) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * oh * ow) return;
  int px = i % ow, py = i / ow % oh, ch = i / (ow * oh);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) dx[(ch * 2 * oh + 2 * py + a) * 2 * ow + 2 * px + b] = g[i];
}

// Windows of three every two pixels: neighbours write the same pixel.
// symcute: launch grid=(ceil_div(c*oh*ow,128)) block=(128)
// symcute: extent g = c*oh*ow
// symcute: extent dx = c*(2*oh + 1)*(2*ow + 1)
// symcute: assume c*(2*oh + 1)*(2*ow + 1) <= 2**28
// truth: write_race_free=no
__global__ void unpool_overlapping(int c, int oh, int ow, const float *g, float *dx) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * oh * ow) return;
  int px = i % ow, py = i / ow % oh, ch = i / (ow * oh);
  int h = 2 * oh + 1, w = 2 * ow + 1;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) dx[(ch * h + 2 * py + a) * w + 2 * px + b] = g[i];
}

// Windows that reach beyond both borders, clamped.
// symcute: launch grid=(ceil_div(h*w,256)) block=(256)
// symcute: extent x = h*w
// symcute: extent y = h*w
// symcute: assume h*w <= 2**30
// symcute: assume r <= 64
// symcute: covers y
__global__ void blur_clamped(int h, int w, int r, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h * w) return;
  int row = i / w, column = i - row * w;
  float sum = 0.0f;
  for (int d = -r; d <= r; ++d) sum += x[row * w + min(max(column + d, 0), w - 1)];
  y[i] = sum;
}

// The right border is clamped to the width and not to the last column.
// symcute: launch grid=(ceil_div(h*w,256)) block=(256)
// symcute: extent x = h*w
// symcute: extent y = h*w
// symcute: assume h*w <= 2**30
// symcute: assume r <= 64
// truth: in_bounds=no
__global__ void blur_clamped_too_far(int h, int w, int r, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h * w) return;
  int row = i / w, column = i - row * w;
  float sum = 0.0f;
  for (int d = -r; d <= r; ++d) sum += x[row * w + min(max(column + d, 0), w)];
  y[i] = sum;
}

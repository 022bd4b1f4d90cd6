/** Types that the kernels take: float32, and what is widened to it. */
export type KernelType = 'float32' | 'bfloat16' | 'float16';

export function isKernelType(dtype: string): dtype is KernelType {
  return dtype === 'float32' || dtype === 'bfloat16' || dtype === 'float16';
}

export function kernelBytes(dtype: KernelType): 2 | 4 {
  return dtype === 'float32' ? 4 : 2;
}

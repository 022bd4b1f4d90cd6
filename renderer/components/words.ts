import type { FormatId, StorageKind } from '../../shared/model/checkpoint';

const FORMATS: Readonly<Record<FormatId, string>> = {
  safetensors: 'safetensors',
  pytorch: 'PyTorch',
  npz: 'npz',
  onnx: 'ONNX',
  flax: 'Flax',
  unknown: 'unknown format',
};

const STORAGES: Readonly<Record<StorageKind, { readonly short: string; readonly long: string }>> = {
  theta: { short: 'git-theta', long: 'Kept by git-theta, parameter group by parameter group' },
  lfs: { short: 'LFS', long: 'Kept whole in Git LFS' },
  blob: { short: 'plain', long: 'Kept whole as a plain git object' },
  file: { short: 'file', long: 'A file outside git' },
};

export function formatName(format: FormatId): string {
  return FORMATS[format];
}

export function storageName(storage: StorageKind): { readonly short: string; readonly long: string } {
  return STORAGES[storage];
}

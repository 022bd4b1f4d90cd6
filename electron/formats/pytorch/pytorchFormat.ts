import { assertNever } from '../../../shared/base/assertNever';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import type { CheckpointFormat, FileCheckpoint, ReadOptions } from '../format';
import type { OpenedContainer } from './container';
import { findGroups } from './findGroups';
import { layoutPytorch } from './layoutPytorch';
import { openLegacyContainer } from './legacyContainer';
import { recognise } from './recognise';
import { clip } from './scalarText';
import { globalName } from './torchNames';
import { openZipContainer } from './zipContainer';

const HEAD_BYTES = 4096;

/** Checkpoints of `torch.save`, whichever version wrote them. Their pickles are read as data; nothing in them is called. */
export const pytorchFormat: CheckpointFormat = {
  id: 'pytorch',
  label: 'PyTorch',
  extensions: ['.pt', '.pth', '.ckpt', '.bin'],
  matches: (head) => recognise(head) !== null,
  read,
  layout: layoutPytorch,
};

async function read(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  try {
    const container = await open(source, options);
    const { opaque, ...found } = findGroups(container, options);
    if (opaque) throw unsafeWhole(container);
    return { format: 'pytorch', ...found };
  } catch (error) {
    throw CheckpointError.from(error).at({ file: options.file });
  }
}

function unsafeWhole({ value }: OpenedContainer): CheckpointError {
  const name = (value.kind === 'object' ? globalName(value.callable) : null) ?? 'an unknown function';
  return new CheckpointError(
    'unsafe-pickle',
    `This file as a whole is what ${clip(name)} would return. Nothing in a file is ever called, so there is nothing to show.`,
    {
      hint: 'Be careful with this file: loading it with Python would run that function.',
    },
  );
}

async function open(source: ByteSource, options: ReadOptions): Promise<OpenedContainer> {
  throwIfCancelled(options.signal);
  const container = recognise(await source.read(0, Math.min(source.length, HEAD_BYTES)));
  switch (container) {
    case 'zip':
      return openZipContainer(source, options);
    case 'legacy':
      return openLegacyContainer(source, options);
    case 'tar':
      throw new CheckpointError('unsupported-format', 'This is a PyTorch file of before version 0.1.10 (a tar archive), which is not read.', {
        hint: 'Load it with torch.load and save it again with torch.save.',
      });
    case 'pickle':
      throw new CheckpointError('unsupported-format', 'This is a Python pickle, but not one that torch.save wrote.', {
        hint: 'Load it in Python, if you trust it, and save its tensors with torch.save or as safetensors.',
      });
    case null:
      throw new CheckpointError('unsupported-format', 'This is not a file that torch.save wrote.');
    default:
      return assertNever(container);
  }
}

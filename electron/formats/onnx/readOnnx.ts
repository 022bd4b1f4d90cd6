import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';
import type { FileCheckpoint, ReadOptions } from '../format';
import { siblingFinder } from './externalData';
import { findTensors } from './findTensors';
import { GroupCollector } from './groupCollector';
import { type DataContext, newBudget } from './tensorData';
import { toParts } from './toParts';

/**
 * The tensors of a model: initializers and what Constant nodes give, of all graphs, in order; see `GroupCollector` for their names. Payloads are
 * not read, except small ones that stand as numbers one by one.
 * @throws CheckpointError malformed, truncated, too-large
 */
export async function readOnnx(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const { signal, file } = options;
  const ahead = new ReadAhead(source);
  const place = { file };
  const context: DataContext = { source, ahead, options, budget: newBudget(), find: siblingFinder(options) };
  const { tensors, metadata } = await findTensors({ offset: 0, length: source.length }, { ahead, place, signal });
  const collector = new GroupCollector(file);
  for (const tensor of tensors) {
    throwIfCancelled(signal);
    collector.add(tensor.path, await toParts(tensor, context));
  }
  return { format: 'onnx', groups: collector.groups, skipped: collector.skipped, metadata: [...metadata, ...collector.metadata] };
}

import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import { contiguousStrides, elementCount, tensorBytes } from '../../../shared/model/shape';
import { layoutStoredZip } from '../../encodings/zip/storedZipLayout';
import type { FileLayout, GroupToWrite } from '../format';
import { PickleWriter } from './pickleWriter';
import { storageClass } from './torchNames';

/** torch aligns storages to cache lines so that they can be mapped (caffe2/serialize/inline_container.h `kFieldAlignment`). */
const ALIGNMENT = 64;
/** The root folder that torch uses when it does not know the name of the file. */
const ROOT = 'archive';
/** Python's unpickler and ours go this deep without trouble. */
const MAX_DEPTH = 100;

type Tree = Map<string, Tree | { readonly group: GroupToWrite; readonly key: number }>;

/**
 * A zip that `torch.load(weights_only=True)` reads: nested dictionaries of tensors with one storage each, the records that torch 2.13
 * writes, in its order. Types without a storage class of their own are kept in untyped storages, as torch does.
 * @throws CheckpointError `unsupported-format` when one name is both a tensor and a dictionary.
 */
export function layoutPytorch(groups: readonly GroupToWrite[], metadata: readonly MetadataEntry[]): FileLayout {
  const text = (value: string) => new TextEncoder().encode(value);
  const known = [
    { name: 'data.pkl', content: writePickle(buildTree(groups)) },
    { name: '.format_version', content: text('1') },
    { name: '.storage_alignment', content: text(String(ALIGNMENT)) },
    { name: 'byteorder', content: text('little') },
  ].map(({ name, content }) => ({ name: `${ROOT}/${name}`, bytes: content.byteLength, content }));
  const storages = groups.map(({ dtype, shape }, key) => ({ name: `${ROOT}/data/${key}`, bytes: tensorBytes(dtype, shape), content: null }));
  const version = { name: `${ROOT}/version`, bytes: 2, content: text('3\n') };
  const zip = layoutStoredZip([...known, ...storages, version], { alignment: ALIGNMENT });
  const notes =
    metadata.length === 0 ? [] : [`The ${metadata.length} values that are not tensors are not kept: a PyTorch file would keep them as Python objects.`];
  return { bytes: zip.bytes, pieces: zip.pieces, tensors: zip.offsets.slice(known.length, -1), finish: (checksums) => zip.finish(checksums), notes };
}

function buildTree(groups: readonly GroupToWrite[]): Tree {
  const root: Tree = new Map();
  for (const [key, group] of groups.entries()) {
    // A file that is one tensor has no keys; a checkpoint to write is always a dictionary.
    const keys = group.keys.length === 0 ? [''] : group.keys;
    if (keys.length > MAX_DEPTH) {
      throw new CheckpointError(
        'unsupported-format',
        `${keys.slice(0, 3).join('/')}/… lies ${keys.length} levels deep; PyTorch files are written with up to ${MAX_DEPTH}.`,
      );
    }
    let tree = root;
    for (const name of keys.slice(0, -1)) {
      const next = tree.get(name) ?? new Map();
      if (!(next instanceof Map)) throw clash(keys);
      tree.set(name, next);
      tree = next;
    }
    const name = keys.at(-1) ?? '';
    if (tree.has(name)) throw clash(keys);
    tree.set(name, { group, key });
  }
  return root;
}

function clash(keys: readonly string[]): CheckpointError {
  const group = keys.join('/');
  return new CheckpointError('unsupported-format', `${group} would be both a tensor and a dictionary, or occurs twice, which a PyTorch file cannot hold.`, {
    place: { group },
  });
}

function writePickle(tree: Tree): Uint8Array {
  const writer = new PickleWriter();
  writer.start();
  writeTree(writer, tree);
  return writer.finish();
}

function writeTree(writer: PickleWriter, tree: Tree): void {
  writer.dictionary(
    [...tree].map(([key, value]) => [key, () => (value instanceof Map ? writeTree(writer, value) : writeTensor(writer, value.group, value.key))]),
  );
}

/** As torch pickles a tensor without a gradient (torch/_tensor.py `_reduce_ex_internal`). */
function writeTensor(writer: PickleWriter, { dtype, shape }: GroupToWrite, key: number): void {
  const typed = storageClass(dtype);
  writer.global('torch._utils', typed === null ? '_rebuild_tensor_v3' : '_rebuild_tensor_v2');
  const storage = () => {
    writer.tuple([
      () => writer.sharedText('storage'),
      () => (typed === null ? writer.global('torch.storage', 'UntypedStorage') : writer.global('torch', typed)),
      () => writer.text(String(key)),
      () => writer.sharedText('cpu'),
      () => writer.integer(typed === null ? tensorBytes(dtype, shape) : elementCount(shape)),
    ]);
    writer.persistent();
  };
  const hooks = () => {
    writer.global('collections', 'OrderedDict');
    writer.tuple([]);
    writer.reduce();
  };
  const integers = (values: readonly number[]) => () => writer.tuple(values.map((value) => () => writer.integer(value)));
  const parts = [storage, () => writer.integer(0), integers(shape), integers(torchStrides(shape)), () => writer.boolean(false), hooks];
  writer.tuple(typed === null ? [...parts, () => writer.global('torch', dtype)] : parts);
  writer.reduce();
}

/** torch gives axes inside an empty tensor the strides that they would have if every extent were at least 1. */
function torchStrides(shape: readonly number[]): number[] {
  return contiguousStrides(shape.map((extent) => Math.max(extent, 1)));
}

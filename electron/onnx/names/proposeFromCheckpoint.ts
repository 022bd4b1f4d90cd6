import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { NameProposal } from '../../../shared/model/graphEdit';
import { sameShape, tensorBytes as sizeOf } from '../../../shared/model/shape';
import { elementType } from '../values/elementTypes';
import { type TensorHome, tensorBytes } from '../values/tensorBytes';
import { type CheckpointTensor, contentKey, isTransposedShape, type LoadedTensor, loadTensor, MAX_LOADED_BYTES, transposed } from './contentMatches';
import { type BatchNorm, channelScales, isFoldedBias, isFoldedScale, valuesOf } from './foldedBatchNorm';
import { addressOf, nameByNode } from './proposeFromNodes';
import type { NamelessValue } from './unnamedValues';

export interface CheckpointOptions {
  readonly home: TensorHome;
  readonly signal?: AbortSignal | undefined;
  /** Bytes of values read of all that may have to be. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

interface Found {
  readonly value: NamelessValue;
  readonly tensor: LoadedTensor;
}

/**
 * Names of the parameter groups of a checkpoint that hold the same values: equal bit for bit, equal when transposed, or a convolution into
 * which the BatchNormalization behind it has been folded. Of several equal groups (zeros are everywhere) the one whose name is that of
 * the node wins; when none is, nothing is proposed. Only groups of a shape that the model asks for are read.
 * @throws CheckpointError cancelled, and what reading a value throws
 */
export async function proposeFromCheckpoint(
  values: readonly NamelessValue[],
  groups: readonly CheckpointTensor[],
  options: CheckpointOptions,
): Promise<NameProposal[]> {
  const wanted = await loadWanted(values, options);
  const plain = await equalGroups(wanted, groups, options);
  const proposals = new Map<NamelessValue, NameProposal>();
  for (const { value, tensor } of wanted) {
    const names = plain.get(contentKey(tensor));
    const chosen = names === undefined ? null : choose(names, nameByNode(value));
    if (chosen === null) continue;
    const reason = chosen.isTransposed ? `equal to ${chosen.name}, transposed` : `equal to ${chosen.name}`;
    proposals.set(value, { address: addressOf(value), to: chosen.name, source: chosen.isTransposed ? 'content-transposed' : 'content', reason });
  }
  const rest = wanted.filter(({ value }) => !proposals.has(value));
  for (const [value, proposal] of await foldedProposals(rest, groups, options)) proposals.set(value, proposal);
  return values.flatMap((value) => proposals.get(value) ?? []);
}

async function loadWanted(values: readonly NamelessValue[], { home, signal }: CheckpointOptions): Promise<Found[]> {
  const found: Found[] = [];
  let held = 0;
  for (const value of values) {
    throwIfCancelled(signal);
    const dtype = elementType(value.tensor.type)?.dtype ?? null;
    if (dtype === null) continue;
    held += sizeOf(dtype, value.tensor.dims);
    if (held > MAX_LOADED_BYTES) break;
    const bytes = await tensorBytes(value.tensor, home);
    if (bytes !== null) found.push({ value, tensor: { dtype, shape: value.tensor.dims, bytes } });
  }
  return found;
}

interface EqualGroup {
  readonly name: string;
  readonly isTransposed: boolean;
}

/** Names of the groups by content, as they are and transposed. */
async function equalGroups(
  wanted: readonly Found[],
  groups: readonly CheckpointTensor[],
  { signal, onProgress }: CheckpointOptions,
): Promise<Map<string, EqualGroup[]>> {
  const asked = groups.filter(({ dtype, shape }) =>
    wanted.some(({ tensor }) => tensor.dtype === dtype && (sameShape(tensor.shape, shape) || isTransposedShape(tensor.shape, shape))),
  );
  const total = asked.reduce((sum, { dtype, shape }) => sum + sizeOf(dtype, shape), 0);
  const byContent = new Map<string, EqualGroup[]>();
  const add = (tensor: LoadedTensor, group: EqualGroup) => {
    const key = contentKey(tensor);
    byContent.set(key, [...(byContent.get(key) ?? []), group]);
  };
  let done = 0;
  for (const group of asked) {
    throwIfCancelled(signal);
    const size = sizeOf(group.dtype, group.shape);
    if (size <= MAX_LOADED_BYTES) {
      const tensor = await loadTensor(group, signal);
      add(tensor, { name: group.name, isTransposed: false });
      if (wanted.some((each) => isTransposedShape(each.tensor.shape, group.shape))) add(transposed(tensor), { name: group.name, isTransposed: true });
    }
    done += size;
    onProgress?.(done, total);
  }
  return byContent;
}

/** The only one, or the one that the node is named after. */
function choose(equal: readonly EqualGroup[], byNode: string | null): EqualGroup | null {
  const named = equal.find(({ name }) => name.replaceAll('/', '.') === byNode);
  if (named !== undefined) return named;
  const plain = equal.filter(({ isTransposed }) => !isTransposed);
  const [only, ...more] = plain.length > 0 ? plain : equal;
  return only !== undefined && more.length === 0 ? only : null;
}

interface Norm extends BatchNorm {
  /** Name of its module: `encoder.stem.norm`. */
  readonly module: string;
}

/** Values that are a convolution's of the checkpoint with a BatchNormalization folded in. */
async function foldedProposals(
  rest: readonly Found[],
  groups: readonly CheckpointTensor[],
  options: CheckpointOptions,
): Promise<Map<NamelessValue, NameProposal>> {
  const proposals = new Map<NamelessValue, NameProposal>();
  const convolutions = rest.filter(({ value }) => isConvolution(value.first?.node.op) && value.first?.input === 1);
  if (convolutions.length === 0) return proposals;
  const norms = await loadNorms(groups, options.signal);
  for (const { value, tensor } of convolutions) {
    const folded = await findFolded(tensor, { groups, norms, byNode: nameByNode(value), signal: options.signal });
    if (folded === null) continue;
    const { weight, norm } = folded;
    const to = nameByNode(value) ?? weight.name;
    const reason = `${weight.name} with the BatchNorm ${norm.module} folded in`;
    proposals.set(value, { address: addressOf(value), to, source: 'batch-norm-folded', reason });
    const bias = rest.find((each) => each.value.first?.node === value.first?.node && each.value.first?.input === 2);
    if (bias === undefined) continue;
    const before = groups.find(({ name }) => name === weight.name.replace(/weight$/, 'bias') && name !== weight.name);
    const plain = before === undefined ? null : valuesOf(await loadTensor(before, options.signal));
    if (!isFoldedBias(valuesOf(bias.tensor), plain, norm)) continue;
    const biasName = before?.name ?? 'no bias';
    proposals.set(bias.value, {
      address: addressOf(bias.value),
      to: nameByNode(bias.value) ?? weight.name.replace(/weight$/, 'bias'),
      source: 'batch-norm-folded',
      reason: `${biasName} with the BatchNorm ${norm.module} folded in`,
    });
  }
  return proposals;
}

function isConvolution(operator: string | undefined): boolean {
  return operator === 'Conv' || operator === 'ConvTranspose' || operator === 'Gemm';
}

/** Modules with weight, bias, running_mean and running_var of one length. */
async function loadNorms(groups: readonly CheckpointTensor[], signal: AbortSignal | undefined): Promise<Norm[]> {
  const byName = new Map(groups.map((group) => [group.name, group]));
  const norms: Norm[] = [];
  for (const { name } of groups) {
    const match = /^(.*?)([./]?)running_mean$/.exec(name);
    if (match === null) continue;
    const [, module = '', separator = ''] = match;
    const parts = ['weight', 'bias', 'running_mean', 'running_var'].map((part) => byName.get(`${module}${separator}${part}`));
    const [weight, bias, mean, variance] = parts;
    if (weight === undefined || bias === undefined || mean === undefined || variance === undefined) continue;
    if (![bias, mean, variance].every(({ shape }) => sameShape(shape, weight.shape))) continue;
    const load = async (tensor: CheckpointTensor) => valuesOf(await loadTensor(tensor, signal));
    norms.push({ module, weight: await load(weight), bias: await load(bias), mean: await load(mean), variance: await load(variance) });
  }
  return norms;
}

interface FoldSearch {
  readonly groups: readonly CheckpointTensor[];
  readonly norms: readonly Norm[];
  readonly byNode: string | null;
  readonly signal: AbortSignal | undefined;
}

async function findFolded(tensor: LoadedTensor, { groups, norms, byNode, signal }: FoldSearch): Promise<{ weight: CheckpointTensor; norm: Norm } | null> {
  const candidates = groups.filter(({ shape, dtype }) => dtype === tensor.dtype && sameShape(shape, tensor.shape));
  // The one that the node is named after first.
  candidates.sort((a, b) => Number(b.name.replaceAll('/', '.') === byNode) - Number(a.name.replaceAll('/', '.') === byNode));
  for (const weight of candidates) {
    throwIfCancelled(signal);
    const scales = channelScales(await loadTensor(weight, signal), tensor);
    const norm = scales === null ? undefined : norms.find((each) => each.weight.length === scales.length && isFoldedScale(scales, each));
    if (norm !== undefined) return { weight, norm };
  }
  return null;
}

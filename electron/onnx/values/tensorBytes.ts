import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { openFileSource } from '../../bytes/fileSource';
import { BYTES, FIXED32, FIXED64, rootCursor, VARINT } from '../../encodings/protobuf/wireCursor';
import type { OnnxTensor } from '../model/onnxModel';
import { elementType, rawBytes } from './elementTypes';

/** Where a tensor's values can be read from. */
export interface TensorHome {
  /** The model's file. */
  readonly source: ByteSource;
  /** Name for error messages. */
  readonly file: string;
  /** File of external data at a location that the model gives; `null` when it cannot be had. Whoever makes it has checked that it is safe. */
  readonly pathOf: (location: string) => string | null;
}

const FLOAT_DATA = 4;
const DOUBLE_DATA = 10;

/**
 * The values of a tensor as raw_data would hold them, wherever they stand.
 * @returns `null` for texts, types that we do not know, values in segments and external data that cannot be had.
 * @throws CheckpointError malformed when there are more or fewer bytes than the shape needs; truncated, not-found
 */
export async function tensorBytes(tensor: OnnxTensor, home: TensorHome): Promise<Uint8Array | null> {
  const bytes = rawBytes(tensor.type, tensor.dims);
  if (bytes === null || tensor.segmented) return null;
  if (tensor.external !== null) return externalBytes(tensor, bytes, home);
  if (tensor.raw !== null) return checked(await home.source.read(tensor.raw.offset, tensor.raw.length), bytes, { tensor, home });
  return checked(await typedBytes(tensor, bytes, home), bytes, { tensor, home });
}

async function externalBytes(tensor: OnnxTensor, bytes: number, { file, pathOf }: TensorHome): Promise<Uint8Array | null> {
  const { external } = tensor;
  const path = external === null ? null : pathOf(external.location);
  if (external === null || path === null) return null;
  const source = await openFileSource(path).catch((error: unknown) => {
    if (isCheckpointError(error, 'not-found')) return null;
    throw error;
  });
  if (source === null) return null;
  try {
    const offset = external.offset ?? 0;
    const length = external.length ?? source.length - offset;
    return checked(await source.read(offset, length), bytes, { tensor, home: { file } });
  } finally {
    await source.close();
  }
}

function checked(found: Uint8Array, bytes: number, { tensor, home }: { readonly tensor: OnnxTensor; readonly home: { readonly file: string } }): Uint8Array {
  if (found.byteLength === bytes) return found;
  throw new CheckpointError('malformed', `The tensor has ${found.byteLength} bytes, but its shape [${tensor.dims.join(', ')}] needs ${bytes}.`, {
    place: { file: home.file, group: tensor.name, offset: tensor.frame.start },
  });
}

/** Values that stand one by one or packed in float_data, int32_data ... */
async function typedBytes(tensor: OnnxTensor, bytes: number, { source, file }: TensorHome): Promise<Uint8Array> {
  // Types of less than a byte: an entry is a byte of them.
  const width = Math.max(1, (elementType(tensor.type)?.bits ?? 8) / 8);
  const into = new Uint8Array(bytes);
  const view = new DataView(into.buffer);
  let at = 0;
  const put = (low: number, high: number, size: number) => {
    if (at + size > bytes)
      throw new CheckpointError('malformed', `The tensor has more values than its shape [${tensor.dims.join(', ')}].`, { place: { file, group: tensor.name } });
    if (size === 1) view.setUint8(at, low & 0xff);
    else if (size === 2) view.setUint16(at, low & 0xffff, true);
    else {
      view.setUint32(at, low, true);
      if (size === 8) view.setUint32(at + 4, high, true);
    }
    at += size;
  };
  for (const site of tensor.typed) {
    const content = await source.read(site.start, site.end - site.start);
    for (const fields = rootCursor({ length: content.byteLength, bytes: content, cuts: [] }, file); fields.next(); ) {
      if (site.number === FLOAT_DATA || site.number === DOUBLE_DATA) {
        if (fields.wire !== BYTES && fields.wire !== FIXED32 && fields.wire !== FIXED64) continue;
        const part = fields.content();
        if (at + part.byteLength > bytes) put(0, 0, bytes + 1);
        into.set(part, at);
        at += part.byteLength;
      } else if (fields.wire === VARINT) put(fields.low, fields.high, width);
      else if (fields.wire === BYTES) for (const value of fields.packed()) put(value.low, value.high, width);
    }
  }
  return into.subarray(0, at);
}

import type { ArrayDescription } from './rebuildArray';
import { scalarText } from './scalarText';

/** The one number of a NumPy scalar as text; `null` for types that are not shown as one number. */
export function arrayScalarText({ dtype, data, bigEndian }: ArrayDescription): string | null {
  const bytes = data.kind === 'bytes' ? data.value : Buffer.from(data.value, 'latin1');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = !bigEndian;
  switch (dtype) {
    case 'bool':
      return view.getUint8(0) === 0 ? 'False' : 'True';
    case 'int8':
      return String(view.getInt8(0));
    case 'uint8':
      return String(view.getUint8(0));
    case 'int16':
      return String(view.getInt16(0, little));
    case 'uint16':
      return String(view.getUint16(0, little));
    case 'int32':
      return String(view.getInt32(0, little));
    case 'uint32':
      return String(view.getUint32(0, little));
    case 'int64':
      return String(view.getBigInt64(0, little));
    case 'uint64':
      return String(view.getBigUint64(0, little));
    case 'float32':
      return scalarText({ kind: 'float', value: Number(view.getFloat32(0, little).toPrecision(8)) });
    case 'float64':
      return scalarText({ kind: 'float', value: view.getFloat64(0, little) });
    default:
      return null;
  }
}

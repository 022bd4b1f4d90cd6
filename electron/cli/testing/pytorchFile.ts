import { once } from 'node:events';
import yazl from 'yazl';

/** What torch.save keeps of a training run: tensors and plain numbers, in the order of their dictionary. */
export type State = Readonly<Record<string, readonly number[] | number>>;

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const u32 = (value: number) => latin1(new Uint8Array(Uint32Array.of(value).buffer));
const str = (text: string) => `X${u32(Buffer.byteLength(text))}${latin1(Buffer.from(text))}`;
const int = (value: number) => `L${value}L\n`;
const tuple = (...items: string[]) => `(${items.join('')}t`;
const FALSE = '\x89';

/**
 * For tests: a PyTorch file, made from the description of its format alone (pickletools.py, torch/_tensor.py): a pickle of protocol 2 with one
 * storage for each tensor, in a zip of stored records. Tensors are float32 vectors.
 */
export async function pytorchFile(state: State): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const add = (name: string, bytes: Buffer) => zip.addBuffer(bytes, `archive/${name}`, { compress: false, mtime: new Date(2020, 0, 2), mode: 0o100644 });
  const storages: Buffer[] = [];
  const tensor = (values: readonly number[]) => {
    const key = String(storages.push(Buffer.from(Float32Array.from(values).buffer)) - 1);
    const storage = `${tuple(str('storage'), 'ctorch\nFloatStorage\n', str(key), str('cpu'), int(values.length))}Q`;
    return `ctorch._utils\n_rebuild_tensor_v2\n${tuple(storage, int(0), tuple(int(values.length)), tuple(int(1)), FALSE, '}')}R`;
  };
  const members = Object.entries(state).map(([name, value]) => `${str(name)}${typeof value === 'number' ? int(value) : tensor(value)}`);
  add('data.pkl', Buffer.from(`\x80\x02}(${members.join('')}u.`, 'latin1'));
  for (const [key, bytes] of storages.entries()) add(`data/${key}`, bytes);
  add('version', Buffer.from('3\n'));
  zip.end();
  const parts: Buffer[] = [];
  zip.outputStream.on('data', (part: Buffer) => parts.push(part));
  await once(zip.outputStream, 'end');
  return Buffer.concat(parts);
}

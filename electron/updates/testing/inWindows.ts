import { collect } from '../../encodings/testing/collect';
import { openInWindows } from '../openChain';
import { openStoredObject } from '../openStoredObject';
import { requireMember } from '../readMember';
import type { UpdateChain } from '../updateChain';

/** The value of a chain as large ones are read, whatever its size. */
export async function readInWindows(chain: UpdateChain): Promise<{ readonly dtype: string; readonly shape: readonly number[]; readonly bytes: Uint8Array }> {
  const [first] = chain.steps;
  if (first === undefined) throw new Error('an empty chain');
  const object = await openStoredObject(first.object);
  try {
    const { dtype, shape, blocks } = await openInWindows(chain, requireMember(object.members, 'parameter'));
    return { dtype, shape, bytes: await collect(blocks()) };
  } finally {
    await object.close();
  }
}

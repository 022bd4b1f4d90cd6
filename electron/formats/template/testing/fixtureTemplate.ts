import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memorySource } from '../../../bytes/memorySource';
import type { FileCheckpoint, FileGroup } from '../../format';
import { openCheckpointFile } from '../../openCheckpointFile';
import { deriveTemplate } from '../deriveTemplate';
import type { FileTemplate } from '../fileTemplate';

const FIXTURES = join(import.meta.dirname, '../../../../e2e/fixtures');
const FOLDERS = ['checkpoints/pytorch', 'checkpoints/safetensors', 'npz', 'flax', 'onnx', 'digits/checkpoints', 'numbers'];

/** For tests: every checkpoint file that another tool wrote, by its path in the fixtures; files of external data are none. */
export const FIXTURE_FILES = FOLDERS.flatMap((folder) => readdirSync(join(FIXTURES, folder)).map((name) => `${folder}/${name}`)).filter(
  (name) => !name.endsWith('.json') && !name.endsWith('.bin'),
);

export interface OpenedFixture {
  readonly bytes: Buffer;
  readonly checkpoint: FileCheckpoint;
  /** The groups that can be read. */
  readonly groups: readonly FileGroup[];
}

/** For tests: a fixture, opened as any file. */
export async function openFixture(name: string): Promise<OpenedFixture> {
  const path = join(FIXTURES, name);
  const checkpoint = await openCheckpointFile({ kind: 'file', path }, name);
  return { bytes: readFileSync(path), checkpoint, groups: checkpoint.groups.filter(({ data }) => !('code' in data)) };
}

/** For tests: the template of a file, which must have one. */
export async function templateOf({ bytes, checkpoint }: OpenedFixture): Promise<FileTemplate> {
  const template = await deriveTemplate(memorySource(bytes), checkpoint, { file: 'fixture' });
  if (template === null) throw new Error('The file has no template.');
  return template;
}

import { extname } from 'node:path';
import { type MappingEntry, parseMapping } from '../../../shared/model/nameMapping/mapping';
import { fileError } from '../../bytes/fileError';
import { readSmallFile } from '../../bytes/readSmallFile';
import { addressRenames } from '../../onnx/edits/addressRenames';
import { renamesByPattern } from '../../onnx/edits/renamesByPattern';
import type { OnnxModel } from '../../onnx/model/onnxModel';
import type { Session } from '../session';
import { applyEdit, type EditOptions } from './applyEdit';
import { withModel } from './readTarget';

const MAX_MAP_BYTES = 256 * 1024 * 1024;

export interface RenameOptions extends EditOptions {
  /** Old and new name, one after the other. */
  readonly names: readonly string[];
  readonly map: string | undefined;
  readonly pattern: string | undefined;
  readonly replace: string | undefined;
  readonly scope: string | undefined;
}

/** `theta onnx rename`: initializers and other values, from pairs, a mapping or a pattern; all of them or none. */
export async function rename(session: Session, target: string, options: RenameOptions): Promise<number> {
  return withModel(session, target, async (opened) => {
    const { renames, problems } = await wanted(session, opened.model, options);
    for (const problem of problems) session.terminal.err(`theta: ${problem}\n`);
    if (problems.length > 0) {
      session.terminal.err('Nothing was written.\n');
      return 1;
    }
    return applyEdit(session, opened, { kind: 'rename', renames: [...renames] }, options);
  });
}

async function wanted(session: Session, model: OnnxModel, { names, map, pattern, replace, scope }: RenameOptions): Promise<ReturnType<typeof addressRenames>> {
  const entries: MappingEntry[] = [];
  for (let i = 0; i < names.length; i += 2) entries.push({ graph: scope ?? null, name: names[i] ?? '', to: names[i + 1] ?? '', line: 1 + i / 2 });
  if (map !== undefined) {
    const path = session.path(map);
    const bytes = await readSmallFile(path, MAX_MAP_BYTES).catch((error: unknown) => {
      throw fileError(error, path);
    });
    const format = extname(map).toLowerCase() === '.csv' ? 'csv' : 'json';
    entries.push(...parseMapping(new TextDecoder().decode(bytes), format).map((entry) => ({ ...entry, graph: entry.graph ?? scope ?? null })));
  }
  const addressed = addressRenames(model, entries);
  if (pattern === undefined || replace === undefined) return addressed;
  return { ...addressed, renames: [...addressed.renames, ...renamesByPattern(model, { find: pattern, replace, graph: scope })] };
}

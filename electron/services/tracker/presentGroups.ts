import { tensorBytes } from '../../../shared/model/shape';
import type { FileLayout } from '../../formats/format';
import type { GroupToExport } from '../exporter/groupToExport';
import { placeInFile } from '../exporter/placeInFile';

export interface NewLayout {
  readonly layout: FileLayout;
  readonly groups: readonly GroupToExport[];
}

/**
 * Which groups a copy of a file has where a layout wants them, by their index, and where that is. None when a copy is of no use: the file is of
 * another size, the layout does not say of every byte what it is, or it depends on what the tensors hold.
 */
export function presentGroups({ layout, groups }: NewLayout, file: { readonly path: string; readonly bytes: number }): ReadonlyMap<number, number> {
  if (layout.bytes !== file.bytes || layout.finish !== null || layout.misfits !== undefined) return new Map();
  const places = groups.map(({ plan, dtype, shape }, index) => ({
    index,
    offset: layout.tensors[index] ?? null,
    bytes: tensorBytes(dtype, shape),
    here: plan.kind === 'ref' ? placeInFile(plan.ref, file.path) : null,
  }));
  const parts = [
    ...layout.pieces.map(({ offset, bytes }) => ({ offset, bytes: bytes.byteLength })),
    ...places.map(({ offset, bytes }) => ({ offset: offset ?? -1, bytes })),
  ];
  if (!coverExactly(parts, layout.bytes)) return new Map();
  return new Map(places.flatMap(({ index, offset, here }) => (offset !== null && here === offset ? [[index, offset] as const] : [])));
}

function coverExactly(parts: readonly { readonly offset: number; readonly bytes: number }[], total: number): boolean {
  let end = 0;
  for (const { offset, bytes } of parts.filter((part) => part.bytes > 0).sort((a, b) => a.offset - b.offset)) {
    if (offset !== end) return false;
    end += bytes;
  }
  return end === total;
}

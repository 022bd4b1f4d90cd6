import type { TrackPreview } from '../../../shared/contract/trackRequests';
import { cleanCheckpoint } from './cleanCheckpoint';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';

/** What storing a file would do, group by group, found out by doing it without writing anything. */
export async function previewCheckpoint(request: Omit<CleanRequest, 'dry'>): Promise<TrackPreview> {
  return toPreview(request.path, await cleanCheckpoint({ ...request, dry: true }));
}

export function toPreview(path: string, { groups, format, fileBytes, unchanged, notes }: CleanedCheckpoint): TrackPreview {
  return {
    path,
    format,
    groups: groups.map(({ name, dtype, shape, change, from, updateType, bytes, addedBytes, notes: lines }) => ({
      name,
      dtype,
      shape: [...shape],
      change,
      ...(from === undefined ? {} : { from }),
      updateType,
      bytes,
      addedBytes,
      notes: [...lines],
    })),
    addedBytes: groups.reduce((sum, { addedBytes }) => sum + addedBytes, 0),
    fullBytes: groups.reduce((sum, { fullBytes }) => sum + fullBytes, 0),
    lfsBytes: fileBytes,
    unchanged,
    notes: [...notes],
  };
}

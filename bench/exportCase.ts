import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, cached } from './cacheFolder';
import { MODEL, makeBertRepository } from './makeBertRepository';
import { type Measurement, measureProcess } from './measureProcess';
import { median } from './median';
import type { Row } from './report';
import { whenPresent } from './whenPresent';

const FORMATS = [
  { format: 'safetensors', extension: '.safetensors' },
  { format: 'pytorch', extension: '.pt' },
  { format: 'npz', extension: '.npz' },
] as const;

/** How long an export may take against copying and hashing the finished file, and how much memory all its threads together may take. */
const TARGET_RATIO = 2;
const TARGET_MB = 300;

/**
 * Reconstructs and exports a checkpoint of BERT shape from a git-theta repository with the built command, in a process of its own each
 * time, beside `cp` and `sha256sum` of the same file. All files are in the system's cache: what is measured is work, not a disk.
 */
export async function exportCase(repeat: number): Promise<readonly Row[]> {
  const repository = await cached('bert-repository-v1', makeBertRepository);
  const target = join(CACHE, 'exported');
  const copy = join(CACHE, 'copied');
  const theta = join(process.cwd(), 'dist', 'cli', 'theta.cjs');
  const exported = async (format: string, extension: string) => {
    await rm(target + extension, { force: true });
    await measureProcess('sync', []);
    return measureProcess(process.execPath, [theta, '-C', repository, 'export', `HEAD:${MODEL}`, target + extension, '--format', format]);
  };
  await exported('safetensors', '.safetensors');
  const file = `${target}.safetensors.reference`;
  await measureProcess('cp', [`${target}.safetensors`, file]);
  const { size } = await stat(file);

  const runs = {
    cp: [] as Measurement[],
    sha256sum: [] as Measurement[],
    safetensors: [] as Measurement[],
    pytorch: [] as Measurement[],
    npz: [] as Measurement[],
  };
  for (let run = 0; run < repeat; run++) {
    await rm(copy, { force: true });
    await measureProcess('sync', []);
    runs.cp.push(await measureProcess('cp', [file, copy]));
    runs.sha256sum.push(await measureProcess('sha256sum', [file]));
    for (const { format, extension } of FORMATS) runs[format].push(await exported(format, extension));
  }
  const lfs = await lfsCheckout(file, repeat);
  for (const { extension } of FORMATS) await rm(target + extension, { force: true });
  await Promise.all([rm(copy, { force: true }), rm(file, { force: true })]);

  const seconds = (all: readonly Measurement[]) => median(all.map((run) => run.seconds));
  const megabytes = (all: readonly Measurement[]) => median(all.map((run) => (run.peakTree ?? Number.NaN) / 1e6));
  const floor = seconds(runs.cp) + seconds(runs.sha256sum);
  return [
    { what: 'file', value: size / 1e6, unit: 'MB', target: null },
    { what: 'cp', value: seconds(runs.cp), unit: 's', target: null },
    { what: 'sha256sum', value: seconds(runs.sha256sum), unit: 's', target: null },
    ...(lfs === null ? [] : [{ what: 'git lfs smudge of the same file', value: lfs, unit: 's', target: null } as const]),
    ...FORMATS.flatMap(({ format }): Row[] => [
      { what: `export to ${format}`, value: seconds(runs[format]), unit: 's', target: null },
      { what: `export to ${format} / (cp + sha256sum)`, value: seconds(runs[format]) / floor, unit: '×', target: TARGET_RATIO },
      { what: `export to ${format}, peak memory of all processes`, value: megabytes(runs[format]), unit: 'MB', target: TARGET_MB },
    ]),
  ];
}

/** Seconds that git-lfs takes to check the same file out; `null`, and said so, without git-lfs. */
async function lfsCheckout(file: string, repeat: number): Promise<number | null> {
  const folder = await whenPresent('git-lfs', ['--version'], () =>
    cached('lfs-repository-v1', async (made) => {
      await measureProcess('git', ['init', '-q', made]);
    }),
  );
  if (folder === null) return null;
  const pointer = (await measureProcess('sh', ['-c', 'git lfs clean < "$1"', 'sh', file], { cwd: folder })).output;
  const smudged = join(CACHE, 'smudged');
  const seconds: number[] = [];
  for (let run = 0; run < repeat; run++) {
    seconds.push((await measureProcess('sh', ['-c', 'git lfs smudge > "$1"', 'sh', smudged], { cwd: folder, input: pointer })).seconds);
  }
  await rm(smudged, { force: true });
  await rm(join(folder, '.git', 'lfs'), { recursive: true, force: true });
  return median(seconds);
}

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../git/testing/testRepository';
import { checkpointsIn } from './checkpointsIn';
import { recognise } from './recognise';
import { floats, safetensorsFile } from './testing/safetensorsFile';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function put(path: string, content: string | Uint8Array = ''): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

describe('the checkpoints in a folder', () => {
  it('are those that its names and the names in its folders tell of, nearer ones first', async () => {
    for (const path of ['b.pt', 'a.safetensors', 'notes.md', 'run/step2/model.onnx', 'run/step1/model.npz', 'run/z.pth']) await put(path);
    const { files, left } = await checkpointsIn(folder);
    expect(files.map((file) => relative(folder, file))).toEqual(['a.safetensors', 'b.pt', 'run/z.pth', 'run/step1/model.npz', 'run/step2/model.onnx']);
    expect(left).toBeNull();
  });

  it('are none that are hidden, and none behind links', async () => {
    await put('.git/model.pt');
    await put('.hidden.pt');
    await put('seen/model.pt');
    await symlink('seen', join(folder, 'link'));
    await symlink(folder, join(folder, 'seen', 'round'));
    await symlink('seen/model.pt', join(folder, 'file.pt'));
    expect((await checkpointsIn(folder)).files).toEqual([join(folder, 'seen', 'model.pt')]);
  });

  it('are a thousand at most, and that there are more is said', async () => {
    for (let i = 0; i < 1000; i++) await put(`s${String(i).padStart(4, '0')}.bin`);
    expect(await checkpointsIn(folder)).toMatchObject({ files: { length: 1000 }, left: null });
    await put('further/down.bin');
    const { files, left } = await checkpointsIn(folder);
    expect(files).toHaveLength(1000);
    expect(files.at(-1)).toBe(join(folder, 's0999.bin'));
    expect(left).toMatchObject({ code: 'too-large', place: { file: folder } });
  });

  it('end with a cancel', async () => {
    await expect(checkpointsIn(folder, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});

describe('what was dropped', () => {
  it('is recognised in folders further down, and what is broken is refused by itself', async () => {
    await put('run/step1/model.safetensors', safetensorsFile({ weight: floats(Float32Array.of(1, 2)) }));
    await put('run/step2/model.safetensors', 'no checkpoint');
    const { candidates, refused } = await recognise(null, [join(folder, 'run')]);
    expect(candidates).toMatchObject([{ source: join(folder, 'run/step1/model.safetensors'), format: 'safetensors', groups: 1 }]);
    expect(refused).toMatchObject([{ source: join(folder, 'run/step2/model.safetensors') }]);
  });

  it('is refused in words where a folder has none, and where there is nothing', async () => {
    await put('empty/notes.md');
    const { candidates, refused } = await recognise(null, [join(folder, 'empty'), join(folder, 'nowhere')]);
    expect(candidates).toEqual([]);
    expect(refused).toMatchObject([{ error: { code: 'unsupported-format', message: 'empty holds no checkpoint files.' } }, { error: { code: 'not-found' } }]);
  });
});

import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type TestRepository, temporaryFolder } from '../testing/testRepository';
import { CatFile } from './catFile';
import { CatFileParser, type CatFileReply } from './catFileParser';
import { findNativeGit } from './gitVersion';

describe('CatFile', () => {
  let test: TestRepository;
  let folder: string;
  beforeEach(async () => {
    test = await makeRepository();
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await test.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(mode: 'contents' | 'check', script?: string): Promise<CatFile> {
    let executable = (await findNativeGit())?.executable ?? '';
    if (script !== undefined) {
      executable = join(folder, 'git');
      await writeFile(executable, `#!/bin/sh\n${script}\n`);
      await chmod(executable, 0o755);
    }
    return new CatFile({ executable, folder: test.path, place: [] }, mode);
  }

  it('answers many requests in order, whatever their contents', async () => {
    const contents = ['', '\n', 'x missing\n', `${'a'.repeat(40)} blob 3\n`, '\0\0\n\n', 'z'.repeat(200_000)];
    const oids: string[] = [];
    for (const content of contents) oids.push(await test.rawObject('blob', content));
    const cat = await open('contents');
    const asked = Array.from({ length: 300 }, (_, i) => i % (contents.length + 1));
    const replies = await Promise.all(asked.map((i) => cat.request(oids[i] ?? 'ab'.repeat(20))));
    expect(replies.map((reply) => (reply.kind === 'object' ? Buffer.from(reply.bytes).toString() : reply.kind))).toEqual(
      asked.map((i) => contents[i] ?? 'missing'),
    );
    await cat.close();
  });

  it('reads no contents above the limit and goes on', async () => {
    const small = await test.rawObject('blob', 'x');
    const large = await test.rawObject('blob', 'y'.repeat(1_000_000));
    const cat = await open('contents');
    const replies = await Promise.all([cat.request(small), cat.request(large, { limit: 999_999 }), cat.request(small), cat.request(large)]);
    expect(replies.map(({ kind }) => kind)).toEqual(['object', 'large', 'object', 'object']);
    await cat.close();
  });

  it.each([
    ['dies at once', 'echo "fatal: out of luck" >&2; exit 128'],
    ['dies silently', 'exit 0'],
    ['answers something else', 'while read line; do echo "hello"; done'],
    ['answers too little', 'read line; printf "%040d blob 10\\nabc" 0'],
  ])('rejects everything and hangs on nothing when the process %s', async (_, script) => {
    const cat = await open('contents', script);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => cat.request('ab'.repeat(20))));
    for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: { name: 'CheckpointError', code: 'internal' } });
    await cat.close();
  });

  it('rejects when the program cannot be started', async () => {
    const cat = new CatFile({ executable: join(folder, 'no-such-git'), folder: test.path, place: [] }, 'check');
    await expect(cat.request('HEAD')).rejects.toMatchObject({ name: 'CheckpointError' });
    await cat.close();
  });

  it('starts again for the requests that the process did not die on', async () => {
    const oid = await test.rawObject('blob', 'content');
    // The first process answers one request and dies on the second.
    const git = (await findNativeGit())?.executable ?? '';
    const flag = join(folder, 'flag');
    const cat = await open(
      'contents',
      `if [ -e ${flag} ]; then exec ${git} "$@"; fi\ntouch ${flag}\nread line; printf "%s blob 1\\nx\\n" "$line"; read line; echo "fatal: loose object is corrupt" >&2; exit 128`,
    );
    const answers = await Promise.allSettled([cat.request(oid), cat.request(oid), cat.request(oid), cat.request(oid)]);
    expect(
      answers.map((answer) => (answer.status === 'fulfilled' && answer.value.kind === 'object' ? Buffer.from(answer.value.bytes).toString() : 'failed')),
    ).toEqual(['x', 'failed', 'content', 'content']);
    expect(answers[1]).toMatchObject({ reason: { code: 'corrupt-object' } });
    await cat.close();
  });

  it('rejects what is under way when it is closed, and what comes after', async () => {
    const cat = await open('check', 'sleep 60');
    const waiting = expect(cat.request('HEAD')).rejects.toMatchObject({ code: 'cancelled' });
    await cat.close();
    await waiting;
    await expect(cat.request('HEAD')).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each(['', 'a\nb', 'a\0b'])('does not pass %j on', async (spec) => {
    const cat = await open('check', 'exit 1');
    await expect(cat.request(spec)).rejects.toMatchObject({ code: 'invalid-request' });
    await cat.close();
  });
});

describe('CatFileParser', () => {
  const oid = '12'.repeat(20);
  const output = Buffer.from(`${oid} blob 5\nab\n\0c\nx missing\n${oid} blob 0\n\n${oid} tree 1\nt\n`, 'latin1');
  const specs = [oid, 'x', oid, oid];
  const expected = ['ab\n\0c', 'missing', '', 't'];

  it.each([1, 2, 3, 7, 1000])('reads output in pieces of %i bytes', (size) => {
    let at = 0;
    const parser = new CatFileParser('contents', () => ({ spec: specs[at] ?? '', limit: 10 }));
    const replies: CatFileReply[] = [];
    for (let i = 0; i < output.length; i += size) {
      for (const reply of parser.push(output.subarray(i, i + size))) {
        replies.push(reply);
        at++;
      }
    }
    expect(replies.map((reply) => (reply.kind === 'object' ? Buffer.from(reply.bytes).toString('latin1') : reply.kind))).toEqual(expected);
  });

  it('does not believe a size that no request allows', () => {
    const parser = new CatFileParser('contents', () => ({ spec: oid, limit: 100 }));
    expect([...parser.push(Buffer.from(`${oid} blob 99999999999999999999\n`))]).toMatchObject([{ kind: 'large' }]);
  });
});

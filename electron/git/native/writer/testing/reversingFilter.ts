import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A long-running filter (gitattributes(5)) that turns the bytes of a file around, and notes what it was asked for. Does not give the file `$REFUSED` back,
 * and of `$SLOW` nothing until git has gone; then it has written `$STARTED`.
 */
const SCRIPT = `
const { appendFileSync, readSync, writeSync } = require('node:fs');
function read(length) {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    let count = 0;
    try { count = readSync(0, bytes, done, length - done); } catch (error) { if (error.code === 'EAGAIN') continue; throw error; }
    if (count === 0) process.exit(0);
    done += count;
  }
  return bytes;
}
function packets() {
  const all = [];
  for (;;) {
    const length = Number.parseInt(read(4).toString(), 16);
    if (length === 0) return all;
    all.push(read(length - 4));
  }
}
function write(bytes) {
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}
function send(...lines) {
  for (const line of lines) {
    const bytes = Buffer.from(line);
    write(Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]));
  }
  write(Buffer.from('0000'));
}
packets();
send('git-filter-server\\n', 'version=2\\n');
packets();
send('capability=clean\\n', 'capability=smudge\\n');
for (;;) {
  const request = packets().map(String);
  appendFileSync(process.argv[2], request.join(''));
  const content = Buffer.concat(packets()).reverse();
  if (process.env.SLOW && request.includes('pathname=' + process.env.SLOW + '\\n') && request.includes('command=smudge\\n')) {
    appendFileSync(process.env.STARTED, 'x');
    read(1);
  }
  if (process.env.REFUSED && request.includes('pathname=' + process.env.REFUSED + '\\n') && request.includes('command=smudge\\n')) {
    send('status=error\\n');
    continue;
  }
  send('status=success\\n');
  const parts = [];
  for (let i = 0; i < content.length; i += 60000) parts.push(content.subarray(i, i + 60000));
  send(...parts);
  send();
}
`;

/** Command of the filter; its requests are written to the log. */
export async function reversingFilter(folder: string): Promise<{ readonly command: string; readonly log: string }> {
  const script = join(folder, 'reversing filter.cjs');
  const log = join(folder, 'filter log');
  await writeFile(script, SCRIPT);
  await writeFile(log, '');
  return { command: `'${process.execPath}' '${script}' '${log}'`, log };
}

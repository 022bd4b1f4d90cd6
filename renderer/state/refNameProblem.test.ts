import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { refNameProblem } from './refNameProblem';

const NAMES = [
  'main',
  'feature/lora-8',
  'v1.0',
  'a@b',
  'ünïcode/模型',
  'a.b.c',
  'x{y}',
  '-x',
  '',
  'a b',
  'a..b',
  'a~1',
  'a^',
  'a:b',
  'a?b',
  'a*',
  'a[b',
  'a\\b',
  'a@{b',
  '/a',
  'a/',
  'a//b',
  'a.',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a\u007fb',
  'a\tb',
];

it.each(NAMES)('%j is judged as git does', (name) => {
  const git = spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/' });
  expect(refNameProblem(name) === null).toBe(git.status === 0);
});

it('does not take what is there, nor a folder of it', () => {
  expect(refNameProblem('main', ['main'])).toMatch(/already/);
  expect(refNameProblem('main/two', ['main'])).toMatch(/“main”/);
  expect(refNameProblem('runs', ['runs/a'])).toMatch(/“runs\/a”/);
  expect(refNameProblem('mainly', ['main'])).toBeNull();
  expect(refNameProblem('HEAD')).toMatch(/HEAD/);
  expect(refNameProblem('@')).toMatch(/already means/);
});

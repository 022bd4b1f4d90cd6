import { expect, it } from 'vitest';
import { placeProblem } from './placeProblem';

it.each(['model.pt', 'runs/a b/model.pt', 'modèle/モデル.safetensors', '.hidden/model.pt', 'git/model.pt', 'a..b/..c', `${'x'.repeat(300)}.pt`])(
  '%s is a place',
  (place) => {
    expect(placeProblem(place)).toBeNull();
  },
);

it.each([
  ['', /place/],
  ['   ', /place/],
  ['/model.pt', /root/],
  ['C:/model.pt', /drive/],
  ['c:model.pt', /drive/],
  ['runs\\model.pt', /“\/”/],
  ['runs/', /folder/],
  ['runs//model.pt', /slashes/],
  ['../model.pt', /inside/],
  ['runs/../../model.pt', /inside/],
  ['./model.pt', /inside/],
  ['.git/config', /git itself/],
  ['sub/.GIT/hooks/post-commit', /git itself/],
  ['.gitattributes', /git itself/],
  ['sub/.gitmodules', /git itself/],
  ['model\n.pt', /characters/],
  ['model\0.pt', /characters/],
  ['x'.repeat(5000), /long/],
])('%j is none', (place, words) => {
  expect(placeProblem(place)).toMatch(words);
});

it('is taken when another file has it', () => {
  expect(placeProblem('model.pt', ['model.pt'])).toMatch(/same place/);
});

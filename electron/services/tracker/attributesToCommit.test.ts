import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../../git/testing/testRepository';
import { userHome } from '../../git/testing/userHome';
import { openOne } from '../repositories/repositoryCache';
import { attributesFilesOf, attributesToCommit } from './attributesToCommit';

beforeEach(async () => void (await userHome()));

it('names the attributes files of the work tree that a commit of a file needs, and none when HEAD tracks it', async () => {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  const wanted = async (...paths: string[]) => {
    const repository = await openOne(test.path);
    const files = await attributesToCommit(repository, paths);
    repository.dispose();
    return files;
  };
  await test.write('.gitattributes', '*.pt filter=theta\n');
  expect(await wanted('sub/deep/model.pt')).toEqual(['.gitattributes']);
  await test.commit('attributes');
  expect(await wanted('sub/deep/model.pt')).toEqual([]);
  await test.write('sub/.gitattributes', '*.bin filter=theta\n');
  expect(await wanted('sub/deep/model.bin', 'other/model.pt')).toEqual(['.gitattributes', 'sub/.gitattributes']);
  expect(attributesFilesOf(['a', 'sub/deep/b', 'sub/c'])).toEqual(['.gitattributes', 'sub/.gitattributes', 'sub/deep/.gitattributes']);
});

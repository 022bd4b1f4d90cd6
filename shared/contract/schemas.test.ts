import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { CheckpointDescription, CheckpointWithChanges, CommitChange, ParameterGroup } from '../model/checkpoint';
import type { CommitDetail, CommitInfo, HeadInfo, RefInfo, RemoteInfo } from '../model/commit';
import type { Histogram, TensorPreview, TensorStats } from '../model/tensorStats';
import * as schemas from './schemas';

describe('wire schemas', () => {
  it('yield the model types', () => {
    expectTypeOf<v.InferOutput<typeof schemas.commitInfo>>().toExtend<CommitInfo>();
    expectTypeOf<v.InferOutput<typeof schemas.commitDetail>>().toExtend<CommitDetail>();
    expectTypeOf<v.InferOutput<typeof schemas.refInfo>>().toExtend<RefInfo>();
    expectTypeOf<v.InferOutput<typeof schemas.headInfo>>().toExtend<HeadInfo>();
    expectTypeOf<v.InferOutput<typeof schemas.remoteInfo>>().toExtend<RemoteInfo>();
    expectTypeOf<v.InferOutput<typeof schemas.parameterGroup>>().toExtend<ParameterGroup>();
    expectTypeOf<v.InferOutput<typeof schemas.checkpointDescription>>().toExtend<CheckpointDescription>();
    expectTypeOf<v.InferOutput<typeof schemas.checkpointWithChanges>>().toExtend<CheckpointWithChanges>();
    expectTypeOf<v.InferOutput<typeof schemas.commitChange>>().toExtend<CommitChange>();
    expectTypeOf<v.InferOutput<typeof schemas.tensorStats>>().toExtend<TensorStats>();
    expectTypeOf<v.InferOutput<typeof schemas.histogram>>().toExtend<Histogram>();
    expectTypeOf<v.InferOutput<typeof schemas.tensorPreview>>().toExtend<TensorPreview>();
  });

  it.each(['/etc/passwd', '../x', 'a/../b', 'a//b', 'a\0b', ''])('refuses %j as a path in a repository', (path) => {
    expect(v.safeParse(schemas.repositoryPath, path).success).toBe(false);
  });

  it.each(['model.pt', 'a b/ä/模型.pt', '-rf', '..a/b'])('takes %j as a path in a repository', (path) => {
    expect(v.safeParse(schemas.repositoryPath, path).success).toBe(true);
  });

  it.each(['HEAD', '--help', 'abc', 'A'.repeat(40)])('refuses %j as a commit hash', (hash) => {
    expect(v.safeParse(schemas.commitHash, hash).success).toBe(false);
  });
});

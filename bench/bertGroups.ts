import type { Shape } from '../shared/model/shape';

export interface BertGroup {
  readonly name: string;
  readonly shape: Shape;
}

export interface BertSize {
  readonly width: number;
  readonly layers: number;
}

/** 183 groups, 410 MB in float32. */
export const BERT_410_MB: BertSize = { width: 768, layers: 11 };

const VOCABULARY = 30522;

/** Names and shapes of a BERT encoder. */
export function bertGroups({ width, layers }: BertSize): readonly BertGroup[] {
  const groups: BertGroup[] = [];
  const add = (name: string, ...shape: number[]) => groups.push({ name, shape });
  const linear = (name: string, out: number, from: number) => {
    add(`${name}.weight`, out, from);
    add(`${name}.bias`, out);
  };
  const norm = (name: string) => {
    add(`${name}.weight`, width);
    add(`${name}.bias`, width);
  };
  add('embeddings.word_embeddings.weight', VOCABULARY, width);
  add('embeddings.position_embeddings.weight', 512, width);
  add('embeddings.token_type_embeddings.weight', 2, width);
  norm('embeddings.LayerNorm');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) linear(`${prefix}.attention.self.${part}`, width, width);
    linear(`${prefix}.attention.output.dense`, width, width);
    norm(`${prefix}.attention.output.LayerNorm`);
    linear(`${prefix}.intermediate.dense`, width * 4, width);
    linear(`${prefix}.output.dense`, width, width * 4);
    norm(`${prefix}.output.LayerNorm`);
  }
  linear('pooler.dense', width, width);
  return groups;
}

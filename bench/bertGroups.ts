import type { Shape } from '../shared/model/shape';

export interface BertGroup {
  readonly name: string;
  readonly shape: Shape;
}

const WIDTH = 768;
const LAYERS = 11;

/** Names and shapes of a BERT encoder of 11 layers: 183 groups, 410 MB in float32. */
export function bertGroups(): readonly BertGroup[] {
  const groups: BertGroup[] = [];
  const add = (name: string, ...shape: number[]) => groups.push({ name, shape });
  const linear = (name: string, out: number, from: number) => {
    add(`${name}.weight`, out, from);
    add(`${name}.bias`, out);
  };
  const norm = (name: string) => {
    add(`${name}.weight`, WIDTH);
    add(`${name}.bias`, WIDTH);
  };
  add('embeddings.word_embeddings.weight', 30522, WIDTH);
  add('embeddings.position_embeddings.weight', 512, WIDTH);
  add('embeddings.token_type_embeddings.weight', 2, WIDTH);
  norm('embeddings.LayerNorm');
  for (let layer = 0; layer < LAYERS; layer++) {
    const prefix = `encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) linear(`${prefix}.attention.self.${part}`, WIDTH, WIDTH);
    linear(`${prefix}.attention.output.dense`, WIDTH, WIDTH);
    norm(`${prefix}.attention.output.LayerNorm`);
    linear(`${prefix}.intermediate.dense`, WIDTH * 4, WIDTH);
    linear(`${prefix}.output.dense`, WIDTH, WIDTH * 4);
    norm(`${prefix}.output.LayerNorm`);
  }
  linear('pooler.dense', WIDTH, WIDTH);
  return groups;
}

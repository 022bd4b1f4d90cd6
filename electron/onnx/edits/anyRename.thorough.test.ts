import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { encodeTextField } from '../../encodings/protobuf/encodeField';
import { patchMessage } from '../../encodings/protobuf/patchMessage';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition } from '../scopes/scopeIndex';
import { joined, modelOf, patched } from '../testing/readBytes';
import { planRename, type Rename } from './planRename';
import { body, floats, info, node, smallModel } from './testing/smallModel';

/** Numbers below `limit`, the same for the same seed (a linear congruential generator of Numerical Recipes). */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** So few that graphs inside each other often share them. */
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function anyGraph(next: (limit: number) => number, visible: readonly string[], depth: number): onnx.IGraphProto {
  const free = NAMES.filter((name) => next(3) > 0 && !visible.includes(name));
  // Now and then a body hides a name.
  if (depth > 0 && next(6) === 0 && visible.length > 0) free.push(visible[next(visible.length)] ?? 'a');
  const initializer: onnx.ITensorProto[] = [];
  const input: onnx.IValueInfoProto[] = [];
  const nodes: onnx.INodeProto[] = [];
  let known = [...new Set(visible)];
  for (const name of new Set(free)) {
    const kind = next(4);
    if (kind === 0) initializer.push(floats(name, [1], [1]));
    else if (kind === 1) input.push(info(name, [1]));
    else {
      const inputs = Array.from({ length: 1 + next(2) }, () => known[next(known.length)] ?? '');
      const inner = depth < 2 && next(2) === 0 ? [body('then_branch', anyGraph(next, known, depth + 1))] : [];
      nodes.push(node('Sum', inputs, [name], { attribute: inner }));
    }
    known = [...new Set([...known, name])];
  }
  const output = known.length === 0 ? [] : [info(known[next(known.length)] ?? '', [1])];
  const valueInfo = next(2) === 0 && known.length > 0 ? [info(known[next(known.length)] ?? '', [1])] : [];
  return { initializer, input, node: nodes, output, valueInfo };
}

function valuesOf(model: OnnxModel): Definition[] {
  const index = indexScopes(model);
  return index.owners.flatMap((owner) => index.definitions(owner));
}

/** What each use means: the number of its definition in the order of the model, which no rename changes. */
function meaning(model: OnnxModel): string {
  const index = indexScopes(model);
  const lines = index.owners.flatMap((owner) => {
    const uses = owner.nodes.flatMap((each) => each.inputs.map(({ text, site }) => ({ text, at: site })));
    const outputs = 'parent' in owner ? owner.outputs.map(({ name, nameSite }) => ({ text: name, at: nameSite })) : [];
    return [...uses, ...outputs].map(({ text }) => (text === '' ? '-' : numberOf(index.resolve(owner, text), model)));
  });
  return lines.join(' ');
}

function numberOf(definition: Definition | null, model: OnnxModel): string {
  if (definition === null) return '?';
  const { owner, at } = definition;
  const first = at[0];
  const graph = model.graphs.findIndex(({ path }) => path === owner.path);
  return `${graph}:${first?.kind}:${first?.node?.index ?? ''}:${first?.index}`;
}

/** The same name fields as a plan would write, refused or not. */
async function regardless(bytes: Uint8Array, model: OnnxModel, renames: readonly Rename[]): Promise<Uint8Array> {
  const index = indexScopes(model);
  const edits = renames.flatMap(({ graph, name, to }) => {
    const definition = index.definition(graph, name) ?? expect.fail();
    const places = [...definition.sites, ...index.uses(definition).map(({ site }) => site), ...index.mentions(definition).map(({ site }) => site)];
    return places.map((site) => ({
      frame: site.frame,
      offset: site.start,
      remove: site.end - site.start,
      insert: [{ kind: 'new' as const, bytes: encodeTextField(site.number, to) }],
    }));
  });
  return joined(bytes, patchMessage(model.length, edits));
}

describe('renames of any model', () => {
  it('keep what every use means, or are refused; what would change a meaning is always refused', async () => {
    const counts = { accepted: 0, refused: 0, harmful: 0 };
    for (let seed = 1; seed <= 1500; seed++) {
      const next = random(seed);
      const bytes = smallModel(anyGraph(next, [], 0));
      const model = await modelOf(bytes);
      const values = valuesOf(model).filter(() => next(3) === 0);
      const pool = [...NAMES, 'i', 'j', 'k'];
      const renames = values.map(({ owner, name }) => ({ graph: owner.path, name, to: pool[next(pool.length)] ?? name }));
      const plan = planRename(model, renames);
      const before = meaning(model);
      const blind = meaning(await modelOf(await regardless(bytes, model, renames)));
      if (plan.refusals.length > 0) {
        counts.refused++;
        if (blind !== before) counts.harmful++;
        continue;
      }
      counts.accepted++;
      const after = await modelOf(await patched(bytes, plan));
      expect([seed, meaning(after)]).toEqual([seed, before]);
      const wanted = new Map(renames.map(({ graph, name, to }) => [`${graph} ${name}`, to]));
      const names = valuesOf(model).map(({ owner, name }) => wanted.get(`${owner.path} ${name}`) ?? name);
      expect([seed, valuesOf(after).map(({ name }) => name)]).toEqual([seed, names]);
    }
    // The seeds make all three happen often.
    expect(Math.min(counts.accepted, counts.refused, counts.harmful)).toBeGreaterThan(100);
  });
});

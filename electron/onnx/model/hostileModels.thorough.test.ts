import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { concat, encodeField, encodeHead, encodeTextField, encodeVarint, encodeVarintField } from '../../encodings/protobuf/encodeField';
import { rootCursor } from '../../encodings/protobuf/wireCursor';
import { planExternalise } from '../edits/planExternalise';
import { body, floats, info, node, smallModel } from '../edits/testing/smallModel';
import { joined, modelOf, patched } from '../testing/readBytes';
import { wholeEngine } from '../testing/wholeEngine';
import { readModel } from './readModel';

/** ModelProto with a graph of these fields. */
const modelWith = (...graph: readonly Uint8Array[]) =>
  concat([encodeVarintField(1, 8), encodeField(7, concat(graph)), encodeField(8, encodeVarintField(2, 13))]);
const lineOf = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => node('Relu', [`v${index}`], [`v${index + 1}`], { name: name(index) }));

describe('models made to hurt', () => {
  it('nodes of no bytes, very many', async () => {
    const graph = new Uint8Array(2 * 2000).map((_, at) => (at % 2 === 0 ? 0x0a : 0));
    const { view } = await wholeEngine(modelWith(graph));
    expect(view.nodes.names.length).toBe(2000);
  });

  it('a name of ten thousand slashes, and names of a megabyte', async () => {
    const deep = '/'.repeat(10_000);
    const parts = Array.from({ length: 10_000 }, (_, at) => `p${at}`).join('/');
    const graph = {
      node: [
        ...lineOf(4, (index) => `${deep}n${index}`),
        ...lineOf(4, (index) => `${parts}/n${index}`).map((each, at) => ({ ...each, input: [`w${at}`], output: [`w${at + 1}`] })),
        node('Add', ['v4', 'w4'], ['n'.repeat(1_000_000)], { name: 'a/b.'.repeat(250_000) }),
        node('Relu', ['n'.repeat(1_000_000)], ['end'], { name: `${'a/b.'.repeat(250_000)}c` }),
      ],
      input: [info('v0', [1]), info('w0', [1])],
      output: [info('end', [1])],
    };
    const { view } = await wholeEngine(smallModel(graph));
    expect(view.nodes.names.length).toBe(10);
  });

  it('modules in modules, a hundred deep, each with two nodes', async () => {
    let path = '';
    const nodes = Array.from({ length: 100 }, (_, at) => {
      path += `${path === '' ? '' : '/'}m${at}`;
      return [
        node('Relu', [`v${2 * at}`], [`v${2 * at + 1}`], { name: `${path}/a` }),
        node('Relu', [`v${2 * at + 1}`], [`v${2 * at + 2}`], { name: `${path}/b` }),
      ];
    }).flat();
    const { view } = await wholeEngine(smallModel({ node: nodes, input: [info('v0', [1])], output: [info('v200', [1])] }));
    expect(view.groups.length).toBeGreaterThan(20);
  });

  it('names that objects have already', async () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', '__proto__/constructor/x'];
    const nodes = names.map((name, at) =>
      node(name, [at === 0 ? 'x' : (names[at - 1] ?? '')], [name], { name, domain: name, attribute: [{ name, type: 2, i: 1 }] }),
    );
    const functions = names.map((name) => ({
      name,
      domain: name,
      input: ['__proto__'],
      output: ['constructor'],
      node: [node('Relu', ['__proto__'], ['constructor'])],
    }));
    const { view, model } = await wholeEngine(
      smallModel(
        {
          node: nodes,
          input: [info('x', ['__proto__'])],
          output: [info('valueOf', ['constructor'])],
          initializer: names.map((name) => floats(`${name}.w`, [1], [1])),
        },
        { functions, metadataProps: names.map((key) => ({ key, value: key })), opsetImport: names.map((domain) => ({ domain, version: 1 })) },
      ),
    );
    expect(view.nodes.names.slice(0, 6)).toEqual(names);
    expect(model.functions.map(({ name }) => name)).toEqual(names);
  });

  it('cycles, nodes that read their own output, values with several definitions', async () => {
    const graph = {
      node: [
        node('Add', ['b', 'x'], ['a'], { name: 'm/a' }),
        node('Add', ['a', 'x'], ['b'], { name: 'n/b' }),
        node('Relu', ['own'], ['own'], { name: 'm/own' }),
        node('Relu', ['x'], ['twice', 'twice', ''], { name: 'm/t' }),
        node('Relu', ['twice'], ['twice']),
        node('If', ['x'], ['x'], { attribute: [body('then_branch', { node: [node('Relu', ['self'], ['self'])], output: [info('self', null)] })] }),
      ],
      input: [info('x', [1]), info('x', [2])],
      output: [info('own', [1]), info('own', [1]), info('nothing', [1])],
      initializer: [floats('x', [1], [1]), floats('x', [1], [2])],
    };
    await wholeEngine(smallModel(graph));
  });

  it('functions that call each other and themselves, two of one identity, none of a name', async () => {
    const calls = (name: string, op: string) => ({ name, domain: 'own', input: ['i'], output: ['o'], node: [node(op, ['i'], ['o'], { domain: 'own' })] });
    const functions = [calls('A', 'B'), calls('B', 'A'), calls('C', 'C'), calls('A', 'C'), calls('', '')];
    const { model } = await wholeEngine(
      smallModel(
        { node: [node('A', ['x'], ['y'], { domain: 'own' })], input: [info('x', [1])], output: [info('y', [1])] },
        { functions, opsetImport: [{ domain: 'own', version: 1 }] },
      ),
    );
    expect(model.functions.length).toBe(5);
  });

  it('sixty bodies inside each other are read, a hundred refused with the place', async () => {
    const nested = (depth: number): Parameters<typeof smallModel>[0] =>
      depth === 0 ? { node: [node('Relu', ['x'], ['y'])] } : { node: [node('If', ['x'], ['y'], { attribute: [body('then_branch', nested(depth - 1))] })] };
    const { model } = await wholeEngine(smallModel(nested(60)));
    expect(model.graphs.length).toBe(61);
    await expect(modelOf(smallModel(nested(100)))).rejects.toMatchObject({ code: 'malformed', place: { file: 'model.onnx', offset: expect.any(Number) } });
  });

  it('shapes that no tensor has', async () => {
    const tensors = [[-1], [2 ** 53], [2 ** 31, 2 ** 31, 2 ** 31], [0, -5], Array.from({ length: 5000 }, () => 2)].map((dims, at) =>
      encodeField(
        5,
        concat([...dims.map((dim) => encodeVarintField(1, dim)), encodeVarintField(2, at), encodeTextField(8, `t${at}`), encodeField(9, new Uint8Array(4))]),
      ),
    );
    const { view } = await wholeEngine(modelWith(...tensors));
    expect(view.initializers.length).toBe(5);
  });

  it.each([3, 4])('a packed list of %d thousand extents is read whole', async (thousands) => {
    const dims = new Uint8Array(thousands * 1000 + 500).fill(1);
    const model = await modelOf(modelWith(encodeField(5, concat([encodeField(1, dims), encodeTextField(8, 't')]))));
    expect(model.graph.initializers[0]?.dims.length).toBe(dims.length);
  });

  it.each([4000, 4096, 4097, 200_000])('a symbolic extent of %d bytes', async (length) => {
    const { model } = await wholeEngine(smallModel({ input: [info('x', ['n'.repeat(length), 3]), info('y', [4])], output: [info('x', ['m', 3])] }));
    expect(model.graph.inputs[0]?.type?.dims).toEqual(['n'.repeat(length), 3]);
    expect(model.graph.inputs[1]?.type?.dims).toEqual([4]);
  });

  it.each([4095, 4096, 4097])('payloads of %d bytes and what stands around them', async (length) => {
    const payload = new Uint8Array(length).fill(0xff);
    const bytes = modelWith(
      encodeField(5, concat([encodeVarintField(1, length), encodeVarintField(2, 2), encodeField(9, payload), encodeTextField(8, 'behind')])),
      encodeField(5, concat([encodeTextField(8, 'second'), encodeVarintField(2, 2), encodeVarintField(1, length), encodeField(9, payload)])),
    );
    const { model } = await wholeEngine(bytes);
    expect(model.graph.initializers.map(({ name, raw }) => [name, raw?.length, bytes[raw?.offset ?? 0]])).toEqual([
      ['behind', length, 0xff],
      ['second', length, 0xff],
    ]);
  });

  it('groups with payloads, in messages that are kept and in those that are cut', async () => {
    const group = (content: Uint8Array) => concat([encodeVarint(50 * 8 + 3), content, encodeVarint(50 * 8 + 4)]);
    const inside = group(concat([encodeField(1, new Uint8Array(5000)), group(encodeField(7, new Uint8Array(9000))), encodeVarintField(2, 5)]));
    const bytes = concat([inside, modelWith(inside, encodeField(1, concat([inside, encodeTextField(4, 'Relu'), inside])), inside), inside]);
    const { model } = await wholeEngine(bytes);
    expect(model.graph.nodes.map(({ op }) => op)).toEqual(['Relu']);
  });

  it.each([
    ['that ends but did not begin', [50 * 8 + 4]],
    ['that has no end', [50 * 8 + 3]],
    ['that another one ends', [50 * 8 + 3, 51 * 8 + 4]],
  ])('a group %s is refused', async (_, tags) => {
    const wrong = concat(tags.map((tag) => encodeVarint(tag)));
    for (const filler of [new Uint8Array(0), encodeField(99, new Uint8Array(10_000))])
      await expect(modelOf(modelWith(filler, wrong))).rejects.toMatchObject({
        name: 'CheckpointError',
        place: { file: 'model.onnx', offset: expect.any(Number) },
      });
  });

  it.each([2 ** 31, 2 ** 53 - 1, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n])('a length of %s', async (length) => {
    for (const number of [1, 5, 7, 99]) {
      const head = concat([encodeVarint(number * 8 + 2), encodeVarint(length)]);
      await expect(modelOf(modelWith(head))).rejects.toMatchObject({ name: 'CheckpointError', place: { file: 'model.onnx', offset: expect.any(Number) } });
      await expect(modelOf(modelWith(encodeField(99, new Uint8Array(10_000)), head))).rejects.toMatchObject({ name: 'CheckpointError' });
    }
  });

  it('numbers of more bytes than they need are what they say', async () => {
    const long = (value: number) => Uint8Array.from([...Array.from({ length: 9 }, (_, at) => (at < 4 ? (value >> (7 * at)) & 0x7f : 0) | 0x80), 0]);
    const graph = concat([encodeVarint(1 * 8 + 2), long(6), encodeTextField(4, 'Relu'), encodeField(99, new Uint8Array(10_000))]);
    const { model } = await wholeEngine(concat([encodeVarint(1 * 8), long(8), encodeVarint(7 * 8 + 2), long(graph.byteLength), graph]));
    expect([model.irVersion, model.graph.nodes[0]?.op]).toEqual([8, 'Relu']);
  });

  it('fields of the wrong kind everywhere', async () => {
    const kinds = (number: number) => [
      encodeVarintField(number, 1),
      concat([encodeVarint(number * 8 + 1), new Uint8Array(8)]),
      encodeField(number, new Uint8Array([0xff])),
      concat([encodeVarint(number * 8 + 5), new Uint8Array(4)]),
      encodeField(number, new Uint8Array(0)),
    ];
    const wrap: readonly ((content: Uint8Array) => Uint8Array)[] = [
      (content) => content,
      (content) => encodeField(7, content),
      (content) => encodeField(7, encodeField(1, content)),
      (content) => encodeField(7, encodeField(1, encodeField(5, content))),
      (content) => encodeField(7, encodeField(5, content)),
      (content) => encodeField(7, encodeField(11, content)),
      (content) => encodeField(7, encodeField(11, encodeField(2, content))),
      (content) => encodeField(7, encodeField(11, encodeField(2, encodeField(1, content)))),
      (content) => encodeField(7, encodeField(14, content)),
      (content) => encodeField(7, encodeField(15, content)),
      (content) => encodeField(20, content),
      (content) => encodeField(25, content),
    ];
    for (const place of wrap) {
      for (let number = 1; number <= 26; number++) {
        for (const field of kinds(number)) {
          const bytes = concat([place(field), modelWith().subarray(2)]);
          const error = await modelOf(bytes).then(
            () => null,
            (thrown: unknown) => thrown,
          );
          if (error !== null) expect(error).toMatchObject({ name: 'CheckpointError', place: { file: 'model.onnx', offset: expect.any(Number) } });
        }
      }
    }
  });

  it('offsets beyond four gigabytes are right', async () => {
    // 5 GB of payload that is never read.
    const payload = 5 * 2 ** 30;
    const tensorHead = concat([encodeTextField(8, 'w'), encodeHead(9, payload)]);
    const tensorTail = encodeVarintField(2, 2);
    const tensor = tensorHead.byteLength + payload + tensorTail.byteLength;
    const nodeField = encodeField(1, concat([encodeTextField(4, 'Relu'), encodeTextField(1, 'w')]));
    const graphHead = encodeHead(5, tensor);
    const graph = graphHead.byteLength + tensor + nodeField.byteLength;
    const head = concat([encodeVarintField(1, 8), encodeHead(7, graph), graphHead, tensorHead]);
    const tail = concat([tensorTail, nodeField]);
    const length = head.byteLength + payload + tail.byteLength;
    const at = (index: number) => (index < head.byteLength ? head[index] : tail[index - head.byteLength - payload]) ?? 0;
    let read = 0;
    const source = {
      length,
      read: async (offset: number, bytes: number) => {
        read += bytes;
        return Uint8Array.from({ length: bytes }, (_, index) => at(offset + index));
      },
      close: async () => {},
    };
    const model = await readModel(source, { file: 'm' });
    const [w] = model.graph.initializers;
    const [relu] = model.graph.nodes;
    expect(w?.raw).toMatchObject({ offset: head.byteLength, length: payload });
    expect(w?.frame).toMatchObject({ start: head.byteLength - tensorHead.byteLength, end: head.byteLength + payload + tensorTail.byteLength });
    expect(relu?.frame.end).toBe(length);
    expect(relu?.opSite).toMatchObject({ start: length - nodeField.byteLength + 2 });
    expect(read).toBeLessThan(100_000);
  });
});

describe('a text that is no UTF-8', () => {
  it('of a megabyte is read in linear time, and back to the same bytes', async () => {
    const name = new Uint8Array(1_000_000).fill(0xff);
    const model = await readModel(memorySource(modelWith(encodeField(2, name))), { file: 'm' });
    expect(model.graph.name.length).toBe(1_000_000);
  });
});

describe('messages that are there twice', () => {
  const tensor = (name: string) => encodeField(5, concat([encodeTextField(8, name), encodeVarintField(2, 1)]));
  it.each([
    ['main graphs', concat([modelWith(), modelWith()])],
    ['tensors of an attribute', modelWith(encodeField(1, encodeField(5, concat([encodeTextField(1, 'value'), tensor('a'), tensor('b')]))))],
    [
      'bodies of an attribute',
      modelWith(encodeField(1, encodeField(5, concat([encodeTextField(1, 'body'), encodeField(6, new Uint8Array(0)), encodeField(6, new Uint8Array(0))])))),
    ],
    [
      'types of a value',
      modelWith(encodeField(11, concat([encodeTextField(1, 'x'), encodeField(2, new Uint8Array(0)), encodeField(2, encodeField(1, new Uint8Array(0)))]))),
    ],
    ['values of a sparse tensor', modelWith(encodeField(15, concat([encodeField(1, new Uint8Array(0)), encodeField(1, new Uint8Array(0))])))],
    ['algorithms of training', concat([modelWith(), encodeField(20, concat([encodeField(2, new Uint8Array(0)), encodeField(2, new Uint8Array(0))]))])],
  ])('two %s are refused with their place', async (_, bytes) => {
    await expect(modelOf(bytes)).rejects.toMatchObject({ code: 'malformed', place: { file: 'model.onnx', offset: expect.any(Number) } });
  });

  it('a second raw_data and old places of external data do not come back with an edit', async () => {
    const entry = (key: string, value: string) => encodeField(13, concat([encodeTextField(1, key), encodeTextField(2, value)]));
    const raw = (value: number) => encodeField(9, new Uint8Array(4).fill(value));
    const bytes = modelWith(
      encodeField(
        5,
        concat([raw(1), encodeTextField(8, 'w'), encodeVarintField(1, 1), raw(2), encodeVarintField(2, 1), entry('location', 'old.bin'), entry('offset', '7')]),
      ),
    );
    const model = await modelOf(bytes);
    const plan = planExternalise(model, { file: 'new.bin', atLeast: 1 });
    const [made] = onnx.ModelProto.decode(await patched(bytes, plan)).graph?.initializer ?? [];
    expect(made?.externalData?.map(({ key, value }) => [key, value])).toEqual([
      ['location', 'new.bin'],
      ['offset', '0'],
      ['length', '4'],
    ]);
    expect(made?.rawData?.byteLength ?? 0).toBe(0);
    const [file] = plan.files;
    expect(await joined(bytes, file?.pieces ?? [])).toEqual(new Uint8Array(4).fill(2));
  });
});

describe('models that need more memory than there may be', () => {
  it('more fields than there may be, a message counting as several', () => {
    const bytes = concat(Array.from({ length: 10 }, () => encodeField(1, encodeVarintField(2, 3))));
    const walk = (fields: number) => {
      const cursor = rootCursor({ length: bytes.byteLength, bytes, cuts: [] }, 'm', fields);
      while (cursor.next()) for (const inner = cursor.inside(); inner.next(); );
    };
    walk(60);
    expect(() => walk(59)).toThrow(expect.objectContaining({ code: 'too-large', place: { file: 'm', offset: expect.any(Number) } }));
  });

  it('bodies whose paths repeat a long name', async () => {
    const bodies = Array.from({ length: 1000 }, () => encodeField(11, new Uint8Array(0)));
    const attribute = concat([encodeTextField(1, 'n'.repeat(100_000)), ...bodies]);
    await expect(modelOf(modelWith(encodeField(1, encodeField(5, attribute))))).rejects.toMatchObject({ code: 'too-large', place: { file: 'model.onnx' } });
  });
});

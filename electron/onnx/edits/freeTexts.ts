import type { MetadataProp, OnnxModel } from '../model/onnxModel';
import { placeInGraph, placeOfGraph, placeOfNode, shownName } from './places';

/** A text for people or for other programs that ONNX gives no meaning, and where it stands. */
interface FreeText {
  readonly text: string;
  readonly place: string;
}

/** Every metadata_props entry and doc_string of a model. */
function* freeTexts(model: OnnxModel): Generator<FreeText> {
  yield { text: model.doc, place: 'doc_string of the model' };
  yield* entries(model.metadata, 'the model');
  for (const graph of model.graphs) {
    yield { text: graph.doc, place: `doc_string of ${placeOfGraph(graph)}` };
    yield* entries(graph.metadata, placeOfGraph(graph));
    for (const { doc, name } of [...graph.inputs, ...graph.outputs, ...graph.valueInfos, ...graph.initializers]) {
      if (doc !== '') yield { text: doc, place: placeInGraph(`doc_string of ${shownName(name)}`, graph) };
    }
  }
  for (const func of model.functions) yield { text: func.doc, place: `doc_string of ${placeOfGraph(func)}` };
  for (const owner of [...model.graphs, ...model.functions]) {
    for (const node of owner.nodes) {
      if (node.doc !== '') yield { text: node.doc, place: placeInGraph(`doc_string of ${placeOfNode(node)}`, owner) };
      if (node.metadata.length > 0) yield* entries(node.metadata, placeInGraph(placeOfNode(node), owner));
    }
  }
}

function* entries(metadata: readonly MetadataProp[], of: string): Generator<FreeText> {
  for (const { key, value } of metadata) {
    const place = `metadata_props ${shownName(key)} of ${of}`;
    yield { text: key, place };
    yield { text: value, place };
  }
}

const WORD = /[\p{L}\p{N}_]+/gu;
const IS_WORD = /[\p{L}\p{N}_]/u;

/**
 * Which of the names stand in texts that no edit rewrites, as words of their own, and where. Linear in the texts, however many names: the
 * first word of a name finds it.
 */
export function namesInTexts(model: OnnxModel, names: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const byWord = new Map<string, { readonly name: string; readonly before: number }[]>();
  for (const name of names) {
    const word = name.match(WORD)?.[0];
    if (word === undefined) continue;
    const entry = { name, before: name.indexOf(word) };
    const known = byWord.get(word);
    if (known === undefined) byWord.set(word, [entry]);
    else known.push(entry);
  }
  const found = new Map<string, string[]>();
  if (byWord.size === 0) return found;
  for (const { text, place } of freeTexts(model)) {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      for (const { name, before } of byWord.get(word) ?? []) {
        const places = found.get(name) ?? [];
        if (places.at(-1) === place || !standsAt(text, name, index - before)) continue;
        places.push(place);
        found.set(name, places);
      }
    }
  }
  return found;
}

function standsAt(text: string, name: string, at: number): boolean {
  const end = at + name.length;
  return at >= 0 && text.startsWith(name, at) && !(IS_WORD.test(name.at(-1) ?? '') && IS_WORD.test(text[end] ?? ''));
}

import { CheckpointError } from '../../../shared/contract/errors';
import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { createTurns } from '../../updates/turns';
import type { OnnxModel } from '../model/onnxModel';
import { attributeText } from '../view/attributeText';
import { nodeOfView } from '../view/describeNode';
import { matchPath, parsePath } from './matchPath';
import { withinTime } from './withinTime';

export interface SearchQuery {
  readonly text: string;
  readonly mode: 'text' | 'regex' | 'path';
  /** Nodes at most. */
  readonly limit: number;
}

export interface SearchResult {
  /** In the order of the graph; `why` says where it fits: `value "x"`. */
  readonly nodes: readonly { readonly node: number; readonly why: string }[];
  /** There are more than `limit`, or not all could be looked at. */
  readonly truncated: boolean;
}

/** A regular expression may take for ever over a single text, so that each stretch of nodes has a limit. */
const STRETCH_MS = 1000;
const STRETCH = 512;
const TEXT_CHARACTERS = 65_536;
const WHY_CHARACTERS = 120;

/**
 * Nodes of all scopes whose operator, name, values, or attributes fit: a text anywhere in them, upper and lower case alike; a regular
 * expression, likewise; or (`path`) chains of operators along the data flow.
 * @throws CheckpointError invalid-request for a pattern that is none, cancelled
 */
export async function searchGraph(
  model: OnnxModel,
  view: GraphView,
  query: SearchQuery,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SearchResult> {
  const turn = createTurns(options.signal);
  if (query.mode === 'path') {
    const steps = parsePath(query.text);
    if (steps === null) throw new CheckpointError('invalid-request', 'A path is operators with -> between them, such as MatMul -> * -> Softmax.');
    const { nodes } = await matchPath(view, steps, turn);
    const why = steps.length === 1 ? 'operator' : 'on the path';
    return { nodes: nodes.slice(0, query.limit).map((node) => ({ node, why })), truncated: nodes.length > query.limit };
  }
  const fits = query.mode === 'regex' ? regexMatcher(query.text) : textMatcher(query.text);
  const nodes: { node: number; why: string }[] = [];
  const operators = new Map<number, boolean>();
  const values = memo(view.values.names, fits);
  const count = view.nodes.names.length;
  for (let begin = 0; begin < count; begin += STRETCH) {
    await turn();
    const inTime = withinTime(STRETCH_MS, () => {
      for (let node = begin; node < Math.min(count, begin + STRETCH) && nodes.length <= query.limit; node++) {
        const why = whyNode(view, node, { fits, operators, values }) ?? whyAttribute(model, view, node, fits);
        if (why !== null) nodes.push({ node, why });
      }
    });
    if (!inTime || nodes.length > query.limit) return { nodes: nodes.slice(0, query.limit), truncated: true };
  }
  return { nodes, truncated: false };
}

type Fits = (text: string) => boolean;

function whyNode(view: GraphView, node: number, at: { fits: Fits; operators: Map<number, boolean>; values: (value: number) => boolean }): string | null {
  const operator = view.nodes.operator[node] ?? 0;
  const label = view.operators[operator] ?? '';
  const known = at.operators.get(operator) ?? at.fits(label);
  at.operators.set(operator, known);
  if (known) return `operator ${label}`;
  const name = view.nodes.names[node] ?? '';
  if (name !== '' && at.fits(name)) return `name ${quoted(name)}`;
  for (const [word, starts, list] of [
    ['input', view.nodes.inputStarts, view.nodes.inputs],
    ['output', view.nodes.outputStarts, view.nodes.outputs],
  ] as const) {
    for (let i = starts[node] ?? 0; i < (starts[node + 1] ?? 0); i++) {
      const value = list[i] ?? NO_VALUE;
      if (value !== NO_VALUE && at.values(value)) return `${word} ${quoted(view.values.names[value] ?? '')}`;
    }
  }
  return null;
}

function whyAttribute(model: OnnxModel, view: GraphView, node: number, fits: Fits): string | null {
  for (const attribute of nodeOfView(model, view, node).attributes) {
    const text = attributeText(attribute);
    if (fits(attribute.name) || fits(text) || fits(`${attribute.name} = ${text}`)) return `attribute ${quoted(`${attribute.name} = ${text}`)}`;
  }
  return null;
}

/** Many nodes share one value. */
function memo(names: readonly string[], fits: Fits): (value: number) => boolean {
  const known = new Uint8Array(names.length);
  return (value) => {
    if (known[value] === 0) known[value] = fits(names[value] ?? '') ? 1 : 2;
    return known[value] === 1;
  };
}

function textMatcher(text: string): Fits {
  const wanted = text.toLowerCase();
  return (candidate) => candidate.slice(0, TEXT_CHARACTERS).toLowerCase().includes(wanted);
}

function regexMatcher(text: string): Fits {
  let pattern: RegExp;
  try {
    pattern = new RegExp(text, 'iu');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    throw new CheckpointError('invalid-request', `This is no regular expression: ${reason}`, { cause: error });
  }
  return (candidate) => pattern.test(candidate.slice(0, TEXT_CHARACTERS));
}

function quoted(text: string): string {
  return JSON.stringify(text.length > WHY_CHARACTERS ? `${text.slice(0, WHY_CHARACTERS)}…` : text);
}

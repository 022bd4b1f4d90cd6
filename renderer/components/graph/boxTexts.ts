import type { GraphView } from '../../../shared/model/graph';
import { type BoxText, groupBoxText, nodeBoxText, stubBoxText, valueBoxText } from '../../../shared/model/graphBoxes';
import { NODE_BOX, STUB_BOX, VALUE_BOX } from '../../charts/graphScene';

const KNOWN = new WeakMap<GraphView, Map<number, BoxText>>();
const NOTHING: BoxText = { title: '', subtitle: '', lines: [] };

/** Text of a box, made when it is first in view. @param kind of BOX_KINDS */
export function boxText(view: GraphView, kind: number, ref: number): BoxText {
  let texts = KNOWN.get(view);
  if (texts === undefined) {
    texts = new Map();
    KNOWN.set(view, texts);
  }
  const key = ref * 8 + kind;
  let text = texts.get(key);
  if (text === undefined) {
    text = makeText(view, kind, ref);
    texts.set(key, text);
  }
  return text;
}

function makeText(view: GraphView, kind: number, ref: number): BoxText {
  if (kind === NODE_BOX) return nodeBoxText(view, ref);
  if (kind === STUB_BOX) return stubBoxText(view, ref);
  if (kind === VALUE_BOX) return valueBoxText(view, ref);
  const group = view.groups[ref];
  return group === undefined ? NOTHING : groupBoxText(group);
}

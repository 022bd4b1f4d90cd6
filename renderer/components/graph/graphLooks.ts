import type { GraphView } from '../../../shared/model/graph';
import type { GraphItem } from '../../charts/graphScene';
import { OPERATOR_FAMILIES, type OperatorFamily, operatorFamily } from '../../charts/operatorFamilies';
import type { GraphColours } from './graphColours';

/** How a box looks. Colour never stands alone: boxes have text, and what is told by colour is told by `word` (and `mark`) as well. */
export interface GraphLook {
  /** Strong: a stripe at the side, and all of a box that is too small for text. */
  readonly fill: string;
  /** Behind the text. */
  readonly soft: string;
  readonly text: string;
  /** A sign in the corner (`+`, `−`, `→`); empty for none. */
  readonly mark: string;
  /** For the legend and for readers of the screen. */
  readonly word: string;
  readonly isDashed?: boolean;
}

/** Looks of all boxes: places in `list` by node and by group. */
export interface GraphLooks {
  readonly list: readonly GraphLook[];
  readonly ofNode: Uint16Array;
  readonly ofGroup: Uint16Array;
  /** What else is known about a box, e.g. the number that it is coloured by; `null` for nothing. */
  readonly noteOf: (item: GraphItem) => string | null;
}

const FAMILY_WORDS: { readonly [F in OperatorFamily]: string } = {
  linear: 'Matrix product',
  convolution: 'Convolution',
  activation: 'Activation',
  normalisation: 'Normalisation',
  arithmetic: 'Arithmetic',
  pooling: 'Pooling and reduction',
  shape: 'Shape and data',
  control: 'Logic and control',
  quantisation: 'Quantisation',
  other: 'Other operator',
};

/** The usual looks: operators by family, groups plain. */
export function familyLooks(view: GraphView, colours: GraphColours): GraphLooks {
  const families = OPERATOR_FAMILIES.map((family): GraphLook => ({ ...colours.families[family], text: colours.text, mark: '', word: FAMILY_WORDS[family] }));
  const group: GraphLook = { fill: colours.group, soft: colours.groupSoft, text: colours.text, mark: '', word: 'Group' };
  const ofOperator = view.operators.map((operator) => OPERATOR_FAMILIES.indexOf(operatorFamily(operator)));
  return {
    list: [...families, group],
    ofNode: Uint16Array.from(view.nodes.operator, (operator) => ofOperator[operator] ?? OPERATOR_FAMILIES.length - 1),
    ofGroup: new Uint16Array(view.groups.length).fill(families.length),
    noteOf: () => null,
  };
}

import { concat, encodeField, encodeTextField, encodeVarintField } from '../../../encodings/protobuf/encodeField';
import type { OnnxModel, OpsetImport } from '../../model/onnxModel';
import { listed } from '../listed';
import { shownName } from '../places';
import type { PlanDraft } from '../planDraft';
import { appendTo, bytesPiece } from '../wireEdits';
import { unchangedBetween } from './operatorChanges';
import { calledFunction } from './splicedPart';
import { allNodes } from './spliceNames';
import type { SplicedPart } from './spliceTypes';

const OPSET_IMPORT = 8;

/**
 * Refuses operators that mean something else here. A node means what its operator is in the version of the operator set that the model
 * imports: the versions must be equal, or the operator not have changed between them. A set that this model does not import yet is added.
 */
export function joinOpsets(draft: PlanDraft, { model, other }: { readonly model: OnnxModel; readonly other: OnnxModel }, part: SplicedPart): void {
  const nodes = allNodes(part.set.nodes.map(({ node }) => node));
  const added = new Map<string, number>();
  const joins: Join[] = [{ nodes, opsets: other.opsets }, ...part.functions.map((func) => ({ nodes: allNodes(func.nodes), opsets: func.opsets }))];
  for (const { nodes: users, opsets } of joins) {
    const operators = new Map<string, Set<string>>();
    for (const node of users) {
      const isCall = calledFunction(other, node) !== null;
      if (!isCall && calledFunction(model, node) !== null)
        draft.refusals.push(`${named(node.domain, node.op)} is an operator in the other model, but a function in this one.`);
      const known = operators.get(node.domain) ?? new Set<string>();
      operators.set(node.domain, isCall ? known : known.add(node.op));
    }
    for (const [domain, names] of operators) joinDomain(draft, { model, opsets, added }, { domain, names: [...names] });
  }
  for (const [domain, version] of added) {
    const content = concat([...(domain === '' ? [] : [encodeTextField(1, domain)]), encodeVarintField(2, version)]);
    draft.edits.push(appendTo(model.frame, [bytesPiece(encodeField(OPSET_IMPORT, content))]));
    draft.sites.push({ graph: '', place: `opset_import ${setName(domain)}`, before: '', after: String(version) });
  }
}

interface Join {
  readonly nodes: ReturnType<typeof allNodes>;
  readonly opsets: readonly OpsetImport[];
}

function joinDomain(
  draft: PlanDraft,
  { model, opsets, added }: { readonly model: OnnxModel; readonly opsets: readonly OpsetImport[]; readonly added: Map<string, number> },
  { domain, names }: { readonly domain: string; readonly names: readonly string[] },
): void {
  const there = versionsOf(opsets, domain);
  const here = versionsOf(model.opsets, domain);
  const [from, ...moreThere] = there;
  const [to, ...moreHere] = here;
  if (moreThere.length > 0 || moreHere.length > 0) {
    const which = moreHere.length > 0 ? 'This model' : 'The other model';
    draft.refusals.push(
      `${which} imports ${setName(domain)} in the versions ${listed((moreHere.length > 0 ? here : there).map(String))}: which of them counts is not known.`,
    );
    return;
  }
  if (from === undefined) {
    if (names.length > 0) draft.refusals.push(`The other model does not say which version of ${setName(domain)} it means.`);
    return;
  }
  const mine = to ?? added.get(domain);
  if (mine === undefined) {
    added.set(domain, from);
    return;
  }
  const changed = names.filter((name) => !unchangedBetween({ domain, name }, mine, from));
  if (changed.length > 0) {
    draft.refusals.push(
      `The other model has version ${from} of ${setName(domain)}, this one ${mine}, and ${listed(changed)} ${changed.length === 1 ? 'is' : 'are'} not known to mean the same in both: convert one of the models first.`,
    );
  }
}

function versionsOf(opsets: readonly OpsetImport[], domain: string): number[] {
  return [...new Set(opsets.filter((each) => each.domain === domain).map(({ version }) => version))];
}

function setName(domain: string): string {
  return domain === '' ? "ONNX's operators" : `the operators of ${shownName(domain)}`;
}

function named(domain: string, op: string): string {
  return domain === '' ? op : `${domain}.${op}`;
}

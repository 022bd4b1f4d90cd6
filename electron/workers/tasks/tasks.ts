import type { GraphLayout, GraphView, NodeDetail } from '../../../shared/model/graph';
import type { NameProposal } from '../../../shared/model/graphEdit';
import type { SearchResult } from '../../onnx/search/searchGraph';
import { type AverageInput, type AverageOutput, average } from './average';
import { type ChangedPartsInput, type ChangedPartsOutput, changedParts } from './changedParts';
import { type DifferenceInput, type DifferenceOutput, difference } from './difference';
import { type DigestInput, type DigestOutput, digest } from './digest';
import { type FileDigestInput, type FileDigestOutput, fileDigest } from './fileDigest';
import { type GraphDiffInput, type GraphDiffOutput, graphDiff } from './graph/graphDiff';
import { type GraphLayoutInput, graphLayout } from './graph/graphLayout';
import { type GraphNodeInput, graphNode } from './graph/graphNode';
import { type GraphPlanInput, type GraphPlanOutput, graphPlan } from './graph/graphPlan';
import { type GraphProposeInput, graphPropose } from './graph/graphPropose';
import { type GraphSearchInput, graphSearch } from './graph/graphSearch';
import { type GraphViewInput, graphView } from './graph/graphView';
import { type ReplaceNamesInput, replaceNames } from './graph/replaceNames';
import { type InspectInput, type InspectOutput, inspect } from './inspect';
import { type MeasurePairInput, type MeasurePairOutput, measurePair } from './measurePair';
import { type NormsInput, type NormsOutput, norms } from './norms';
import { type PairStructureInput, type PairStructureOutput, pairStructure } from './pairStructure';
import { type QuantilesInput, type QuantilesOutput, quantiles } from './quantiles';
import { type SliceInput, type SliceOutput, slice } from './slice';
import { type StatisticsInput, type StatisticsOutput, statistics } from './statistics';
import { type StatisticsPartInput, type StatisticsPartOutput, statisticsPart } from './statisticsPart';
import { type StoreInput, type StoreOutput, store } from './store';
import type { Task } from './task';
import { type WriteInput, type WriteOutput, write } from './write';

/** Name of every task with what goes in and what comes out; both are plain data that structured clone can carry. */
export interface TaskMap {
  readonly statisticsPart: { readonly input: StatisticsPartInput; readonly output: StatisticsPartOutput };
  readonly statistics: { readonly input: StatisticsInput; readonly output: StatisticsOutput };
  readonly slice: { readonly input: SliceInput; readonly output: SliceOutput };
  readonly quantiles: { readonly input: QuantilesInput; readonly output: QuantilesOutput };
  readonly norms: { readonly input: NormsInput; readonly output: NormsOutput };
  readonly inspect: { readonly input: InspectInput; readonly output: InspectOutput };
  readonly digest: { readonly input: DigestInput; readonly output: DigestOutput };
  readonly difference: { readonly input: DifferenceInput; readonly output: DifferenceOutput };
  readonly measurePair: { readonly input: MeasurePairInput; readonly output: MeasurePairOutput };
  readonly pairStructure: { readonly input: PairStructureInput; readonly output: PairStructureOutput };
  readonly fileDigest: { readonly input: FileDigestInput; readonly output: FileDigestOutput };
  readonly write: { readonly input: WriteInput; readonly output: WriteOutput };
  readonly store: { readonly input: StoreInput; readonly output: StoreOutput };
  readonly changedParts: { readonly input: ChangedPartsInput; readonly output: ChangedPartsOutput };
  readonly average: { readonly input: AverageInput; readonly output: AverageOutput };
  readonly graphView: { readonly input: GraphViewInput; readonly output: GraphView };
  readonly graphLayout: { readonly input: GraphLayoutInput; readonly output: GraphLayout };
  readonly graphNode: { readonly input: GraphNodeInput; readonly output: NodeDetail };
  readonly graphSearch: { readonly input: GraphSearchInput; readonly output: SearchResult };
  readonly graphPlan: { readonly input: GraphPlanInput; readonly output: GraphPlanOutput };
  readonly replaceNames: { readonly input: ReplaceNamesInput; readonly output: (string | null)[] };
  readonly graphPropose: { readonly input: GraphProposeInput; readonly output: readonly NameProposal[] };
  readonly graphDiff: { readonly input: GraphDiffInput; readonly output: GraphDiffOutput };
}

export const tasks: { readonly [N in keyof TaskMap]: Task<TaskMap[N]['input'], TaskMap[N]['output']> } = {
  statisticsPart,
  statistics,
  slice,
  quantiles,
  norms,
  inspect,
  digest,
  difference,
  measurePair,
  pairStructure,
  fileDigest,
  write,
  store,
  changedParts,
  average,
  graphView,
  graphLayout,
  graphNode,
  graphSearch,
  graphPlan,
  graphPropose,
  replaceNames,
  graphDiff,
};

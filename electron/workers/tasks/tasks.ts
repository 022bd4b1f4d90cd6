import type { GraphLayout, GraphView, NodeDetail } from '../../../shared/model/graph';
import type { NameProposal } from '../../../shared/model/graphEdit';
import type { SearchResult } from '../../onnx/search/searchGraph';
import type { AverageInput, AverageOutput } from './average';
import type { ChangedPartsInput, ChangedPartsOutput } from './changedParts';
import type { DifferenceInput, DifferenceOutput } from './difference';
import { type DigestInput, type DigestOutput, digest } from './digest';
import { type FileDigestInput, type FileDigestOutput, fileDigest } from './fileDigest';
import type { GraphDiffInput, GraphDiffOutput } from './graph/graphDiff';
import type { GraphLayoutInput } from './graph/graphLayout';
import type { GraphNodeInput } from './graph/graphNode';
import type { GraphPlanInput, GraphPlanOutput } from './graph/graphPlan';
import type { GraphProposeInput } from './graph/graphPropose';
import type { GraphSearchInput } from './graph/graphSearch';
import type { GraphViewInput } from './graph/graphView';
import type { ReplaceNamesInput } from './graph/replaceNames';
import type { InspectInput, InspectOutput } from './inspect';
import type { MeasurePairInput, MeasurePairOutput } from './measurePair';
import type { NormsInput, NormsOutput } from './norms';
import type { PairStructureInput, PairStructureOutput } from './pairStructure';
import type { QuantilesInput, QuantilesOutput } from './quantiles';
import type { SliceInput, SliceOutput } from './slice';
import type { StatisticsInput, StatisticsOutput } from './statistics';
import type { StatisticsPartInput, StatisticsPartOutput } from './statisticsPart';
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

/**
 * What git waits for is there from the start. The others are loaded when they are first asked for: a worker that is started for an add or a
 * checkout would read them for nothing.
 */
export const tasks: { readonly [N in keyof TaskMap]: Task<TaskMap[N]['input'], TaskMap[N]['output']> } = {
  statisticsPart: later(async () => (await import('./statisticsPart')).statisticsPart),
  statistics: later(async () => (await import('./statistics')).statistics),
  slice: later(async () => (await import('./slice')).slice),
  quantiles: later(async () => (await import('./quantiles')).quantiles),
  norms: later(async () => (await import('./norms')).norms),
  inspect: later(async () => (await import('./inspect')).inspect),
  digest,
  difference: later(async () => (await import('./difference')).difference),
  measurePair: later(async () => (await import('./measurePair')).measurePair),
  pairStructure: later(async () => (await import('./pairStructure')).pairStructure),
  fileDigest,
  write,
  store,
  changedParts: later(async () => (await import('./changedParts')).changedParts),
  average: later(async () => (await import('./average')).average),
  graphView: later(async () => (await import('./graph/graphView')).graphView),
  graphLayout: later(async () => (await import('./graph/graphLayout')).graphLayout),
  graphNode: later(async () => (await import('./graph/graphNode')).graphNode),
  graphSearch: later(async () => (await import('./graph/graphSearch')).graphSearch),
  graphPlan: later(async () => (await import('./graph/graphPlan')).graphPlan),
  graphPropose: later(async () => (await import('./graph/graphPropose')).graphPropose),
  replaceNames: later(async () => (await import('./graph/replaceNames')).replaceNames),
  graphDiff: later(async () => (await import('./graph/graphDiff')).graphDiff),
};

function later<Input, Output>(load: () => Promise<Task<Input, Output>>): Task<Input, Output> {
  return async (input, context) => (await load())(input, context);
}

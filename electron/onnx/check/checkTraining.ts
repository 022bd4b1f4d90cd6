import { placeOfMention, shownName } from '../edits/places';
import type { Binding, OnnxTraining } from '../model/onnxModel';
import type { Mention } from '../scopes/scopeIndex';
import type { CheckContext } from './checkContext';

/** Bindings of training: keys are initializers, each at most once; values are outputs of the graph that is run (TrainingInfoProto in onnx.proto). */
export function checkTraining(context: CheckContext): void {
  const { model, index, error } = context;
  for (const [i, training] of model.training.entries()) {
    for (const kind of ['initialization', 'update'] as const) {
      const seen = new Set<string>();
      for (const [j, { key, value }] of bindingsOf(training, kind).entries()) {
        const place = `training_info ${i}, ${kind}_binding ${j}`;
        if (key === null || key.text === '' || value === null || value.text === '') error('training', `${place} lacks a name.`, { owner: model.graph });
        else if (seen.has(key.text)) error('training', `${place} sets ${shownName(key.text)} a second time.`, { owner: model.graph });
        if (key !== null) seen.add(key.text);
      }
    }
  }
  if (model.training.length === 0) return;
  for (const owner of index.owners) {
    for (const definition of index.definitions(owner)) {
      for (const mention of index.mentions(definition)) {
        if (mention.kind === 'binding-key' && definition.tensor === null) {
          error('training', `${placeOfMention(mention)} names ${shownName(definition.name)}, which is no initializer.`, { owner: mention.owner });
        }
        if (mention.kind === 'binding-value' && !isOutput(context, mention)) {
          context.warn('training', `${placeOfMention(mention)} names ${shownName(definition.name)}, which is no output of the graph that is run.`, {
            owner: mention.owner,
          });
        }
      }
    }
  }
}

function bindingsOf(training: OnnxTraining, kind: 'initialization' | 'update'): readonly Binding[] {
  return kind === 'initialization' ? training.initializationBindings : training.updateBindings;
}

/** An algorithm is run joined with the main graph, so that outputs of either count. */
function isOutput({ model }: CheckContext, mention: Extract<Mention, { readonly kind: 'binding-key' | 'binding-value' }>): boolean {
  const outputs = mention.binding === 'update' ? [...mention.owner.outputs, ...model.graph.outputs] : mention.owner.outputs;
  return outputs.some(({ name }) => name === mention.name);
}

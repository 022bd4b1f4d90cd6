import { diffSentence } from '../../../charts/graphDiffWords';
import type { GraphScene } from '../../../charts/graphScene';
import { CopyButton } from '../../../components/CopyButton';
import { ExportMenu } from '../../../components/ExportMenu';
import type { GraphColours } from '../../../components/graph/graphColours';
import type { GraphLooks } from '../../../components/graph/graphLooks';
import { graphPng, graphSvg } from '../../../components/graph/graphPicture';
import type { InitializerNumbers } from '../../../state/graphDiffNumbers';
import type { OpenedDiff } from '../../../state/graphDiffStore';
import { useStores } from '../../../state/storesContext';

interface DiffExportProps {
  readonly diff: OpenedDiff;
  readonly scene: GraphScene;
  readonly looks: GraphLooks;
  readonly colours: GraphColours;
  readonly names: { readonly a: string; readonly b: string };
}

/** The changes as text and JSON, and the picture of both graphs in one. */
export function DiffExport({ diff, scene, looks, colours, names }: DiffExportProps) {
  const { graphDiff } = useStores();
  const drawing = { scene, looks, colours };
  return (
    <>
      <CopyButton label="Copy the changes as text" text={diff.text} />
      <ExportMenu
        label="the changes of the graph"
        picture={{ svg: () => graphSvg(drawing), png: () => graphPng(drawing) }}
        text={() => diff.text}
        json={() => diffJson(diff, names, graphDiff.getState().numbers)}
      />
    </>
  );
}

function diffJson({ index }: OpenedDiff, names: DiffExportProps['names'], numbers: ReadonlyMap<number, InitializerNumbers>): string {
  const { view, changes } = index.diff;
  const list = index.order.flatMap((at) => {
    const change = changes[at];
    if (change === undefined) return [];
    const { what, change: kind, text } = change;
    const place = Math.max(change.a, change.b);
    const facts =
      what === 'node'
        ? { graph: view.scopes[view.nodes.scope[place] ?? 0]?.path ?? '', index: view.nodes.index[place], name: view.nodes.names[place] }
        : what === 'initializer'
          ? { graph: view.scopes[view.initializers[place]?.scope ?? 0]?.path ?? '', name: view.initializers[place]?.name }
          : {};
    const measured = what === 'initializer' ? numbers.get(place)?.numbers : null;
    const { norm, changed, elements } = measured ?? {};
    return [{ what, change: kind, ...facts, text, ...(measured == null ? {} : { norm, changed, elements }) }];
  });
  return `${JSON.stringify({ ...names, summary: diffSentence(changes), changes: list }, null, 2)}\n`;
}

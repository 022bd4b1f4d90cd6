import type { GraphScene } from '../../charts/graphScene';
import { CopyButton } from '../../components/CopyButton';
import { ExportMenu } from '../../components/ExportMenu';
import type { GraphColours } from '../../components/graph/graphColours';
import { graphPng, graphSvg } from '../../components/graph/graphPicture';
import { useStore, useStores } from '../../state/storesContext';
import { graphTable, graphText } from './graphText';
import type { ShownLooks } from './useGraphLooks';

interface ExportGraphProps {
  readonly scene: GraphScene;
  readonly shown: ShownLooks;
  readonly colours: GraphColours;
}

/** Saves the drawing as it is folded now, all of it, and its operators as a table or text. */
export function ExportGraph({ scene, shown, colours }: ExportGraphProps) {
  const { workspace } = useStores();
  const path = useStore(workspace, (state) => state.path);
  const label = `graph of ${path ?? 'the model'}`;
  const drawing = { scene, looks: shown.looks, colours };
  return (
    <>
      <CopyButton label="Copy the graph as text" text={() => graphText(scene.view)} />
      <ExportMenu label={label} picture={{ svg: () => graphSvg(drawing), png: () => graphPng(drawing) }} table={() => graphTable(scene.view, shown)} />
    </>
  );
}

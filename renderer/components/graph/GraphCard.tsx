import { formatCount } from '../../../shared/base/formatBytes';
import type { Size } from '../../charts/graphCamera';
import { type GraphItem, type GraphScene, STUB_BOX } from '../../charts/graphScene';
import { classNames } from '../classNames';
import { describeItem } from './describeItem';
import styles from './GraphCard.module.css';
import type { GraphLooks } from './graphLooks';
import type { GraphHover } from './useGraphPointer';

interface GraphCardProps {
  readonly scene: GraphScene;
  readonly looks: GraphLooks;
  readonly hover: GraphHover;
  readonly view: Size;
}

/** What the pointer is on: the box with its whole name, or the edge with the values that flow along it. */
export function GraphCard({ scene, looks, hover, view }: GraphCardProps) {
  const { x, y } = hover.at;
  const place = {
    ...(x > view.width - 280 ? { right: view.width - x + 12 } : { left: x + 14 }),
    ...(y > view.height - 120 ? { bottom: view.height - y + 12 } : { top: y + 14 }),
  };
  const item = hover.box < 0 ? null : scene.itemOf(hover.box);
  return (
    <div className={styles.card} style={place} aria-hidden="true">
      {item === null ? <EdgeLines scene={scene} edge={hover.edge} /> : <BoxLines scene={scene} looks={looks} item={item} box={hover.box} />}
    </div>
  );
}

function BoxLines({ scene, looks, item, box }: { readonly scene: GraphScene; readonly looks: GraphLooks; readonly item: GraphItem; readonly box: number }) {
  const { title, name, facts } = describeItem(scene.view, item);
  const note = looks.noteOf(item);
  return (
    <>
      <bdi className={styles.name}>{title}</bdi>
      {name === '' || name === title ? null : <bdi className={styles.mono}>{name}</bdi>}
      {facts.map((fact) => (
        <bdi key={fact} className={styles.quiet}>
          {fact}
        </bdi>
      ))}
      {note === null ? null : <span>{note}</span>}
      {scene.layout.boxes.kind[box] === STUB_BOX ? <span className={styles.quiet}>The edge is not drawn. Press to go to its other end.</span> : null}
    </>
  );
}

function EdgeLines({ scene, edge }: { readonly scene: GraphScene; readonly edge: number }) {
  const { view, layout } = scene;
  const value = layout.edges.value[edge] ?? -1;
  const count = layout.edges.count[edge] ?? 1;
  return (
    <>
      <bdi className={classNames(styles.mono, styles.name)}>{view.values.names[value] || '(no name)'}</bdi>
      <span className={styles.mono}>{view.values.types[value] || 'type and shape are not known'}</span>
      {count > 1 ? <span className={styles.quiet}>and {formatCount(count - 1)} more values</span> : null}
    </>
  );
}

import { EmptyState } from '../../components/EmptyState';
import { ExportMenu } from '../../components/ExportMenu';
import type { Comparison } from '../../state/compareStore';
import styles from './MetadataDifferences.module.css';

/** What the files say of themselves where they do not say the same, and what of them is not compared. */
export function MetadataDifferences({ comparison }: { readonly comparison: Comparison }) {
  const { metadata, notes } = comparison;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.box} aria-label="Metadata" tabIndex={0}>
      {metadata.length === 0 ? (
        <EmptyState title="The metadata is equal" text="Both files say the same of themselves, or nothing." />
      ) : (
        <>
          <div className={styles.head}>
            <h3>Metadata that differs</h3>
            <ExportMenu label="the metadata differences" table={() => ({ columns: ['key', 'a', 'b'], rows: metadata.map(({ key, a, b }) => [key, a, b]) })} />
          </div>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {metadata.map(({ key, a, b }) => (
                <tr key={key}>
                  <th scope="row">
                    <bdi>{key}</bdi>
                  </th>
                  <td>{a === null ? <em>not there</em> : <bdi>{a}</bdi>}</td>
                  <td>{b === null ? <em>not there</em> : <bdi>{b}</bdi>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {notes.length === 0 ? null : (
        <>
          <h3>Not compared</h3>
          <ul className={styles.notes}>
            {notes.map((note) => (
              <li key={note}>
                <bdi>{note}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

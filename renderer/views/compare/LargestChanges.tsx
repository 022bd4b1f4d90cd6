import { formatExactNumber, formatNumber } from '../../charts/formatNumber';
import { ExportMenu } from '../../components/ExportMenu';
import type { CompareDetail } from '../../state/compareDetailStore';
import { useStores } from '../../state/storesContext';
import styles from './LargestChanges.module.css';

/** The elements that changed the most, with their exact values. Choosing one brings it into the heat maps. */
export function LargestChanges({ name, detail }: { readonly name: string; readonly detail: CompareDetail }) {
  const { compareDetail } = useStores();
  const { largest } = detail;
  return (
    <div>
      <div className={styles.head}>
        <h3>Largest changes</h3>
        <ExportMenu
          label={`the largest changes of ${name}`}
          table={() => ({ columns: ['index', 'a', 'b', 'delta'], rows: largest.map(({ index, a, b, delta }) => [JSON.stringify(index), a, b, delta]) })}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.scroll} aria-label="Largest changes" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Index</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
              <th scope="col">Δ</th>
            </tr>
          </thead>
          <tbody>
            {largest.map(({ index, a, b, delta }) => (
              <tr key={index.join()}>
                <td>
                  <button
                    type="button"
                    className={styles.index}
                    title="Show it in the heat maps"
                    aria-label={`Show element ${index.join(', ')} in the heat maps`}
                    onClick={() => compareDetail.getState().goTo(index)}
                  >
                    [{index.join(', ')}]
                  </button>
                </td>
                <td title={a}>{a}</td>
                <td title={b}>{b}</td>
                <td title={formatExactNumber(delta)}>{formatNumber(delta, 6)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

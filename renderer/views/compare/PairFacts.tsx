import { formatCount } from '../../../shared/base/formatBytes';
import { formatExactNumber, formatNumber, formatShare } from '../../charts/formatNumber';
import { ExportMenu } from '../../components/ExportMenu';
import type { TableValue } from '../../components/tableText';
import type { CompareDetail } from '../../state/compareDetailStore';
import styles from './PairFacts.module.css';

interface Fact {
  readonly name: string;
  readonly text: string;
  readonly value: number | string | null;
}

/** Numbers of the difference, and statistics of both sides beside each other. */
export function PairFacts({ name, detail }: { readonly name: string; readonly detail: CompareDetail }) {
  const facts = factsOf(detail);
  const statistics = statisticsOf(detail);
  const rows = (): TableValue[][] => [
    ...facts.map((fact) => [fact.name, fact.value, null, null]),
    ...statistics.map(({ name: statistic, a, b }) => [statistic, null, a, b]),
  ];
  return (
    <div>
      <div className={styles.head}>
        <h3>Numbers</h3>
        <ExportMenu label={`the numbers of ${name}`} table={() => ({ columns: ['quantity', 'difference', 'a', 'b'], rows: rows() })} />
      </div>
      <div className={styles.tables}>
        <dl className={styles.facts}>
          {facts.map((fact) => (
            <div key={fact.name}>
              <dt>{fact.name}</dt>
              <dd title={typeof fact.value === 'number' ? formatExactNumber(fact.value) : undefined}>{fact.text}</dd>
            </div>
          ))}
        </dl>
        <table className={styles.statistics}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Statistic</span>
              </th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {statistics.map(({ name: statistic, a, b }) => (
              <tr key={statistic}>
                <th scope="row">{statistic}</th>
                <td title={a === null ? undefined : formatExactNumber(a)}>{a === null ? '–' : formatNumber(a)}</td>
                <td title={b === null ? undefined : formatExactNumber(b)}>{b === null ? '–' : formatNumber(b)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function factsOf({ numbers, structure }: CompareDetail): Fact[] {
  const number = (name: string, value: number | null): Fact => ({ name, value, text: value === null ? '–' : formatNumber(value, 5) });
  const count = (name: string, value: number): Fact => ({ name, value, text: formatCount(value) });
  const share = numbers.elements === 0 ? 0 : numbers.changed / numbers.elements;
  return [
    { name: 'Changed', value: numbers.changed, text: `${formatCount(numbers.changed)} of ${formatCount(numbers.elements)} (${formatShare(share)})` },
    ...(numbers.rtol === 0 && numbers.atol === 0 ? [] : [count('Beyond tolerance', numbers.beyond)]),
    number('Max |Δ|', numbers.maxAbs),
    ...(numbers.maxAt === null ? [] : [{ name: 'at', value: `[${numbers.maxAt.join(', ')}]`, text: `[${numbers.maxAt.join(', ')}]` }]),
    number('Mean |Δ|', numbers.meanAbs),
    number('RMS of Δ', numbers.rms),
    number('‖Δ‖', numbers.norm),
    number('Relative L2', numbers.relativeL2),
    number('Max relative', numbers.maxRelative),
    number('Cosine', numbers.cosine),
    count('Sign flips', numbers.signFlips),
    number('Max ulp', numbers.maxUlp),
    ...(numbers.notFinite === 0 ? [] : [count('Not finite on one side', numbers.notFinite)]),
    ...(structure.rank === null
      ? []
      : [{ name: 'Rank of Δ', value: structure.rank, text: `${structure.rankIsAtLeast ? 'at least ' : ''}${formatCount(structure.rank)}` }]),
    { name: 'Compared as', value: numbers.comparedAs, text: numbers.comparedAs },
  ];
}

function statisticsOf({ stats: { a, b } }: CompareDetail): { readonly name: string; readonly a: number | null; readonly b: number | null }[] {
  const infinite = (stats: typeof a) => stats.positiveInfinity + stats.negativeInfinity;
  const rows = [
    { name: 'Mean', a: a.mean, b: b.mean },
    { name: 'Std', a: a.std, b: b.std },
    { name: 'Min', a: a.min, b: b.min },
    { name: 'Max', a: a.max, b: b.max },
    { name: 'Norm', a: a.norm, b: b.norm },
    { name: 'Zeros', a: a.zeros, b: b.zeros },
    { name: 'NaN', a: a.nan, b: b.nan },
    { name: '±∞', a: infinite(a), b: infinite(b) },
  ];
  return rows.filter((row) => !['NaN', '±∞'].includes(row.name) || row.a !== 0 || row.b !== 0);
}

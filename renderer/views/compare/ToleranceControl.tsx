import { useId, useState } from 'react';
import { BITS, isBits, type Tolerance } from '../../charts/closenessBounds';
import { formatExactNumber } from '../../charts/formatNumber';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ToleranceControl.module.css';
import { parseTolerance, TOLERANCE_STEPS, toleranceAt, toleranceStep } from './toleranceSteps';

const ALLCLOSE: Tolerance = { rtol: 1e-5, atol: 1e-8 };

/** What does not count as a change: |b − a| up to atol + rtol · |a|. */
export function ToleranceControl() {
  const { compare } = useStores();
  const tolerance = useStore(compare, (state) => state.tolerance);
  const { setTolerance } = compare.getState();
  const isAllclose = tolerance.rtol === ALLCLOSE.rtol && tolerance.atol === ALLCLOSE.atol;
  return (
    <fieldset className={styles.box}>
      <legend className={styles.legend} title="An element counts as changed when |b − a| > atol + rtol · |a|">
        Tolerance
      </legend>
      <div className={styles.presets}>
        <button type="button" className={styles.preset} aria-pressed={isBits(tolerance)} title="Every changed bit counts" onClick={() => setTolerance(BITS)}>
          bits
        </button>
        <button
          type="button"
          className={styles.preset}
          aria-pressed={isAllclose}
          title="What numpy.allclose tolerates: rtol 1e-5, atol 1e-8"
          onClick={() => setTolerance(ALLCLOSE)}
        >
          allclose
        </button>
      </div>
      <Threshold name="rtol" title="Relative to |a|" value={tolerance.rtol} onChange={(rtol) => setTolerance({ ...tolerance, rtol })} />
      <Threshold name="atol" title="Absolute" value={tolerance.atol} onChange={(atol) => setTolerance({ ...tolerance, atol })} />
    </fieldset>
  );
}

interface ThresholdProps {
  readonly name: string;
  readonly title: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A slider over powers of ten, zero at its left end, and the number itself. */
function Threshold({ name, title, value, onChange }: ThresholdProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && parseTolerance(typed) === null;
  const type = (text: string) => {
    setTyped(text);
    const number = parseTolerance(text);
    if (number !== null) onChange(number);
  };
  return (
    <div className={styles.threshold}>
      <label htmlFor={id} className={styles.name} title={title}>
        {name}
      </label>
      <input
        type="range"
        aria-label={`${name}, on a logarithmic scale`}
        className={styles.slider}
        min={0}
        max={TOLERANCE_STEPS}
        step={1}
        value={toleranceStep(value)}
        aria-valuetext={formatExactNumber(value)}
        onChange={(event) => {
          setTyped(null);
          onChange(toleranceAt(Number(event.target.value)));
        }}
      />
      <input
        id={id}
        className={styles.field}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        value={typed ?? formatExactNumber(value)}
        aria-invalid={isWrong}
        title={isWrong ? 'A number from 0 up, such as 1e-5' : title}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}

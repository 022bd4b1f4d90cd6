import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import { Button } from '../../components/Button';
import { TextField } from '../../components/TextField';
import { useClient, useStores } from '../../state/storesContext';
import styles from './NamesPanel.module.css';
import type { NameRow } from './nameRows';

interface ReplaceBarProps {
  /** The rows that are meant: those selected, else all that are shown. */
  readonly rows: readonly NameRow[];
  readonly isSelection: boolean;
  /** Called with what the pattern would make of the names, by key. */
  readonly onPreview: (names: ReadonlyMap<string, string>) => void;
  readonly onClose: () => void;
}

const PAUSE_MS = 200;
const NOTHING: ReadonlyMap<string, string> = new Map();

/** Finds and replaces in names by a regular expression; the table shows what would come of it. Works on the new name where there is one. */
export function ReplaceBar({ rows, isSelection, onPreview, onClose }: ReplaceBarProps) {
  const client = useClient();
  const { graphEdit } = useStores();
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const [result, setResult] = useState<{ readonly names: ReadonlyMap<string, string>; readonly error: CheckpointError | null; readonly isPending: boolean }>({
    names: NOTHING,
    error: null,
    isPending: false,
  });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const show = (names: ReadonlyMap<string, string>, error: CheckpointError | null = null) => {
    setResult({ names, error, isPending: false });
    onPreview(names);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown changes with the pattern and the rows alone
  useEffect(() => {
    if (find === '') {
      show(NOTHING);
      return;
    }
    // What was found before is not what is asked for now.
    setResult((before) => ({ ...before, isPending: true }));
    const controller = new AbortController();
    const run = async () => {
      const { draft } = graphEdit.getState();
      const names = rows.map(({ key, address }) => draft.get(key)?.to ?? address.name);
      try {
        const made = await client.request('graph/replaceNames', { names, find, replace }, { signal: controller.signal });
        if (controller.signal.aborted) return;
        show(new Map(rows.flatMap(({ key }, at) => (made[at] === null || made[at] === undefined || made[at] === names[at] ? [] : [[key, made[at]]]))));
      } catch (error) {
        if (!controller.signal.aborted) show(NOTHING, CheckpointError.from(error));
      }
    };
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [find, replace, rows, client]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the end
  useEffect(() => () => onPreview(NOTHING), []);

  const take = () => {
    const { names } = result;
    graphEdit.getState().setNames(
      rows.flatMap(({ key, address }) => {
        const to = names.get(key);
        return to === undefined ? [] : [{ address, to, origin: 'pattern' as const, reason: `${find} becomes ${replace === '' ? 'nothing' : replace}` }];
      }),
    );
    onClose();
  };
  const count = result.names.size;
  const of = `${formatCount(rows.length)} ${isSelection ? 'selected' : 'shown'}`;
  const found = result.error !== null ? result.error.message : `${formatCount(count)} of ${of} would change`;
  const words = find === '' ? `A regular expression, for ${of}` : result.isPending ? 'Trying it…' : found;
  return (
    <form
      className={styles.replace}
      aria-label="Find and replace in names"
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0 && !result.isPending) take();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <TextField ref={field} label="Find" mono placeholder="^onnx::(\w+)_(\d+)$" value={find} onChange={setFind} className={styles.pattern ?? ''} />
      <TextField label="Replace" mono placeholder="layer$2.$1" value={replace} onChange={setReplace} className={styles.pattern ?? ''} />
      <span role="status" className={result.error === null || result.isPending ? styles.quiet : styles.problem}>
        {words}
      </span>
      <Button type="submit" disabled={count === 0 || result.isPending}>
        Take the names
      </Button>
      <Button look="quiet" onClick={onClose}>
        Close
      </Button>
    </form>
  );
}

import { useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { TextField } from '../../components/TextField';
import { useStores } from '../../state/storesContext';
import { fileName } from '../../state/trackForm';
import { EditForm } from './EditForm';

/** As the onnx package does by default. */
const USUAL_LEAST = 1024;

/** Moves values into a file beside the model. */
export function ExternaliseDialog({ open, view, path }: { readonly open: boolean; readonly view: GraphView; readonly path: string }) {
  const { graphEdit } = useStores();
  const [file, setFile] = useState(`${fileName(path)}.data`);
  const [least, setLeast] = useState(String(USUAL_LEAST));
  const field = useRef<HTMLInputElement>(null);
  const atLeast = /^\d{1,15}$/.test(least.trim()) ? Number(least) : null;
  const problem = file.trim() === '' ? 'Say what the file is called.' : /[\\/\0]/.test(file) ? 'The file lies beside the model: a name without folders.' : null;
  const moved = view.initializers.filter(({ place, bytes }) => atLeast !== null && (place === 'raw' || place === 'typed') && bytes >= atLeast);
  const start = () => {
    if (problem === null && atLeast !== null) graphEdit.getState().startReview({ kind: 'externalise', file: file.trim(), atLeast });
  };
  return (
    <EditForm
      open={open}
      title="Move values to a file"
      description="The model keeps names and shapes; the values go into one file beside it, which must stay there."
      initialFocus={field}
      isReady={problem === null && atLeast !== null}
      onReview={start}
    >
      <TextField ref={field} label="File" mono value={file} onChange={setFile} error={problem} />
      <TextField
        label="Values of at least so many bytes"
        mono
        inputMode="numeric"
        value={least}
        onChange={setLeast}
        error={atLeast === null ? 'A whole number.' : null}
        hint={`${formatCount(moved.length)} ${moved.length === 1 ? 'value' : 'values'}, ${formatBytes(moved.reduce((sum, { bytes }) => sum + bytes, 0))}`}
      />
    </EditForm>
  );
}

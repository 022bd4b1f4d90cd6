import { FileJson } from 'lucide-react';
import { useRef } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { formatMapping, type MappingFormat } from '../../../shared/model/nameMapping/mapping';
import { Button } from '../../components/Button';
import { Menu } from '../../components/Menu';
import { safeFileName, saveFile } from '../../components/saveFile';
import { readMapping } from '../../state/readMapping';
import { mappingOf } from '../../state/renameDraft';
import { useStore, useStores } from '../../state/storesContext';
import { fileName } from '../../state/trackForm';
import styles from './NamesPanel.module.css';

/** New names out of a file, and into one. */
export function MappingMenu({ view }: { readonly view: GraphView }) {
  const stores = useStores();
  const { graphEdit, workspace } = stores;
  const count = useStore(graphEdit, (state) => state.draft.size);
  const input = useRef<HTMLInputElement>(null);
  const save = (format: MappingFormat) => {
    const stem = `${fileName(workspace.getState().path ?? 'model')}-names`;
    const text = formatMapping(mappingOf(graphEdit.getState().draft, view), format);
    saveFile(safeFileName(stem, format), new Blob([text], { type: format === 'json' ? 'application/json' : 'text/csv;charset=utf-8' }));
  };
  const items = [
    { id: 'import', label: 'Import a mapping (JSON, CSV)…', onSelect: () => input.current?.click() },
    { id: 'json', label: 'Export new names as JSON', startsGroup: true, disabled: count === 0, onSelect: () => save('json') },
    { id: 'csv', label: 'Export new names as CSV', disabled: count === 0, onSelect: () => save('csv') },
  ];
  return (
    <>
      <Menu label="Mapping of names" items={items}>
        <Button icon={<FileJson size={14} />}>Mapping</Button>
      </Menu>
      <input
        ref={input}
        type="file"
        accept=".json,.csv,application/json,text/csv"
        className={styles.file}
        aria-label="Mapping of names"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) void readMapping(stores, file);
          event.target.value = '';
        }}
      />
    </>
  );
}

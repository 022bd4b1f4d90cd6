import { FilePlus2, X } from 'lucide-react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { UpdateChoice } from '../../../shared/model/track';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { IconButton } from '../../components/IconButton';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { Select } from '../../components/Select';
import { TextField } from '../../components/TextField';
import { formatName } from '../../components/words';
import { useStore, useStores } from '../../state/storesContext';
import { fileName, isInPlace, storageAt, type TrackFile } from '../../state/trackForm';
import styles from './TrackForm.module.css';

interface FileChoicesProps {
  readonly file: TrackFile;
  readonly placeProblem: string | null;
  readonly repository: RepositoryDescription;
}

/** What the file is, where it goes and how its changes are stored. */
export function FileChoices({ file, placeProblem, repository }: FileChoicesProps) {
  const { track } = useStores();
  const convertLfs = useStore(track, (state) => state.convertLfs);
  const { candidate, source } = file;
  const storage = storageAt(file, repository);
  const facts = [
    formatName(candidate.format),
    `${formatCount(candidate.groups)} parameter ${candidate.groups === 1 ? 'group' : 'groups'}`,
    formatBytes(candidate.bytes),
    ...(candidate.skipped === 0 ? [] : [`${formatCount(candidate.skipped)} other ${candidate.skipped === 1 ? 'entry' : 'entries'}, kept`]),
  ];
  return (
    <>
      <div className={styles.what}>
        <MiddleEllipsis text={fileName(source)} title={source} className={styles.fileName ?? ''} />
        <p className={styles.facts}>{facts.join(' · ')}</p>
      </div>
      <TextField
        label="Place in the repository"
        mono
        value={file.place}
        onChange={(place) => track.getState().setPlace(source, place)}
        error={placeProblem}
        hint={placeHint(file, repository)}
      />
      {storage === 'lfs' && placeProblem === null ? (
        <Checkbox
          label="Convert: git-theta keeps it from this commit on, Git LFS keeps the earlier versions"
          checked={convertLfs}
          onChange={track.getState().setConvertLfs}
          className={styles.convert ?? ''}
        />
      ) : null}
      <Select
        label="Update type"
        value={file.update}
        options={UPDATE_OPTIONS}
        onChange={(update) => track.getState().setUpdate(source, update)}
        hint={UPDATE_HINTS[file.update]}
      />
      <UpdateData file={file} />
    </>
  );
}

function placeHint(file: TrackFile, repository: RepositoryDescription): string {
  const where = isInPlace(file, repository) ? '' : ' The file is copied there.';
  switch (storageAt(file, repository)) {
    case 'theta':
      return `${isInPlace(file, repository) ? 'Kept by git-theta.' : `Replaces ${file.place}, kept by git-theta.`}${where}`;
    case 'lfs':
      return `Kept by Git LFS now, whole.${where}`;
    case 'blob':
      return `Kept as a plain git object until now; git-theta keeps it from this commit on.${where}`;
    default:
      return `New in the repository.${where}`;
  }
}

const UPDATE_OPTIONS: readonly { readonly value: UpdateChoice; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'dense', label: 'Dense' },
  { value: 'sparse', label: 'Sparse' },
  { value: 'low-rank', label: 'Low-rank' },
  { value: 'ia3', label: 'IA³' },
];

const UPDATE_HINTS: { readonly [C in UpdateChoice]: string } = {
  auto: 'For each group the smallest that gives its exact bits back.',
  dense: 'Changed groups are stored whole.',
  sparse: 'The elements that changed; whole where that is not exact.',
  'low-rank': 'Two factors of the difference; whole where that is not exact.',
  ia3: 'A factor for each row or column; whole where that is not exact.',
};

/** A file with updates that training produced, to be stored as they are. */
function UpdateData({ file }: { readonly file: TrackFile }) {
  const { track, picker } = useStores();
  const { source, updateData } = file;
  const choose = async () => {
    const picked = await picker.getState().pickFiles({
      title: 'Choose update data',
      description: 'A file with updates that training produced, named as git-theta does: layer.weight/R and layer.weight/C.',
      action: 'Use this file',
      several: false,
    });
    const [path, sent] = [picked?.paths?.[0], picked?.files?.[0]];
    if (path !== undefined) track.getState().setUpdateData(source, path);
    else if (sent !== undefined) await track.getState().sendUpdateData(source, sent);
  };
  return (
    <div className={styles.data}>
      <span className={styles.dataLabel} id="update-data">
        Update data
      </span>
      {updateData === null ? (
        <span className={styles.dataNone}>None: differences are found from the values</span>
      ) : (
        <MiddleEllipsis text={fileName(updateData)} title={updateData} className={styles.dataFile ?? ''} />
      )}
      {updateData === null ? null : (
        <IconButton label="Use no update data" icon={<X size={14} aria-hidden="true" />} onClick={() => track.getState().setUpdateData(source, null)} />
      )}
      <Button icon={<FilePlus2 size={14} />} aria-describedby="update-data" onClick={() => void choose()}>
        Choose…
      </Button>
    </div>
  );
}

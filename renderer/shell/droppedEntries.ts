/** A folder that was dropped, as far as a window can see into it. */
export interface DroppedFolder {
  readonly name: string;
  /** The folder itself; the desktop knows its path. */
  readonly file: File | null;
  readonly isRepository: boolean;
  /** Files in it that may be checkpoints by their names, also those in folders of it. */
  readonly checkpoints: readonly File[];
  /** Whether there are more of them than a commit takes, of which these are the first. */
  readonly hasMore: boolean;
}

export interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly DroppedFolder[];
}

/** More files than one commit takes; a folder with more is no folder of shards. */
const MOST_FILES = 1000;
const CHECKPOINT_NAME = /\.(?:pt|pth|ckpt|bin|safetensors|npz|npy|onnx|msgpack|flax|h5|hdf5|gguf|pkl|model)$/i;

/** By name only, to send nothing in vain: what a file is the host tells by its content. */
export function mayBeCheckpoint(name: string): boolean {
  return !name.startsWith('.') && CHECKPOINT_NAME.test(name);
}

/** Takes what was dropped out of the event. The event must still be alive when this is called; what is in folders is read afterwards. */
export function droppedEntries(data: DataTransfer): Promise<Dropped> {
  const items = [...data.items].filter(({ kind }) => kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  return read(items);
}

async function read(items: readonly { readonly entry: FileSystemEntry | null; readonly file: File | null }[]): Promise<Dropped> {
  const files: File[] = [];
  const folders: DroppedFolder[] = [];
  for (const { entry, file } of items) {
    if (entry !== null && isFolder(entry)) folders.push({ name: entry.name, file, ...(await lookInto(entry)) });
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}

async function lookInto(folder: FileSystemDirectoryEntry): Promise<Omit<DroppedFolder, 'file' | 'name'>> {
  const top = await entriesOf(folder);
  const has = (name: string) => top.some((entry) => entry.name === name);
  if (has('.git') || (has('HEAD') && has('objects') && has('refs'))) return { isRepository: true, checkpoints: [], hasMore: false };
  const checkpoints: File[] = [];
  const waiting = [...top];
  for (let next = waiting.shift(); next !== undefined && checkpoints.length <= MOST_FILES; next = waiting.shift()) {
    if (isFolder(next)) {
      if (!next.name.startsWith('.')) waiting.push(...(await entriesOf(next)));
    } else if (isFile(next) && mayBeCheckpoint(next.name)) checkpoints.push(await fileOf(next));
  }
  return { isRepository: false, checkpoints: checkpoints.slice(0, MOST_FILES), hasMore: checkpoints.length > MOST_FILES };
}

/** A reader gives up to a hundred at a time, and nothing when there are no more. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // What cannot be read is not there for us.
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return all.sort((a, b) => (a.name < b.name ? -1 : 1));
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

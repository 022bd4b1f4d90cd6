import { CheckpointError } from '../../../shared/contract/errors';

/** Where this program is, and what runs it. */
export interface ProgramPlace {
  readonly platform: NodeJS.Platform;
  /** What runs this code: Node.js or the desktop's own executable. */
  readonly executable: string;
  /** Whether it is Electron, which runs a script only when it is told to be Node.js. */
  readonly electron: boolean;
  /** Script of the command line. */
  readonly script: string;
  /** Path of the AppImage that it was started from. */
  readonly appImage: string | null;
}

/**
 * The beginning of a command line that starts this program, for the POSIX shell by which git runs filters and drivers on every system.
 * @throws invalid-request when git could not start the program from where it is
 */
export function programCommand({ platform, executable, electron, script, appImage }: ProgramPlace): string {
  if (appImage !== null) {
    throw new CheckpointError('invalid-request', 'git cannot start Theta Desktop from an AppImage, whose inside is at another place each time it runs.', {
      place: { file: appImage },
      hint: 'Install the .deb package, or run “theta install” of a clone of Theta Desktop.',
    });
  }
  const paths = [executable, script].map((path) => quoteForShell(platform === 'win32' ? path.replaceAll('\\', '/') : path));
  return `${electron ? 'ELECTRON_RUN_AS_NODE=1 ' : ''}${paths.join(' ')}`;
}

/** A word of a shell command, taken literally. */
export function quoteForShell(word: string): string {
  if (word.includes('\0')) throw new CheckpointError('invalid-request', 'The name of a file cannot hold a NUL.');
  // Double quotes are what people expect to see; what they would not keep as it is, single ones do.
  return /^[^"$`\\!]*$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
